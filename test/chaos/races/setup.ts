/** What a race is run on, and how its outcome is judged. A fault is one line of text; no faults: the race was held. */
import {
  type Answer,
  browser,
  consent,
  enrolled,
  type Headers,
  type Json,
  type Mode,
} from '../../support/client.ts';
import { bearer } from '../../support/me.ts';
import type { Running, TestApp } from '../../support/service.ts';
import type { BurstRequest, Reply } from './burst.ts';

export interface Setup {
  readonly run: Running;
  readonly mode: Mode;
  /** Requests at once. */
  readonly parallel: number;
  readonly round: number;
  send(requests: readonly BurstRequest[]): Promise<Reply[]>;
}

export interface Race {
  readonly name: string;
  readonly wanted: string;
  run(setup: Setup): Promise<string[]>;
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function kinds(replies: readonly Pick<Reply, 'kind'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of replies) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The fault of answers that are not these, in these numbers. */
export function unlike(replies: readonly Reply[], wanted: Record<string, number>): string[] {
  const sorted = (counts: Record<string, number>) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(counts)
          .filter(([, n]) => n > 0)
          .sort(),
      ),
    );
  const [is, should] = [sorted(kinds(replies)), sorted(wanted)];
  return is === should ? [] : [`answered ${is}, not ${should}`];
}

export function differs(what: string, is: unknown, should: unknown): string[] {
  const [got, wanted] = [JSON.stringify(is), JSON.stringify(should)];
  return got === wanted ? [] : [`${what}: ${got}, not ${wanted}`];
}

/** The fault of a single answer of another kind. */
export function notKind(what: string, answer: Answer, kind: string): string[] {
  const got = [answer.status, answer.json?.error?.code].filter(Boolean).join(' ');
  return got === kind ? [] : [`${what}: ${got}, not ${kind}`];
}

export const count = (run: Running, table: string, where: string, ...values: unknown[]): number =>
  run.rows(`SELECT count(*) AS n FROM ${table} WHERE ${where}`, ...values)[0].n;

/** Somebody with a face, in an app of their own. */
export async function somebody(run: Running, mode: Mode, face: number[]): Promise<{ app: TestApp } & Json> {
  const app = await run.createApp({ firstParty: true });
  return { app, ...(await enrolled(run, app, { mode, descriptors: [face] })) };
}

type Face = readonly number[];

export function matchRequest(
  app: TestApp,
  mode: Mode,
  challenge_id: string,
  face: Face,
  ip?: string,
): BurstRequest {
  const json = { challenge_id, descriptors: [face] };
  return { method: 'POST', path: '/v1/match', headers: browser(app, mode), json, ...(ip && { ip }) };
}

export function enrollRequest(
  app: TestApp,
  mode: Mode,
  challenge_id: string,
  face: Face,
  email: string,
  ip?: string,
): BurstRequest {
  const json = { challenge_id, email, consent, descriptors: [face] };
  return { method: 'POST', path: '/v1/enroll', headers: browser(app, mode), json, ...(ip && { ip }) };
}

export function addRequest(token: string, challenge_id: string, face: Face): BurstRequest {
  return meRequest('POST', '/v1/me/templates', token, { challenge_id, descriptors: [face] });
}

export function meRequest(method: string, path: string, token: string, json?: unknown): BurstRequest {
  return requestAs(bearer(token), method, path, json);
}

export function pageRequest(
  app: TestApp,
  mode: Mode,
  path: string,
  json?: unknown,
  ip?: string,
): BurstRequest {
  return { ...requestAs(browser(app, mode), 'POST', path, json), ...(ip && { ip }) };
}

export function requestAs(headers: Headers, method: string, path: string, json?: unknown): BurstRequest {
  return { method, path, headers, ...(json !== undefined && { json }) };
}
