/**
 * The limits of the specification that count something, as data: of a burst of ten times as many exactly so many get
 * through. Every burst has an app, addresses and people of its own.
 */
import {
  atOnce,
  challenge,
  enrolled,
  faces,
  type Mode,
  match,
  server,
  someEmail,
  usage,
} from '../../support/client.ts';
import { CODES_PATH, freshCode, VERIFY_PATH } from '../../support/codes.ts';
import type { TestApp } from '../../support/service.ts';
import type { BurstRequest, Reply } from './burst.ts';
import {
  count,
  differs,
  enrollRequest,
  kinds,
  matchRequest,
  meRequest,
  pageRequest,
  requestAs,
  type Setup,
  times,
} from './setup.ts';

interface Burst {
  /** The n-th of ten times as many as the limit. */
  readonly request: (n: number) => BurstRequest;
  /** Of the limit, what was used before. */
  readonly spent?: number;
  /** What else has to be true afterwards. */
  readonly after?: (replies: readonly Reply[]) => string[];
}

export interface Limit {
  readonly name: string;
  readonly limit: number;
  /** What is answered within the limit. */
  readonly fine: readonly string[];
  readonly plan?: string;
  /** Of short windows: how long they last. */
  readonly windowMs?: number;
  /** What is answered beyond it. */
  readonly refused?: string;
  /** Tried on a service without the limits of addresses and of apps a minute, which would refuse the burst before. */
  readonly wide?: true;
  /** Large bursts are made in one of so many rounds. */
  readonly every?: number;
  readonly burst: (setup: Setup) => Promise<Burst & { readonly requests: readonly BurstRequest[] }>;
}

/** A setup with an app for the burst, and what most bursts need. */
type Place = Setup & {
  readonly app: TestApp;
  readonly ip: string;
  /** One challenge each, asked for from many addresses. */
  challenges(mode?: Mode): Promise<string[]>;
  member(person?: number, mode?: Mode): Promise<{ token: string; user: { email: string } }>;
};

const MINUTE = { windowMs: 60_000 };
/** A plan of so many auths a month, for bursts that are small. */
export const TINY_PLAN = { tiny: 30 };
let addresses = 0;
/** Another one each time. */
export function address(): string {
  const n = ++addresses;
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

/** As the table has it. */
type Row = Omit<Limit, 'burst'> & { readonly make: (place: Place) => Promise<Burst | Burst['request']> };

const limitOf = ({ make, ...row }: Row): Limit => ({
  ...row,
  async burst(setup) {
    const { run, mode } = setup;
    const app = await run.createApp(row.plan ? { plan: row.plan } : {});
    const made = await make({
      ...{ ...setup, app, ip: address() },
      challenges: (of = mode) =>
        atOnce(10 * row.limit, async () => (await challenge(run, app, of, address())).challenge_id),
      member: (person = 0, of = mode) =>
        enrolled(run, app, { mode: of, ip: address(), descriptors: [faces.genuine(person)] }),
    });
    const burst = typeof made === 'function' ? { request: made } : made;
    return { ...burst, requests: times(10 * row.limit, burst.request) };
  },
});

const plain = Array(128).fill(1);
/** A match that counts in the budgets of its app and is then refused: its challenge is unknown. */
const idleMatch = (app: TestApp, mode: Mode) =>
  matchRequest(app, mode, `ch_${'A'.repeat(24)}`, plain, address());
const codeRequest = (app: TestApp, mode: Mode, email = someEmail(), ip = address()) =>
  pageRequest(app, mode, CODES_PATH, { email }, ip);
const guess = (app: TestApp, mode: Mode, email: string, ip: string) =>
  pageRequest(app, mode, VERIFY_PATH, { email, code: '123456' }, ip);
/** Requests of one client address for codes are limited too. */
const change = (token: string | undefined, new_email: string): BurstRequest => ({
  ...meRequest('POST', '/v1/me/email', token ?? '', { new_email }),
  ip: address(),
});
const spelled = (email: string, n: number) => (n % 2 ? email.toUpperCase() : email);

const ROWS: readonly Row[] = [
  {
    ...{ name: 'challenges, enroll and match of one address in a minute', limit: 30, ...MINUTE },
    fine: ['200', '400 invalid_request'],
    async make({ app, mode, ip }) {
      const paths = ['/v1/challenges', '/v1/enroll', '/v1/match'];
      return n => pageRequest(app, mode, paths[n % 3] ?? '', {}, ip);
    },
  },
  {
    ...{ name: 'requests with one secret key in a minute', limit: 600, fine: ['200'], ...MINUTE, every: 10 },
    async make({ app, mode }) {
      const headers = server(app, mode);
      return n =>
        n % 3
          ? requestAs(headers, 'GET', n % 3 === 1 ? '/v1/app' : '/v1/usage')
          : requestAs(headers, 'POST', '/v1/tokens/verify', { token: 'x' });
    },
  },
  {
    ...{ name: 'matches and code requests of one app in a minute', limit: 600, ...MINUTE, every: 10 },
    fine: ['400 challenge_invalid', '202'],
    make:
      async ({ app }) =>
      n =>
        n % 2 ? idleMatch(app, 'live') : codeRequest(app, 'live'),
  },
  {
    ...{ name: 'requests of one user under /v1/me in a minute', limit: 60, fine: ['200'], ...MINUTE },
    async make({ run, app, mode, member }) {
      const { token } = await member();
      const tokens = [token, (await match(run, app, { mode, ip: address() })).json.token];
      return n =>
        n % 4
          ? meRequest('GET', '/v1/me', tokens[n % 2])
          : meRequest('PATCH', '/v1/me', token, { name: `Ada ${n}` });
    },
  },
  {
    ...{ name: 'failed matches of one address in one app in 15 minutes', limit: 10, wide: true },
    fine: ['401 no_match', '409 face_already_enrolled'],
    async make({ app, mode, ip, member, challenges }) {
      await member();
      const ids = await challenges();
      return n =>
        n % 2
          ? enrollRequest(app, mode, ids[n] ?? '', faces.genuine(0, n), someEmail(), ip)
          : matchRequest(app, mode, ids[n] ?? '', faces.stranger(n), ip);
    },
  },
  {
    ...{ name: 'code requests for one email in one app in an hour', limit: 5, fine: ['202'] },
    async make({ app, mode, round, member }) {
      const email = round % 4 < 2 ? someEmail() : (await member()).user.email;
      return n => codeRequest(app, mode, spelled(email, n));
    },
  },
  {
    ...{ name: 'code requests of one address in 15 minutes', limit: 10, fine: ['202'] },
    make:
      async ({ app, mode, ip }) =>
      () =>
        codeRequest(app, mode, someEmail(), ip),
  },
  {
    ...{ name: 'code verifies of one address in 15 minutes', limit: 20, fine: ['400 invalid_code'] },
    make:
      async ({ app, mode, ip }) =>
      () =>
        guess(app, mode, someEmail(), ip),
  },
  {
    ...{ name: 'failures against one user in 15 minutes (lockout)', limit: 5, fine: ['400 invalid_code'] },
    async make({ app, mode, round, member }) {
      const email = round % 4 < 2 ? (await member()).user.email : someEmail();
      return n => guess(app, mode, spelled(email, n), address());
    },
  },
  {
    ...{ name: 'email changes of one user in an hour', limit: 5, fine: ['202'] },
    async make({ member }) {
      const { token } = await member();
      return () => change(token, someEmail());
    },
  },
  {
    ...{ name: 'email changes to one address in an hour', limit: 5, fine: ['202'] },
    async make({ member }) {
      const email = someEmail();
      const tokens: string[] = [];
      for (let n = 0; n < 10; n++) tokens.push((await member(n)).token);
      return n => change(tokens[n % 10], spelled(email, n));
    },
  },
  {
    ...{ name: 'live code requests of one app in a day (free plan)', limit: 50, fine: ['202'], plan: 'free' },
    make:
      async ({ app }) =>
      () =>
        codeRequest(app, 'live'),
  },
  {
    ...{ name: 'test enrolls of one app in a day (and 100 test users at once)', limit: 200 },
    ...{ fine: ['201', '403 test_limit_reached'], wide: true, every: 10 },
    async make({ run, app, challenges }) {
      const ids = await challenges('test');
      return {
        request: n => enrollRequest(app, 'test', ids[n] ?? '', faces.genuine(n), someEmail()),
        after: replies => [
          ...differs('enrolled', kinds(replies)['201'], 100),
          ...differs('users', count(run, 'users', 'app_id = ?', app.id), 100),
        ],
      };
    },
  },
  {
    ...{ name: 'test matches of one app in a day', limit: 1_000, wide: true, every: 20 },
    fine: ['400 challenge_invalid'],
    make:
      async ({ app }) =>
      () =>
        idleMatch(app, 'test'),
  },
  {
    ...{ name: 'test code requests of one app in a day', limit: 200, fine: ['202'], wide: true, every: 10 },
    make:
      async ({ app }) =>
      () =>
        codeRequest(app, 'test'),
  },
  {
    ...{ name: 'auths of a plan of 30: match, enroll, code', limit: 30, plan: 'tiny' },
    refused: '429 plan_limit_reached',
    fine: ['200', '201', '401 no_match', '409 face_already_enrolled'],
    async make({ run, app, challenges, member }) {
      const signIns: object[] = [];
      const members = 5;
      for (let person = 0; person < members; person++) {
        const { email } = (await member(person, 'live')).user;
        signIns.push({ email, code: await freshCode(run, app, email, { ip: address() }) });
      }
      const ids = await challenges('live');
      return {
        request(n) {
          const [id = '', ip] = [ids[n], address()];
          const signIn = signIns[n / 10];
          if (signIn) return pageRequest(app, 'live', VERIFY_PATH, signIn, ip);
          if (n % 4 === 0) return matchRequest(app, 'live', id, faces.genuine(n % members, n), ip);
          if (n % 4 === 1) return matchRequest(app, 'live', id, faces.stranger(n), ip);
          return enrollRequest(
            app,
            'live',
            id,
            faces.genuine(n % 4 === 2 ? n : n % members),
            someEmail(),
            ip,
          );
        },
        spent: members,
        after(replies) {
          const used = [...new Set(replies.map(({ json }) => json?.error?.used ?? 30))];
          return [...differs('auths', usage(run, app).auths, 30), ...differs('reported as used', used, [30])];
        },
      };
    },
  },
  {
    ...{ name: 'auths of the free plan of 1,000: match', limit: 1_000, fine: ['200'], plan: 'free' },
    ...{ refused: '429 plan_limit_reached', wide: true, every: 50 },
    async make({ run, app, challenges, member }) {
      await member(0, 'live');
      const ids = await challenges('live');
      const face = faces.genuine(0, 1);
      return {
        request: n => matchRequest(app, 'live', ids[n] ?? '', face),
        spent: 1,
        after: () => differs('auths', usage(run, app).auths, 1_000),
      };
    },
  },
];

export const LIMITS: readonly Limit[] = ROWS.map(limitOf);
