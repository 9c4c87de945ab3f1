/** `key …`: shown once, listed by four characters, held to the plan's number, revoked once. */
import * as assert from 'uvu/assert';
import { type Json, planFile } from '../support/client.ts';
import { assertLike, assertRefused, cli, ISO, json, madeDataDir, text, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: keys');
const env = { DATA_DIR: await madeDataDir() };
const ID = /^key_[0-9A-Za-z]{24}$/;
const NO_ROOM = /no room for another (live|test) key.*--plan/;
let appId = '';
const made: Json[] = [];

const create = (type: string, mode: string, app = appId) => [
  'key',
  'create',
  '--app',
  app,
  '--type',
  type,
  '--mode',
  mode,
];
const list = (app = appId) => json(['key', 'list', '--app', app], env, within);

test.before(async () => {
  appId = (await json(['app', 'create', '--name', 'Keys'], env)).app.id;
});

test('key create answers the key in its format, and nothing besides the contract', async () => {
  const rows: [string, string, RegExp][] = [
    ['secret', 'live', /^svc_sk_live_[0-9A-Za-z]{32}$/],
    ['secret', 'test', /^svc_sk_test_[0-9A-Za-z]{32}$/],
    ['publishable', 'live', /^svc_pk_live_[0-9A-Za-z]{24}$/],
    ['publishable', 'test', /^svc_pk_test_[0-9A-Za-z]{24}$/],
  ];
  for (const [type, mode, key] of rows) {
    const answer = await json(create(type, mode), env);
    const last4 = answer.key.slice(-4);
    assertLike(answer, { id: ID, key, type, mode, app_id: appId, last4, created_at: ISO });
    made.push(answer);
  }
  assert.is(new Set(made.map(({ key }) => key)).size, 4);
});

test('key list has every field but the key', async () => {
  const keys = made.map(({ id, type, mode, last4, created_at }) => ({
    id,
    type,
    mode,
    last4,
    created_at,
    revoked_at: null,
  }));
  assert.equal(await list(), { keys });
  const printed = await text(['key', 'list', '--app', appId], env);
  for (const { id, key, last4 } of made) {
    assert.ok(printed.includes(id) && printed.includes(last4), printed);
    assert.not.ok(printed.includes(key), 'the key is shown once, at its making');
  }
});

test("beyond the plan's number: exit 1, for both types together and each mode by itself", async () => {
  for (const mode of ['live', 'test']) await json(create('publishable', mode), env, within);
  for (const type of ['secret', 'publishable'])
    for (const mode of ['live', 'test'])
      assertRefused(await within(create(type, mode), env), 1, NO_ROOM, `${type} ${mode}`);
  assertRefused(await cli([...create('secret', 'live'), '--json'], env), 1, NO_ROOM);
  assert.is((await list()).keys.length, 6);
});

test('revoking says so, keeps the time of the first, and makes room for another', async () => {
  const { id } = made[0];
  assert.equal(await json(['key', 'revoke', id], env), { revoked: true });
  const revoked = async () => (await list()).keys.filter((key: Json) => key.revoked_at !== null);
  const [first] = await revoked();
  assertLike(first, { ...first, id, revoked_at: ISO });
  assert.equal(await json(['key', 'revoke', id], env, within), { revoked: true });
  assert.equal(await revoked(), [first]);
  const printed = await text(create('secret', 'live'), env);
  assert.match(printed, /svc_sk_live_[0-9A-Za-z]{32}[\s\S]*not shown again/);
  assertRefused(await within(create('secret', 'live'), env), 1, NO_ROOM);
  assertRefused(await cli(['key', 'revoke', 'key_unknown', '--json'], env), 1, /no key "key_unknown"/);
});

test('a bigger plan makes room at once, and a smaller one takes no key away', async () => {
  await json(['app', 'update', appId, '--plan', 'standard'], env, within);
  await json(create('secret', 'live'), env, within);
  await json(['app', 'update', appId, '--plan', 'free'], env, within);
  assertRefused(await within(create('secret', 'live'), env), 1, NO_ROOM);
  assert.is((await list()).keys.filter((key: Json) => key.revoked_at === null).length, 7);
});

test('six commands at once make no more keys than the plan has', async () => {
  const app = (await json(['app', 'create', '--name', 'Race'], env, within)).app.id;
  const ran = await Promise.all(Array.from({ length: 6 }, () => cli(create('secret', 'test', app), env)));
  const refused = ran.filter(({ code }) => code !== 0);
  for (const one of refused) assertRefused(one, 1, NO_ROOM);
  assert.is(refused.length, 3);
  assert.is((await list(app)).keys.length, 3);
});

test("plans of one's own count as well", async () => {
  const own = { ...env, PLANS_FILE: planFile({ tiny: 5 }) };
  const { app } = await json(['app', 'create', '--name', 'Tiny', '--plan', 'tiny'], own, within);
  assert.is(app.plan, 'tiny');
  assertRefused(await within(['app', 'create', '--name', 'x', '--plan', 'standard'], own), 2, /tiny/);
});

test('the end of a key is shown as one to come, or as past', async () => {
  const { id: app } = (await json(['app', 'create', '--name', 'Ends'], env, within)).app;
  for (const endsIn of ['0', '1h']) {
    const { id } = await json(create('secret', 'test', app), env, within);
    await json(['key', 'roll', id, '--ends-in', endsIn], env, within);
  }
  const printed = await text(['key', 'list', '--app', app], env);
  for (const word of ['ended', 'ends'])
    assert.is(printed.match(new RegExp(` ${word} 20`, 'g'))?.length, 1, printed);
});

test.run();
