/** The browser SDK in Node.js, where a test adds the Origin header that browsers add by themselves; and a service that misbehaves. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import {
  type Client,
  type ClientOptions,
  createClient,
  FaceSignInError,
  type FaceSignInErrorCode,
} from '../../src/sdk/browser/index.ts';
import { faces, type Json, type Mode } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { type Listening, listening } from '../support/listening.ts';
import type { Running, TestApp } from '../support/service.ts';
import type { Suite } from '../support/suite.ts';

/** A request that went out. */
export interface Sent {
  readonly method: string;
  /** Without the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
}

export interface Watched {
  readonly client: Client;
  /** Requests in the order in which they went out. */
  readonly sent: Sent[];
}

/** A client of a page of the app's first origin. */
export function clientOf(
  run: Pick<Running, 'base'>,
  app: TestApp,
  options: Partial<ClientOptions> & { mode?: Mode; origin?: string } = {},
): Watched {
  const { mode = 'live', origin = app.origin, ...rest } = options;
  return watched({ publishableKey: app[mode].pk, baseUrl: run.base, ...rest }, origin);
}

export const SOME_KEY = `svc_pk_test_${'A'.repeat(24)}`;

export function watched(options: ClientOptions, origin = 'https://app.example'): Watched {
  const sent: Sent[] = [];
  const send: typeof fetch = (input, init) => {
    const headers = init?.headers as Record<string, string>;
    const json = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const path = String(input).slice(String(options.baseUrl).replace(/\/+$/, '').length);
    sent.push({ method: init?.method ?? 'GET', path, headers, json });
    return (options.fetch ?? fetch)(input, { ...init, headers: { ...headers, Origin: origin } });
  };
  return { client: createClient({ ...options, fetch: send }), sent };
}

/** In the place of a function that must not be called. */
export const uncalled =
  (what: string): (() => never) =>
  () => {
    throw new Error(`${what}, which must not happen`);
  };

/** `METHOD path` of each request. */
export const routes = (sent: readonly Sent[]) => sent.map(({ method, path }) => `${method} ${path}`);

/** What it rejects with, of that code, and with the sentence of it. */
export async function refused(
  promise: Promise<unknown>,
  code: FaceSignInErrorCode,
  note = '',
): Promise<FaceSignInError> {
  const error = await promise.then(
    () => assert.unreachable(`accepted, wanted ${code} ${note}`),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, FaceSignInError, String(error));
  const found = error as FaceSignInError;
  assert.is(found.code, code, `${note} ${found.detail}`);
  return found;
}

/** What a misbehaving service does with a request. */
export type Behaviour = (request: IncomingMessage, answer: ServerResponse) => void;

export interface Misbehaving extends Listening {
  /** `METHOD path` of each request that came in. */
  readonly seen: string[];
  /** What comes next, one for each request; the last one stays. By route, where requests of several are expected. */
  behave(by: Readonly<Record<string, readonly Behaviour[]>>): void;
}

export async function startMisbehaving(): Promise<Misbehaving & AsyncDisposable> {
  const seen: string[] = [];
  let plans: Record<string, Behaviour[]> = {};
  const server = await listening((request, answer) => {
    const route = `${request.method} ${request.url}`;
    seen.push(route);
    request.resume().on('end', () => {
      const plan = plans[route] ?? [];
      const next = plan.length > 1 ? plan.shift() : plan[0];
      if (next) next(request, answer);
      else json(500, { error: { code: 'internal_error', message: `no plan for ${route}` } })(request, answer);
    });
  });
  return Object.assign(server, {
    seen,
    behave(by: Readonly<Record<string, readonly Behaviour[]>>) {
      seen.length = 0;
      plans = Object.fromEntries(Object.entries(by).map(([route, list]) => [route, [...list]]));
    },
  });
}

export const CHALLENGE = 'POST /v1/challenges';
export const MATCH = 'POST /v1/match';
export const face = { descriptors: [faces.genuine(0)] };

/** For a suite: a service that misbehaves, and its clients. */
export function misbehavingFor(test: Suite) {
  const service = openedFor(test, startMisbehaving);
  const watchedOf = (more: Partial<ClientOptions> = {}) =>
    watched({ publishableKey: SOME_KEY, baseUrl: service.base, ...more });
  const clientOf = (more: Partial<ClientOptions> = {}) => watchedOf(more).client;
  /** A client that is signed in, and a service that does this next. */
  async function signedInWith(
    by: Parameters<Misbehaving['behave']>[0],
    more: Partial<ClientOptions> = {},
  ): Promise<Client> {
    service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
    const client = clientOf(more);
    await client.signIn(face);
    service.behave({ [CHALLENGE]: [challengeAnswer], ...by });
    return client;
  }
  return { service, watchedOf, clientOf, signedInWith };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (_, answer) => {
    answer.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
export const raw =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_, answer) => {
    answer.writeHead(status, headers).end(body);
  };
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  json(status, { error: { code, message: `told: ${code}` } }, headers);
/** The request came, its answer never leaves: nobody knows whether it was done. */
export const cut: Behaviour = request => void request.socket.destroy();
/** Half of an answer. */
export const half: Behaviour = (request, answer) => {
  answer.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  answer.write('{"user":');
  setTimeout(() => request.socket.destroy(), 20);
};
export const silent: Behaviour = () => undefined;

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const NOW = '2026-03-15T12:00:00.000Z';

/** A token as the service makes it, but for its signature. */
export const tokenFor = (seconds = 3_600, more: object = {}) =>
  `${base64url({ alg: 'ES256' })}.${base64url({ iat: 1_773_576_000, exp: 1_773_576_000 + seconds, ...more })}.c2ln`;

export const challengeAnswer = json(200, {
  challenge_id: `ch_${'A'.repeat(24)}`,
  nonce: 'A'.repeat(43),
  expires_at: NOW,
});
export const person = {
  id: `usr_${'A'.repeat(24)}`,
  email: 'ada@example.com',
  name: 'Ada',
  created_at: NOW,
};
export const ownPerson = { ...person, email_verified: true, last_sign_in_at: null };
export const session = (seconds?: number, more: object = {}) => ({
  user: person,
  token: tokenFor(seconds, more),
  expires_at: NOW,
});
export const signedIn = (seconds?: number, more: object = {}) => ({
  ...session(seconds, more),
  confidence: 0.5,
});
export const profileAnswer = {
  user: ownPerson,
  enrolled_at: NOW,
  template_count: 1,
  consent: { policy_version: '2026-01', accepted_at: NOW },
  livemode: false,
};
