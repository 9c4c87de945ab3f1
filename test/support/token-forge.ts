/** A small verifying service with keys of its own, and the tools to forge tokens for it. */
import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { systemKeyMaker } from '../../src/adapters/system/key-maker.ts';
import type { Caller } from '../../src/domain/caller.ts';
import type { Deps } from '../../src/domain/deps.ts';
import { issueToken, newToken } from '../../src/domain/tokens/issue.ts';
import { createSigningKeys } from '../../src/domain/tokens/signing-keys.ts';
import { type Verified, verifyToken } from '../../src/domain/tokens/user-token.ts';
import type { NewSigningKey, Store, TokenFacts, UserRecord } from '../../src/ports/store.ts';
import type { Mode } from '../../src/protocol/mode.ts';
import { clockAt } from './clock.ts';
import { seeded } from './random.ts';

export const ISSUER = 'https://face.example';
export const NOW = Date.parse('2026-03-15T12:00:00.500Z');

export type Claims = Record<string, unknown>;
export type Header = Record<string, unknown>;

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

export async function forge() {
  const [own, left, foreign] = await Promise.all([
    systemKeyMaker.make(),
    systemKeyMaker.make(),
    systemKeyMaker.make(),
  ]);
  const published: NewSigningKey[] = [{ ...own, createdAt: 0, signsAt: 0 }];
  const standing = { revoked: new Set<string>(), users: new Set<string>() };
  const clock = clockAt(NOW);
  const store = {
    signingKeys: async () => published.map(key => ({ ...key, leavesAt: null })),
    openSigningKey: async () => own.privateJwk,
    tokenStanding: async (gallery: { appId: string; mode: Mode }, { jti, sub }: TokenFacts) => {
      if (standing.revoked.has(jti)) return 'revoked';
      return standing.users.has(`${gallery.appId}/${gallery.mode}/${sub}`) ? 'good' : 'user_missing';
    },
  } as unknown as Store;
  const deps = {
    store,
    clock,
    random: seeded(77),
    settings: { baseUrl: ISSUER },
    signingKeys: createSigningKeys(store, clock),
  } as unknown as Deps;

  const keyOf = (jwk: object): KeyObject => createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  const ownKey = keyOf(own.privateJwk);

  function signed(
    header: Header | string,
    claims: unknown,
    key = ownKey,
    dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
  ) {
    const input = `${encode(header)}.${encode(claims)}`;
    return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding }).toString('base64url')}`;
  }

  return {
    clock,
    standing,
    published,
    own,
    left: { ...left, key: keyOf(left.privateJwk) },
    foreign: { ...foreign, key: keyOf(foreign.privateJwk) },
    header: { alg: 'ES256', typ: 'JWT', kid: own.kid } as Header,
    signed,

    hmac(header: Header, claims: Claims, secret: string | Buffer): string {
      const input = `${encode(header)}.${encode(claims)}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    },

    async issue(appId: string, mode: Mode, userId: string): Promise<string> {
      standing.users.add(`${appId}/${mode}/${userId}`);
      const user: UserRecord = {
        id: userId,
        email: 'ana@example.com',
        name: '',
        emailVerified: false,
        faceInQuestion: false,
        createdAt: 0,
        lastSignInAt: null,
      };
      const caller = { gallery: { appId, mode } } as unknown as Caller;
      return (await issueToken(deps, caller, user, 'face', newToken(deps))).token;
    },

    /** What the secret key of this app and mode is told. */
    verify(token: string, appId = 'app_1', mode: Mode = 'live'): Promise<Verified> {
      return verifyToken(deps, { gallery: { appId, mode } }, token);
    },
  };
}

export function outcomeOf(verified: Verified): string {
  return verified.valid ? 'valid' : verified.reason;
}
