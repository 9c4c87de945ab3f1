/** Commands beside a running server on the same data: it acts on them at once. Rotations: test/http/jwks.test.ts. */
import Database from 'better-sqlite3';
import { calculateJwkThumbprint } from 'jose';
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  decoded,
  enrolled,
  faces,
  type Json,
  match,
  server as secretKey,
  soon,
  verify,
} from '../support/client.ts';
import { assertLike, ISO, json, newDataDir, type Server, serve, text, within } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type CommandLineApp, newApp } from './test-app.ts';

const test = suite('cli: beside a server');
const env = { DATA_DIR: newDataDir(), LIMIT_IP_PER_MINUTE: '0' };
let service: Server;
let run: Running;
let app: CommandLineApp;

test.before(async () => {
  service = await serve(env);
  run = { base: service.base } as Running;
  app = await newApp(env, 'Shop');
});
test.after(() => service?.stop());

const summary = (of: TestApp) => call(run, 'GET', '/v1/app', { headers: secretKey(of) });
const askChallenge = (origin: string) =>
  call(run, 'POST', '/v1/challenges', { headers: browser(app, 'live', origin) });
const jwks = async (): Promise<Json[]> => (await call(run, 'GET', '/.well-known/jwks.json')).json.keys;

async function answers(ask: () => Promise<Answer>, status: number): Promise<void> {
  assert.is((await ask()).status, status);
}

test('a key works as soon as the command that made it has ended', async () => {
  const answer = await summary(app);
  assert.equal([answer.status, answer.json], [200, { id: app.id, name: 'Shop' }]);
  assert.is((await askChallenge(app.origin)).status, 200);
});

test('a revoked key stops working within a second; the other keys go on', async () => {
  const spare = await json(['key', 'create', '--app', app.id, '--type', 'secret', '--mode', 'live'], env);
  const ask = () => call(run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${spare.key}` } });
  await answers(ask, 200);
  assert.equal(await json(['key', 'revoke', spare.id], env), { revoked: true });
  await soon(async () => (await ask()).status === 401, 'the revoked key is refused');
  assertError(await ask(), 'unauthorized');
  await answers(() => summary(app), 200);
});

test('app update: name and origins count at once', async () => {
  const other = 'https://other.example';
  await answers(() => askChallenge(other), 403);
  await json(['app', 'update', app.id, '--name', 'Shop two', '--origin', other], env);
  assert.is((await summary(app)).json.name, 'Shop two');
  await answers(() => askChallenge(other), 200);
  await answers(() => askChallenge(app.origin), 403);
  await json(['app', 'update', app.id, '--origin', app.origin], env, within);
  await answers(() => askChallenge(other), 403);
});

test('app delete: its keys are 401, its tokens invalid, its gallery gone; other apps lose nothing', async () => {
  const doomed = await newApp(env, 'Doomed');
  const gone = await enrolled(run, doomed, { mode: 'live' });
  const kept = await enrolled(run, app, { mode: 'live' });
  const rows = (table: string) => {
    const reader = new Database(`${env.DATA_DIR}/face-sign-in.db`, { readonly: true });
    const count = reader
      .prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE app_id = ?`)
      .get(doomed.id) as Json;
    reader.close();
    return count.n as number;
  };
  const tables = ['users', 'templates', 'galleries', 'api_keys'];
  for (const table of tables) assert.ok(rows(table) > 0, `${table} before`);

  assert.equal(await json(['app', 'delete', doomed.id, '--yes'], env), { deleted: true });
  assertError(await summary(doomed), 'unauthorized');
  assertError(await call(run, 'POST', '/v1/challenges', { headers: browser(doomed) }), 'unauthorized');
  for (const table of tables) assert.is(rows(table), 0, `${table} after`);

  assert.equal((await verify(run, app, gone.token)).json, { valid: false, reason: 'invalid' });
  assert.is((await verify(run, app, kept.token)).json.valid, true);
  assert.is((await match(run, app)).json.user.id, kept.user.id);
});

test('signing-key list: the fields of the contract, and people see them too', async () => {
  const { keys } = await json(['signing-key', 'list'], env);
  assertLike({ keys }, { keys: [{ kid: /^[\w-]{43}$/, status: 'current', created_at: ISO }] });
  assert.match(await text(['signing-key', 'list'], env), new RegExp(`${keys[0].kid} +current`));
});

const statuses = async () =>
  Object.fromEntries(
    (await json(['signing-key', 'list'], env, within)).keys.map(({ kid, status }: Json) => [kid, status]),
  );
const signedNow = async (person: number) => {
  const { token } = await enrolled(run, app, { descriptors: [faces.genuine(person)] });
  return { token, kid: decoded(token).header.kid as string };
};

test('signing-key rotate --now: the set has both keys at once, and the new one signs', async () => {
  const before = await signedNow(1);
  const answer = await json(['signing-key', 'rotate', '--now'], env);
  assertLike(answer, { kid: /^[\w-]{43}$/ });
  const set = await jwks();
  assert.equal(set.map(({ kid }) => kid).sort(), [before.kid, answer.kid].sort());
  for (const key of set) {
    assert.is(await calculateJwkThumbprint(key), key.kid, 'kid is the thumbprint');
    assert.is(key.d, undefined, 'no private member');
  }
  assert.equal(await statuses(), { [before.kid]: 'previous', [answer.kid]: 'current' });
  assert.is((await signedNow(2)).kid, answer.kid);
  assert.is((await verify(run, app, before.token)).json.valid, true, 'tokens of the previous key stay valid');
});

test.run();
