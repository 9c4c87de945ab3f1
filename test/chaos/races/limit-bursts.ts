/** Bursts at the limits of requests and of codes. Every burst has an app, addresses and people of its own. */
import {
  type Answer,
  atOnce,
  challenge,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  server,
  someEmail,
} from '../../support/client.ts';
import { CODES_PATH, VERIFY_PATH } from '../../support/codes.ts';
import type { Running, TestApp } from '../../support/service.ts';
import type { BurstRequest, Reply } from './burst.ts';
import {
  enrollRequest,
  matchRequest,
  meRequest,
  pageRequest,
  requestAs,
  type Setup,
  times,
} from './setup.ts';

export interface Burst {
  readonly requests: readonly BurstRequest[];
  /** Of the limit, what was used before. */
  readonly spent?: number;
  /** What else has to be true afterwards. */
  readonly after?: (replies: readonly Reply[]) => string[];
}

export interface Limit {
  readonly name: string;
  readonly limit: number;
  /** Of short windows: how long they last. */
  readonly windowMs?: number;
  /** What is answered within the limit. */
  readonly fine: readonly string[];
  /** Beyond it; `429 rate_limited` unless told. */
  readonly refused?: string;
  /** Tried on a service without the limits of addresses and of apps a minute, which would refuse the burst before. */
  readonly wide?: true;
  /** Large bursts are made in one of so many rounds. */
  readonly every?: number;
  /** Requests, ten times as many as the limit. */
  readonly burst: (setup: Setup, limit: number) => Promise<Burst>;
}

const MINUTE = 60_000;
let addresses = 0;
/** Another one each time. */
export function address(): string {
  const n = ++addresses;
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

const plain = Array(128).fill(1);
const UNKNOWN = `ch_${'A'.repeat(24)}`;
/** A match that counts in the budgets of its app and is then refused: its challenge is unknown. */
export const idleMatch = (app: TestApp, mode: Mode): BurstRequest =>
  matchRequest(app, mode, UNKNOWN, plain, address());
export const codeRequest = (app: TestApp, mode: Mode, email = someEmail(), ip = address()): BurstRequest =>
  pageRequest(app, mode, CODES_PATH, { email }, ip);
const guess = (app: TestApp, mode: Mode, email: string, ip: string): BurstRequest =>
  pageRequest(app, mode, VERIFY_PATH, { email, code: '123456' }, ip);

/** Requests of one client address for codes are limited too. */
const change = (token: string, new_email: string): BurstRequest => ({
  ...meRequest('POST', '/v1/me/email', token, { new_email }),
  ip: address(),
});

/** One challenge each, asked for from many addresses. */
export function manyChallenges(run: Running, app: TestApp, mode: Mode, count: number): Promise<string[]> {
  return atOnce(count, async () => (await challenge(run, app, mode, address())).challenge_id);
}

export function newMember(run: Running, app: TestApp, mode: Mode, person = 0): Promise<Json> {
  return enrolled(run, app, { mode, ip: address(), descriptors: [faces.genuine(person)] });
}

const spelled = (email: string, n: number) => (n % 2 ? email.toUpperCase() : email);

export const PER_MINUTE: readonly Limit[] = [
  {
    name: 'challenges, enroll and match of one address in a minute',
    limit: 30,
    windowMs: MINUTE,
    fine: ['200', '400 invalid_request'],
    async burst({ run, mode }, limit) {
      const [app, ip] = [await run.createApp(), address()];
      const paths = ['/v1/challenges', '/v1/enroll', '/v1/match'];
      return { requests: times(10 * limit, n => pageRequest(app, mode, paths[n % 3] ?? '', {}, ip)) };
    },
  },
  {
    name: 'requests with one secret key in a minute',
    limit: 600,
    windowMs: MINUTE,
    fine: ['200'],
    every: 10,
    async burst({ run, mode }, limit) {
      const headers = server(await run.createApp(), mode);
      const request = (n: number) =>
        n % 3
          ? requestAs(headers, 'GET', n % 3 === 1 ? '/v1/app' : '/v1/usage')
          : requestAs(headers, 'POST', '/v1/tokens/verify', { token: 'x' });
      return { requests: times(10 * limit, request) };
    },
  },
  {
    name: 'matches and code requests of one app in a minute',
    limit: 600,
    windowMs: MINUTE,
    fine: ['400 challenge_invalid', '202'],
    every: 10,
    async burst({ run }, limit) {
      const app = await run.createApp();
      const request = (n: number) => (n % 2 ? idleMatch(app, 'live') : codeRequest(app, 'live'));
      return { requests: times(10 * limit, request) };
    },
  },
  {
    name: 'requests of one user under /v1/me in a minute',
    limit: 60,
    windowMs: MINUTE,
    fine: ['200'],
    async burst({ run, mode }, limit) {
      const app = await run.createApp();
      const { token } = await newMember(run, app, mode);
      const second: Answer = await match(run, app, { mode, ip: address() });
      const tokens = [token, second.json.token];
      const request = (n: number) =>
        n % 4
          ? meRequest('GET', '/v1/me', tokens[n % 2])
          : meRequest('PATCH', '/v1/me', token, { name: `Ada ${n}` });
      return { requests: times(10 * limit, request) };
    },
  },
];

export const PER_QUARTER_AND_HOUR: readonly Limit[] = [
  {
    name: 'failed matches of one address in one app in 15 minutes',
    limit: 10,
    fine: ['401 no_match', '409 face_already_enrolled'],
    wide: true,
    async burst({ run, mode }, limit) {
      const [app, ip] = [await run.createApp(), address()];
      await newMember(run, app, mode);
      const ids = await manyChallenges(run, app, mode, 10 * limit);
      const request = (id: string, n: number) =>
        n % 2
          ? enrollRequest(app, mode, id, faces.genuine(0, n), someEmail(), ip)
          : matchRequest(app, mode, id, faces.stranger(n), ip);
      return { requests: ids.map(request) };
    },
  },
  {
    name: 'code requests for one email in one app in an hour',
    limit: 5,
    fine: ['202'],
    async burst({ run, mode, round }, limit) {
      const app = await run.createApp();
      const email = round % 4 < 2 ? someEmail() : (await newMember(run, app, mode)).user.email;
      return { requests: times(10 * limit, n => codeRequest(app, mode, spelled(email, n))) };
    },
  },
  {
    name: 'code requests of one address in 15 minutes',
    limit: 10,
    fine: ['202'],
    async burst({ run, mode }, limit) {
      const [app, ip] = [await run.createApp(), address()];
      return { requests: times(10 * limit, () => codeRequest(app, mode, someEmail(), ip)) };
    },
  },
  {
    name: 'code verifies of one address in 15 minutes',
    limit: 20,
    fine: ['400 invalid_code'],
    async burst({ run, mode }, limit) {
      const [app, ip] = [await run.createApp(), address()];
      return { requests: times(10 * limit, () => guess(app, mode, someEmail(), ip)) };
    },
  },
  {
    name: 'failures against one user in 15 minutes (lockout)',
    limit: 5,
    fine: ['400 invalid_code'],
    async burst({ run, mode, round }, limit) {
      const app = await run.createApp();
      const email = round % 4 < 2 ? (await newMember(run, app, mode)).user.email : someEmail();
      return { requests: times(10 * limit, n => guess(app, mode, spelled(email, n), address())) };
    },
  },
  {
    name: 'email changes of one user in an hour',
    limit: 5,
    fine: ['202'],
    async burst({ run, mode }, limit) {
      const { token } = await newMember(run, await run.createApp(), mode);
      return { requests: times(10 * limit, () => change(token, someEmail())) };
    },
  },
  {
    name: 'email changes to one address in an hour',
    limit: 5,
    fine: ['202'],
    async burst({ run, mode }, limit) {
      const [app, email] = [await run.createApp(), someEmail()];
      const tokens: string[] = [];
      for (let n = 0; n < 10; n++) tokens.push((await newMember(run, app, mode, n)).token);
      return { requests: times(10 * limit, n => change(tokens[n % 10] ?? '', spelled(email, n))) };
    },
  },
];
