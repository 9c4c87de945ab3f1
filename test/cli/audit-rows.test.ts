/** What commands change stands in the audit log: the command, the user of the system, and no person in clear. */

import { cpSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { enrolled, type Json } from '../support/client.ts';
import { addOperator } from '../support/operator.ts';
import { json, madeDataDir, newDataDir, within } from '../support/process.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: audit rows');
const run = serviceFor(test);
const folder = await madeDataDir();
const env = { DATA_DIR: folder };
const path = join(folder, 'face-sign-in.db');
const ask = (...args: string[]): Promise<Json> => json(args, env, within);

function rows(of = path): Record<string, string | null>[] {
  const file = new Database(of, { readonly: true });
  try {
    return file
      .prepare(
        'SELECT action, target, app_id, actor, actor_id, ip, session, outcome FROM audit_log ORDER BY seq',
      )
      .all() as Record<string, string | null>[];
  } finally {
    file.close();
  }
}

const actor = `command line (${userInfo().username})`;
const row = (action: string, target: string | null, app: string | null = target) => ({
  ...{ action, target, app_id: app, actor, actor_id: null, ip: null, session: null, outcome: 'ok' },
});

test('each command that changes something has one row, again where nothing is left to change; reading has none', async () => {
  const { id } = (await ask('app', 'create', '--name', 'Shop')).app;
  const { id: key } = await ask(
    'key',
    'create',
    '--app',
    id,
    '--type',
    'secret',
    '--mode',
    'test',
    '--label',
    'Till',
  );
  const { id: next } = await ask('key', 'roll', key, '--ends-in', '1h');
  assert.equal(rows(), [row('app.create', id), row('key.create', key, id), row('key.roll', key, id)]);
  await addOperator(env, 'ada@example.com', true);
  const eva = await addOperator(env, 'eva@example.com');
  const encoder = ['--app', id, '--mode', 'live'];
  const events = ['--app', id, '--mode', 'test'];
  const made = await ask('webhook', 'create', ...events, '--url', 'http://127.0.0.1:9/hooks');
  const hook: string = made.webhook.id;
  assert.equal(rows().at(-1), row('webhook.create', hook, id));
  const twice: readonly [string[], ReturnType<typeof row>][] = [
    [['app', 'update', id, '--name', 'Store'], row('app.update', id)],
    [['app', 'add-origin', id, 'https://shop.example'], row('app.origins.add', id)],
    [['key', 'revoke', next], row('key.revoke', next, id)],
    [['webhook', 'update', hook, '--disable'], row('webhook.update', hook, id)],
    [['webhook', 'update', hook, '--enable'], row('webhook.update', hook, id)],
    [['webhook', 'roll', hook], row('webhook.roll', hook, id)],
    [['webhook', 'replay', hook, '--since', '1h'], row('webhook.replay', hook, id)],
    [['app', 'encoder', 'set', ...encoder, '--encoder', 'one-1'], row('app.encoder.set', id)],
    [['app', 'encoder', 'reset', ...encoder, '--yes'], row('app.encoder.reset', id)],
    [['app', 'rekey', '--app', id], row('app.rekey', id)],
    [['app', 'rekey', '--all'], row('app.rekey', null)],
    [['job', 'run', 'events'], row('job.run', 'events', null)],
    [['clock', 'accept'], row('clock.accept', null)],
    [['operator', 'disable', 'eva@example.com'], row('operator.disable', eva, null)],
    [['operator', 'enable', 'eva@example.com'], row('operator.enable', eva, null)],
  ];
  const added = async (...args: string[]) => {
    const before = rows().length;
    await ask(...args);
    return rows().slice(before);
  };
  for (const [args, wanted] of twice)
    for (const time of ['once', 'again'])
      assert.equal(await added(...args), [wanted], `${args.join(' ')}, ${time}`);
  for (const reading of [
    ['app', 'list'],
    ['app', 'show', id],
    ['key', 'list', '--app', id],
    ['webhook', 'list', ...events],
    ['stats'],
  ])
    assert.equal(await added(...reading), []);
  for (const name of ['Tills', 'Tills'])
    assert.equal(
      (await added('team', 'create', '--name', name)).map(({ action, outcome }) => [action, outcome]),
      [['team.create', 'ok']],
    );
  assert.is((await within(['webhook', 'test', hook, '--json'], env)).code, 1, 'nobody listens there');
  assert.equal(rows().at(-1), row('webhook.test', hook, id));
  assert.equal(await added('webhook', 'delete', hook, '--yes'), [row('webhook.delete', hook, id)]);
  assert.equal(await added('app', 'remove-origin', id, 'https://shop.example'), [
    row('app.origins.remove', id),
  ]);
  assert.equal(await added('signing-key', 'rotate', '--revoke-old'), [row('signing-key.rotate', null)]);
  assert.equal(await added('app', 'delete', id, '--yes'), [row('app.delete', id)]);
});

test('a refused command has no row', async () => {
  const { id } = (await ask('app', 'create', '--name', 'Shop')).app;
  const before = rows().length;
  await within(['app', 'remove-origin', id, 'https://other.example', '--json'], env);
  await within(['app', 'update', 'app_none', '--name', 'x', '--json'], env);
  await within(['app', 'create', '--name', 'x', '--plan', 'none', '--json'], env);
  await within(['key', 'revoke', 'key_none', '--json'], env);
  assert.is(rows().length, before);
});

test('the second app of a team, and moves between teams', async () => {
  const file = new Database(path);
  file.exec("INSERT INTO teams (id, name, created_at) VALUES ('team_b', 'B', 0)");
  const { id } = (await ask('app', 'create', '--name', 'Team', '--team', 'team_b')).app;
  const teamOf = () => file.prepare('SELECT team_id FROM apps WHERE id = ?').pluck().get(id);
  assert.is(teamOf(), 'team_b');
  await ask('app', 'update', id, '--team', 'team_000000000000000000000000');
  assert.is(teamOf(), 'team_000000000000000000000000');
  const refused = await within(['app', 'update', id, '--team', 'team_none', '--json'], env);
  assert.is(refused.code, 1);
  assert.match(refused.stderr, /there is no team/);
  file.close();
});

test('a restore, and each change of the master secret, wherever it is kept', async () => {
  const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
  const first = { MASTER_SECRET: secret(1) };
  const second = { NEW_MASTER_SECRET: secret(2) };
  const inFile = await madeDataDir();
  const ran = async (args: string[], own: Record<string, string>) => json(args, own, within);
  await ran(['master-secret', 'rotate', '--yes'], { DATA_DIR: inFile });
  await ran(['master-secret', 'destroy-old', '--yes'], { DATA_DIR: inFile });
  const fromFile = ['master-secret.rotate', 'master-secret.destroy-old'];
  const actions = (of: string) => rows(join(of, 'face-sign-in.db')).map(({ action }) => action);
  assert.equal(actions(inFile), fromFile);

  const copy = join(inFile, 'copy.db');
  await ran(['backup', copy], { DATA_DIR: inFile });
  const restored = newDataDir();
  cpSync(join(inFile, 'master.key'), join(restored, 'master.key'));
  await ran(['restore', copy], { DATA_DIR: restored });
  assert.equal(actions(restored), [...fromFile, 'restore']);

  const inEnvironment = await madeDataDir(first);
  await ran(['master-secret', 'rotate', '--yes'], { DATA_DIR: inEnvironment, ...first, ...second });
  assert.equal(actions(inEnvironment), ['master-secret.rotate']);
});

test('users stand there as keyed hashes: exported, erased', async () => {
  const shop = await run.createApp();
  const { user } = await enrolled(run, shop);
  await run.cli(['user', 'export', user.id]);
  await run.cli(['user', 'delete', user.id, '--yes']);
  const all = run.rows('SELECT * FROM audit_log ORDER BY seq');
  const [exported, erased] = all.slice(-2);
  assert.equal([exported.action, erased.action], ['person.export', 'person.erase']);
  assert.is(exported.target, erased.target, 'one hash for one user');
  assert.equal([exported.app_id, erased.app_id], [shop.id, shop.id]);
  for (const personal of [user.id, user.email]) assert.not.ok(JSON.stringify(all).includes(personal));
});

test('doctor verifies the log, and names the first entry that somebody has changed', async () => {
  const audit = async () => {
    const ran = await within(['doctor', '--json'], env);
    return JSON.parse(ran.stdout).checks.find(({ name }: Json) => name === 'audit log');
  };
  assert.match((await audit()).detail, /^\d+ entries, each follows from the one before$/);
  const file = new Database(path);
  const trigger = file
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'audit_log_never_changes'")
    .pluck()
    .get();
  file.exec('DROP TRIGGER audit_log_never_changes');
  file.exec("UPDATE audit_log SET actor = 'somebody else' WHERE seq = 3");
  file.exec(String(trigger));
  file.close();
  const { ok, detail } = await audit();
  assert.is(ok, false);
  assert.match(detail, /^entry 3 was changed or added outside the service: /);
});

test.run();
