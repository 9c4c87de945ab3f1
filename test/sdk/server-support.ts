/** A service, verifiers for it that live in its time, a count of what they ask it, and tokens signed by its own key. */
import { importJWK, type JWK, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import {
  createVerifier,
  type VerificationCode,
  VerificationError,
  type Verifier,
  type VerifierOptions,
} from '../../src/sdk/server/index.ts';
import { openAdmin } from '../../src/service/data.ts';
import { decoded, type Json, type Mode } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import type { Running, TestApp } from '../support/service.ts';

/** A fetch that counts, by path, and can be told to fail or to answer otherwise. */
export interface Counted {
  readonly fetch: typeof fetch;
  readonly asked: Record<string, number>;
  /** Answers in place of the service, when it gives something; throws, and there is no connection. */
  instead:
    | ((path: string, signal: AbortSignal) => Response | undefined | Promise<Response | undefined>)
    | null;
}

export function countedFetch(): Counted {
  const counted: Counted = {
    asked: {},
    instead: null,
    async fetch(input, init) {
      const { pathname } = new URL(String(input));
      counted.asked[pathname] = (counted.asked[pathname] ?? 0) + 1;
      return (await counted.instead?.(pathname, init?.signal as AbortSignal)) ?? fetch(input, init);
    },
  };
  return counted;
}

export const down = () => {
  throw new TypeError('fetch failed');
};
/** Never answers. */
export const silent = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
export const KEYS = '/.well-known/jwks.json';
export const ONLINE = '/v1/tokens/verify';

/** An offline verifier of the app, in the time of the service. */
export function verifierOf(
  run: Pick<Running, 'base' | 'clock'>,
  app: Pick<TestApp, 'id'>,
  mode: Mode = 'live',
  more: Partial<VerifierOptions> = {},
): Verifier {
  return createVerifier({ issuer: run.base, appId: app.id, mode, now: run.clock.now, ...more });
}

/** The code with which a token is refused; `accepted` for a good one. */
export function codeOf(verifying: Promise<unknown>): Promise<VerificationCode | 'accepted'> {
  return verifying.then(
    () => 'accepted' as const,
    error => {
      assert.instance(error, VerificationError, String(error?.stack ?? error));
      return error.code;
    },
  );
}

/** Signs by the service's own keys, so that tokens can be made which differ in one thing only. */
export interface Signer {
  /** The claims and header of this token, changed; undefined leaves one out. */
  resigned(token: string, claims: Json, header?: Json): Promise<string>;
  /** These two parts as they are spelt, signed by the key of this token. */
  spelt(token: string, head: string, body: string): Promise<string>;
}

export async function signerOf(run: Running): Promise<Signer> {
  const keys = new Map<string, CryptoKey>();
  async function keyOf(token: string): Promise<CryptoKey> {
    const { kid } = decoded(token).header;
    const known = keys.get(kid);
    if (known) return known;
    await using admin = closing(await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock }));
    const key = await importJWK((await admin.deps.store.openSigningKey(kid)) as JWK, 'ES256');
    keys.set(kid, key as CryptoKey);
    return key as CryptoKey;
  }
  return {
    async resigned(token, claims, header = {}) {
      const is = decoded(token);
      // By way of JSON, so that undefined leaves a member out.
      const [payload, head] = [
        { ...is.claims, ...claims },
        { ...is.header, ...header },
      ].map(value => JSON.parse(JSON.stringify(value)));
      return new SignJWT(payload).setProtectedHeader(head).sign(await keyOf(token));
    },
    async spelt(token, head, body) {
      const text = `${head}.${body}`;
      const how = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await crypto.subtle.sign(how, await keyOf(token), Buffer.from(text));
      return `${text}.${Buffer.from(signature).toString('base64url')}`;
    },
  };
}

/** Signed by nobody's key, under this id. */
export async function foreign(token: string, kid: string): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
  ]);
  return new SignJWT(decoded(token).claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
}
