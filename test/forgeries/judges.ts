/** Who says whether a token is good: the service, in two ways, the documented verifier, and the server SDK. */
import { Pool } from 'undici';
import { createVerifier, isVerificationError, type Verifier } from '../../src/sdk/server/index.ts';
import { type Question, typescript } from '../clients/verifiers.ts';
import { parsed } from '../support/client.ts';
import type { Running } from '../support/service.ts';
import type { Home } from './setup.ts';
import type { Verdict } from './variant.ts';

const CONNECTIONS = 24;
const PATIENCE_MS = 20_000;
/** Longer ones do not fit into the headers of a request. */
const LONGEST_HEADER = 12_000;

export interface Online {
  /** What the server of the token's app is told. */
  verify(home: Home, token: unknown): Promise<Verdict>;
  /** What /v1/me says; null for a token that no header can hold. */
  me?(token: unknown): Promise<Verdict> | null;
}

export function askService(base: string): Online & { close(): Promise<void> } {
  const pool = new Pool(base, { connections: CONNECTIONS, headersTimeout: PATIENCE_MS });

  async function ask(method: 'GET' | 'POST', path: string, authorization: string, json?: unknown) {
    const body = json === undefined ? null : JSON.stringify(json);
    const headers = { authorization, ...(body !== null && { 'content-type': 'application/json' }) };
    try {
      const answer = await pool.request({ method, path, headers, body });
      return { status: answer.statusCode, json: parsed(await answer.body.text()) };
    } catch (error) {
      return { status: 0, json: { error: { code: String((error as Error).message) } } };
    }
  }

  return {
    async verify({ app, mode }, token) {
      const { status, json } = await ask('POST', '/v1/tokens/verify', `Bearer ${app[mode].sk}`, { token });
      if (status !== 200) return `${status} ${json?.error?.code}`;
      return json?.valid === true ? 'valid' : String(json?.reason);
    },
    me(token) {
      const sendable =
        typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && token.length < LONGEST_HEADER;
      if (!sendable) return null;
      return ask('GET', '/v1/me', `Bearer ${token}`).then(({ status, json }) =>
        [status, json?.error?.code].filter(Boolean).join(' '),
      );
    },
    close: () => pool.destroy(),
  };
}

/** `accepted` or `refused`, of each token. */
export type OfflineVerifier = (service: Running, questions: readonly Question[]) => Promise<string[]>;

export const byTypescript: OfflineVerifier = async (service, questions) =>
  (await typescript(service, questions)).map(answer => (answer === null ? 'refused' : 'accepted'));

/** The server SDK offline: a verifier for each app and mode that is asked about. Any other error ends the trial. */
export const bySdk: OfflineVerifier = async (service, questions) => {
  const verifiers = new Map<string, Verifier>();
  const answers: string[] = [];
  for (const { token, appId, mode } of questions) {
    const whose = `${appId} ${mode}`;
    const verifier = verifiers.get(whose) ?? createVerifier({ issuer: service.base, appId, mode });
    verifiers.set(whose, verifier);
    answers.push(
      await verifier.verify(token).then(
        () => 'accepted',
        error => {
          if (!isVerificationError(error)) throw error;
          return 'refused';
        },
      ),
    );
  }
  return answers;
};
