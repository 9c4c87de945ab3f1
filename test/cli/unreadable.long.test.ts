/**
 * Rows that do not open, as an editor of the database or a failing disk leaves them: they are left out, everybody else signs
 * in, and operators are told by doctor, log, health and figures.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { call, enrolled, faces, type Json, match } from '../support/client.ts';
import { type Env, madeDataDir, serve, tempFolder, within } from '../support/process.ts';
import { parseMetrics } from '../support/prometheus.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { databaseOf } from './sealed-folder.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: unreadable rows');
const OPEN = { LIMIT_IP_PER_MINUTE: '0', LIMIT_FAILED_MATCHES: '0' };
const MESSAGE = 'templates do not open and are left out: run doctor';

interface Given {
  readonly settings: Env & { DATA_DIR: string };
  readonly shop: TestApp;
  /** Ids of people 0 to 3. */
  readonly people: string[];
}

/** A folder with four people, altered while nobody works with it. */
async function altered(change: (database: Database.Database, given: Given) => void): Promise<Given> {
  const settings = { DATA_DIR: await madeDataDir(), ...OPEN };
  const service = await serve(settings);
  const run = { base: service.base } as Running;
  const shop = await newApp(settings, 'Shop');
  const people: string[] = [];
  for (let i = 0; i < 4; i++)
    people.push((await enrolled(run, shop, { descriptors: [faces.genuine(i)] })).user.id);
  await service.stop();
  const given = { settings, shop, people };
  const database = new Database(databaseOf(settings.DATA_DIR));
  change(database, given);
  database.close();
  return given;
}

const answers = async (run: Running, shop: TestApp) => {
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await match(run, shop, { descriptors: [faces.genuine(i, 1)] })).status);
  return statuses;
};

async function stateOf(settings: Env, portal: string) {
  const health = (await (await fetch(`${portal}/health`)).json()) as Json;
  const figures = parseMetrics(await (await fetch(`${portal}/metrics`)).text()).series;
  const doctor = JSON.parse((await within(['doctor', '--json'], settings)).stdout);
  return {
    status: health.status,
    problems: health.problems.filter(({ name }: Json) => name === 'unreadable'),
    figures,
    sealed: doctor.checks.find(({ name }: Json) => name === 'sealed rows'),
  };
}

test('templates that were changed or moved are left out, and everybody else signs in', async () => {
  const { settings, shop, people } = await altered((database, { people: [, changed, moved, onto] }) => {
    database.pragma('foreign_keys = OFF');
    const [bytes] = database
      .prepare('SELECT sealed FROM templates WHERE user_id = ?')
      .pluck()
      .all(changed) as [Buffer];
    bytes[60] = (bytes[60] as number) ^ 1;
    database.prepare('UPDATE templates SET sealed = ? WHERE user_id = ?').run(bytes, changed);
    database.prepare('UPDATE templates SET user_id = ? WHERE user_id = ?').run(onto, moved);
  });
  const service = await serve(settings);
  const run = { base: service.base } as Running;
  assert.equal(await answers(run, shop), [200, 401, 401, 200]);
  const { status, problems, figures, sealed } = await stateOf(settings, service.portal);
  assert.is(status, 'degraded');
  assert.match(problems[0].message, new RegExp(`^2 templates cannot be decrypted.*${shop.id} \\(live\\)`));
  assert.match(problems[0].fix, /doctor/);
  assert.is(figures.get('face_sign_in_templates_unreadable{}'), 2);
  assert.is(figures.get('face_sign_in_problem{name="unreadable"}'), 1);
  assert.is(sealed.ok, false);
  assert.match(sealed.detail, /^2 of 4 templates cannot be decrypted: /);

  // Who is erased is not told of any more; and the gallery goes on taking changes.
  await enrolled(run, shop, { descriptors: [faces.genuine(9)] });
  for (const id of people.slice(1, 4))
    await call(run, 'DELETE', `/v1/users/${id}`, { headers: { authorization: `Bearer ${shop.live.sk}` } });
  assert.equal(await answers(run, shop), [200, 401, 401, 401]);
  const after = await stateOf(settings, service.portal);
  assert.equal([after.status, after.problems, after.sealed.ok], ['ok', [], true]);
  const { stdout } = await service.stop();
  const lines = stdout.split('\n').filter(line => line.includes(MESSAGE));
  assert.is(lines.length, 1, 'once for the load, not for every row or request');
  assert.equal(JSON.parse(lines[0] as string).templates, 2);
});

test('without its app’s key no template opens, nor with one that was planted; the service goes on', async () => {
  for (const change of [
    "UPDATE data_keys SET wrapped = zeroblob(61) WHERE owner LIKE 'app_%'",
    "UPDATE templates SET sealed = x'02' || zeroblob(100)",
  ]) {
    const { settings, shop } = await altered(database => void database.exec(change));
    const service = await serve(settings);
    const run = { base: service.base } as Running;
    assert.equal(await answers(run, shop), [401, 401, 401, 401], change);
    const { problems, sealed } = await stateOf(settings, service.portal);
    assert.match(problems[0].message, /^4 templates/, change);
    assert.match(sealed.detail, /4 of 4 templates cannot be decrypted/, change);
    await service.stop();
  }
});

test('signing keys that do not open are left out; where none is left, another one is made', async () => {
  const plant =
    "INSERT INTO signing_keys (kid, sealed, created_at, signs_at) VALUES ('planted', x'0201', 1, 1)";
  for (const [change, count] of [
    [plant, 1],
    ["UPDATE signing_keys SET sealed = x'02' || zeroblob(200)", 1],
  ] as const) {
    const { settings, shop } = await altered(database => void database.exec(change));
    const service = await serve(settings);
    const run = { base: service.base } as Running;
    assert.equal(await answers(run, shop), [200, 200, 200, 200], change);
    const { keys } = (await call(run, 'GET', '/.well-known/jwks.json')).json;
    assert.is(keys.length, 1);
    const { status, problems, figures, sealed } = await stateOf(settings, service.portal);
    assert.is(status, 'degraded', change);
    assert.match(problems[0].message, /^A signing key cannot be decrypted/, change);
    assert.is(figures.get('face_sign_in_signing_keys_unreadable{}'), count);
    assert.match(sealed.detail, /1 of \d signing keys? cannot be decrypted/, change);
    assert.is((await within(['signing-key', 'rotate', '--revoke-old'], settings)).code, 0);
    assert.equal((await stateOf(settings, service.portal)).status, 'ok', 'as it says');
    const { stdout } = await service.stop();
    assert.match(stdout, /signing keys do not open and are left out/);
  }
});

test('an API key that somebody else has put there is reported by doctor', async () => {
  const { settings } = await altered((database, { shop }) =>
    database.exec(
      `INSERT INTO api_keys (id, app_id, type, mode, hash, mac, last4, created_at) VALUES ('key_x', '${shop.id}', 'secret', 'live', 'h', '', 'xxxx', 1)`,
    ),
  );
  const doctor = JSON.parse((await within(['doctor', '--json'], settings)).stdout);
  const sealed = doctor.checks.find(({ name }: Json) => name === 'sealed rows');
  assert.match(sealed.detail, /1 API key was not created by the service/);
});

test('an export leaves out what was altered, says so, and comes in elsewhere', async () => {
  const { settings, shop, people } = await altered((database, { people: [one, two] }) => {
    database.prepare('UPDATE users SET sealed = ? WHERE id = ?').run(Buffer.alloc(60), one);
    const sealed = database
      .prepare('SELECT sealed FROM templates WHERE user_id = ?')
      .pluck()
      .get(two) as Buffer;
    sealed[60] = (sealed[60] as number) ^ 1;
    database.prepare('UPDATE templates SET sealed = ? WHERE user_id = ?').run(sealed, two);
  });
  const file = join(tempFolder(), 'shop.export');
  const passphrase = { EXPORT_PASSPHRASE: 'correct horse battery staple' };
  const out = await within(['app', 'export', shop.id, file, '--events', '--json'], {
    ...settings,
    ...passphrase,
  });
  assert.is(out.code, 0, out.stderr);
  const { users, templates, unreadable, altered: left } = JSON.parse(out.stdout);
  assert.equal([users, templates, unreadable, left], [3, 2, 1, 1]);
  assert.match(
    out.stderr,
    /not in the file: 1 template that cannot be decrypted, 1 user whose stored fields were altered/,
  );
  const there = { DATA_DIR: await madeDataDir() };
  const back = await within(['app', 'import', file, '--json'], { ...there, ...passphrase });
  assert.is(back.code, 0, back.stderr);
  const listed = JSON.parse((await within(['user', 'list', '--app', shop.id, '--json'], there)).stdout);
  assert.equal(listed.users.map(({ id }: Json) => id).sort(), people.slice(1).sort());
});

test('what was put into rows of users is reported by doctor', async () => {
  const { settings } = await altered((database, { people: [, one, two, three] }) => {
    const change = database.prepare('UPDATE users SET email_hash = ? WHERE id = ?');
    change.run('hash of an attacker', one);
    change.run('another hash', two);
    for (const table of ['consents', 'auth_events'])
      database.prepare(`UPDATE ${table} SET sealed = ? WHERE user_id = ?`).run(Buffer.alloc(60), one);
    database.prepare('UPDATE users SET sealed = ? WHERE id = ?').run(Buffer.alloc(60), three);
  });
  const doctor = JSON.parse((await within(['doctor', '--json'], settings)).stdout);
  const { ok, detail } = doctor.checks.find(({ name }: Json) => name === 'sealed rows');
  assert.is(ok, false);
  assert.match(detail, /^1 of 4 users cannot be decrypted, 1 of 4 consents cannot be decrypted, /);
  assert.match(
    detail,
    /1 of \d+ events cannot be decrypted, 2 users have an address that the service did not /,
  );
  assert.not.match(detail, /@/);
});

test.run();
