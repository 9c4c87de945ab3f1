/**
 * The internal API in memory, as far as the pages need it: for their states, which a real service shows only with effort.
 * It checks no passkey and no right. What the real one answers is held by test/portal and test/browser.
 *
 * Use: node test/portal/app/fake.ts [PORT], then open http://localhost:PORT/link#any
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { originFault } from '../../../src/domain/origins.ts';
import { addStatic } from '../../../src/portal/server/static.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../src/protocol/errors.ts';
import { RIGHTS } from '../../../src/protocol/portal/roles.ts';
import { CLI } from '../../../src/typed.ts';
import { type Row, sample } from './fake-data.ts';

export type Rule = (
  ctx: Context,
  path: string,
) => Promise<{ status: number; code: string; message: string } | null>;

export interface Fake {
  readonly origin: string;
  readonly data: ReturnType<typeof sample>;
  /** Asked before each request: refuses it, or holds it up. */
  rule: Rule;
  close(): Promise<void>;
}

const SECRET = 'fake-secret';
const id = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`;
const now = () => new Date().toISOString();

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export async function startFake(port = 0): Promise<Fake> {
  const data = sample();
  const koa = new Koa();
  koa.silent = true;
  const fake: { rule: Rule } = { rule: async () => null };
  koa.use(async (ctx, next) => {
    ctx.set('X-Request-Id', id('req'));
    try {
      const path = ctx.path.replace('/internal/', '');
      const refusal = ctx.path.startsWith('/internal/') ? await fake.rule(ctx, path) : null;
      if (refusal) throw new Refused(refusal.status, refusal.code, refusal.message);
      await next();
    } catch (thrown) {
      const { code = 'internal_error', message } = thrown as Partial<Refused>;
      const { status = ERROR_STATUS[code as ErrorCode] ?? 500 } = thrown as Partial<Refused>;
      if (status === 500) console.error(thrown);
      ctx.status = status;
      ctx.body = { error: { code, message } };
    }
  });
  koa.use(async (ctx, next) => {
    let text = '';
    for await (const part of ctx.req) text += part;
    ctx.state.body = text === '' ? {} : JSON.parse(text);
    await next();
  });
  const router = new Router();
  addStatic(router, {
    settings: { baseUrl: 'http://127.0.0.1:8080' },
    portal: { cli: CLI },
    hasTry: true,
  });
  router.get('/health', ctx => {
    ctx.body = data.health;
  });
  addInternal(router, data);
  koa.use(router.routes());
  const server = koa.listen(port, '127.0.0.1');
  await new Promise(ready => server.once('listening', ready));
  const own = (server.address() as AddressInfo).port;
  return Object.assign(fake, {
    origin: `http://localhost:${own}`,
    data,
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  });
}

function addInternal(router: Router, data: ReturnType<typeof sample>): void {
  type Handle = (ctx: Context, body: Row) => object | null;
  const on = (method: 'get' | 'post' | 'patch' | 'delete', path: string, handle: Handle, isOpen = false) =>
    router[method](`/internal/${path}`, ctx => {
      if (!isOpen && ctx.get('X-Svc-Portal') !== SECRET) throw new Refused(401, 'unauthorized', 'Sign in.');
      const answer = handle(ctx, ctx.state.body);
      ctx.status = answer === null ? 204 : method === 'post' ? 201 : 200;
      ctx.body = answer;
    });
  const begun = () => ({ session: { secret: SECRET, expires_at: now() }, operator: data.operator });
  const challenge = () => randomBytes(32).toString('base64url');
  const find = (rows: Row[], wanted: string | undefined): Row => {
    const found = rows.find(row => row.id === wanted);
    if (!found) throw new Refused(404, 'not_found', 'There is nothing with this id.');
    return found;
  };
  const drop = (rows: Row[], wanted: string | undefined) => {
    rows.splice(rows.indexOf(find(rows, wanted)), 1);
    return null;
  };
  const asked = () => ({
    options: { challenge: challenge(), rpId: 'localhost', userVerification: 'required' },
  });

  on(
    'post',
    'links/redeem',
    (_, body) => {
      if (!body.email) throw new Refused(400, 'invalid_request', 'email is required: say your address.');
      if (!body.name) throw new Refused(400, 'invalid_request', 'name is required: say what you are called.');
      return begun();
    },
    true,
  );
  on('post', 'session/options', asked, true);
  on('post', 'session/step-up/options', asked);
  on('post', 'session/step-up', () => null);
  on('post', 'session', begun, true);
  on(
    'post',
    'session/recovery',
    (_, { code }) => {
      if (code !== 'right') throw new Refused(401, 'unauthorized', 'Wrong.');
      return begun();
    },
    true,
  );
  on('get', 'session', () => ({ session: { expires_at: now() }, operator: data.operator }));
  on('delete', 'session', () => null);
  on('get', 'roles', () => ({ rights: RIGHTS }));
  on('get', 'account', () => ({ account: data.account }));
  on('patch', 'account', (_, body) => ({ account: Object.assign(data.account, body) }));
  on('post', 'passkeys/options', () => ({
    options: {
      challenge: challenge(),
      rp: { name: 'face-sign-in', id: 'localhost' },
      user: { id: 'b3By', name: 'ada@example.com', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
  }));
  on('get', 'passkeys', () => ({ passkeys: data.passkeys }));
  on('post', 'passkeys', (_, { label }) => {
    const passkey = { id: id('psk'), label: label ?? 'Passkey', created_at: now(), last_used_at: null };
    data.passkeys.push(passkey);
    return { passkey };
  });
  on('patch', 'passkeys/:id', (ctx, body) => ({
    passkey: Object.assign(find(data.passkeys, ctx.params.id), body),
  }));
  on('delete', 'passkeys/:id', ctx => drop(data.passkeys, ctx.params.id));
  on('post', 'recovery-codes', () => ({
    codes: Array.from({ length: 10 }, () => randomBytes(15).toString('base64url').replace(/[-_]/g, 'x')),
  }));
  on('get', 'sessions', () => ({ sessions: data.sessions }));
  on('delete', 'sessions/:id', ctx => drop(data.sessions, ctx.params.id));

  on('get', 'teams', () => ({ teams: data.teams }));
  on('patch', 'teams/:id', (ctx, body) => ({ team: Object.assign(find(data.teams, ctx.params.id), body) }));
  on('get', 'teams/:id/members', () => ({ members: data.members }));
  on('patch', 'teams/:id/members/:member', (ctx, body) => ({
    member: Object.assign(find(data.members, ctx.params.member), body),
  }));
  on('delete', 'teams/:id/members/:member', ctx => drop(data.members, ctx.params.member));
  on('get', 'teams/:id/invitations', () => ({ invitations: data.invitations }));
  on('post', 'teams/:id/invitations', (_, { email, role }) => {
    const invitation = { id: id('lnk'), email, role, expires_at: new Date(Date.now() + 6e8).toISOString() };
    data.invitations.push(invitation);
    return { invitation, link: { url: `http://localhost:8081/link#${challenge()}` } };
  });
  on('delete', 'teams/:id/invitations/:link', ctx => drop(data.invitations, ctx.params.link));

  on('get', 'plans', () => ({
    plans: [
      { name: 'unlimited', monthly_auths: null },
      { name: 'free', monthly_auths: 1000 },
    ],
  }));
  on('get', 'apps', () => ({ apps: data.apps }));
  on('post', 'apps', (_, body) => {
    judge(body.allowed_origins);
    if (!body.name) throw new Refused(400, 'invalid_request', 'name: 1 to 60 characters.');
    const made = { first_party: false, plan: 'unlimited', created_at: now(), allowed_origins: [] };
    const app = { ...made, ...body, id: id('app') };
    data.apps.push(app);
    return { app };
  });
  on('get', 'apps/:id', ctx => ({ app: find(data.apps, ctx.params.id) }));
  on('patch', 'apps/:id', (ctx, body) => {
    judge(body.allowed_origins);
    return { app: Object.assign(find(data.apps, ctx.params.id), body) };
  });
  on('delete', 'apps/:id', ctx => drop(data.apps, ctx.params.id));
  on('get', 'apps/:id/keys', () => ({ keys: data.keys }));
  const make = (of: Row) => {
    const key = `svc_${of.type === 'secret' ? 'sk' : 'pk'}_${of.mode}_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
    const base = { id: id('key'), type: of.type, mode: of.mode, label: of.label ?? null };
    const row = { ...base, last4: key.slice(-4), created_at: now() };
    const by = { created_by: data.operator.name, last_used_at: null, ends_at: null, revoked_at: null };
    data.keys.push({ ...row, ...by });
    return { key: { ...row, key } };
  };
  on('post', 'apps/:id/keys', (_, body) => make(body));
  on('patch', 'apps/:id/keys/:key', (ctx, body) => ({
    key: Object.assign(find(data.keys, ctx.params.key), body),
  }));
  on('delete', 'apps/:id/keys/:key', ctx => {
    find(data.keys, ctx.params.key).revoked_at = now();
    return null;
  });
  on('post', 'apps/:id/keys/:key/roll', (ctx, { ends_in_seconds: seconds }) => {
    const old = find(data.keys, ctx.params.key);
    old.ends_at = new Date(Date.now() + Number(seconds) * 1000).toISOString();
    return make(old);
  });
  on('get', 'apps/:id/:mode/events', () => ({ events: data.events, before: null, after: null }));
  on('get', 'apps/:id/:mode/usage', () => ({ usage: [{ auths: 0, limit: null, matches_ok: 0 }] }));
  on('get', 'apps/:id/:mode/refusals', () => ({ refusals: data.refusals }));

  on('get', 'health', () => data.health);
  on('get', 'about', () => ({ version: '1.0.0', node: '26.10.0' }));
  on('get', 'jobs', () => ({ jobs: data.jobs }));
  on('post', 'jobs/:name/run', () => ({ ran: true }));
  on('get', 'signing-keys', () => ({ signing_keys: data.signingKeys }));
  on('post', 'signing-keys/rotate', () => ({ signing_keys: data.signingKeys }));
  on('get', 'operators', () => ({ operators: data.operators }));
  on('patch', 'operators/:id', (ctx, body) => ({
    operator: Object.assign(find(data.operators, ctx.params.id), body),
  }));
  on('post', 'operators/:id/link', () => ({ link: { url: `http://localhost:8081/link#${challenge()}` } }));
  on('delete', 'operators/:id/sessions', () => null);
  on('get', 'audit', () => ({ entries: data.audit, next_cursor: null }));
}

function judge(origins: unknown): void {
  for (const [i, one] of (Array.isArray(origins) ? origins : []).entries()) {
    const fault = originFault(String(one));
    if (fault) throw new Refused(400, 'invalid_request', `allowed_origins[${i}]: ${fault}`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { origin } = await startFake(Number(process.argv[2] ?? 8099));
  console.log(`${origin}/link#any`);
}
