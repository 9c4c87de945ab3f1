/** What doctor says of sizes and counts, how it searches large files, and what is a warning and no failure. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { searchFile } from '../../src/cli/doctor/erasure.ts';
import type { Json } from '../support/client.ts';
import { json, madeDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor sizes');

test('every size has a unit in which it is not zero, and counts have the right noun', async () => {
  const { code, stdout } = await within(['doctor'], { DATA_DIR: await madeDataDir() });
  assert.is(code, 0, stdout);
  assert.match(stdout, /\.db, [1-9][\d.]* KB, schema version/);
  assert.match(stdout, /readable by this user only, [1-9][\d.]* (?:MB|GB|TB) left/);
  assert.match(stdout, /0 templates, personal fields and all keys can be decrypted/);
});

const GONE = 'usr_000000000000000000000000';

test('a text across two pieces of a large file is found once', () => {
  const file = join(tempFolder(), 'large');
  const piece = 8 * 1024 * 1024;
  const bytes = Buffer.alloc(2 * piece + 5_000, 'x');
  for (const at of [0, piece - 10, 2 * piece - 27, 2 * piece + 4_000]) bytes.write(GONE, at);
  writeFileSync(file, bytes);
  assert.equal(searchFile(file, GONE), {
    file,
    bytes: bytes.length,
    found: [0, piece - 10, 2 * piece - 27, 2 * piece + 4_000],
  });
  assert.is(searchFile(`${file}-gone`, GONE), null);
});

test('a threshold above the default is a warning, and no failure', async () => {
  const settings = { DATA_DIR: await madeDataDir(), MATCH_THRESHOLD: '0.5' };
  await json(['app', 'create', '--name', 'Shop'], settings, within);
  const ran = await within(['doctor', '--json'], settings);
  const { ok, checks } = JSON.parse(ran.stdout);
  assert.equal([ran.code, ok], [0, true]);
  const [check, ...others] = checks.filter(({ warning }: Json) => warning);
  assert.equal(others, []);
  assert.equal([check.name, check.ok], ['threshold', true]);
  assert.match(
    check.detail,
    /^MATCH_THRESHOLD is 0\.5, above the default 0\.35.*Set MATCH_THRESHOLD to 0\.35/,
  );
  assert.match((await within(['doctor'], settings)).stdout, /^warning +threshold +MATCH_THRESHOLD is 0\.5/m);
});

test('apps that have more users in live mode than the threshold carries: one warning, without a running server', async () => {
  const settings = { DATA_DIR: await madeDataDir() };
  const apps = [];
  for (const name of ['Shop', 'Club', 'Bank', 'Own'])
    apps.push((await json(['app', 'create', '--name', name], settings, within)).app.id);
  const [shop, club, bank, own] = apps;
  await json(
    ['app', 'encoder', 'set', '--app', own, '--mode', 'live', '--encoder', 'network-1'],
    settings,
    within,
  );
  const database = new Database(join(settings.DATA_DIR, 'face-sign-in.db'));
  const add = database.prepare(
    `INSERT INTO users (id, app_id, mode, email_hash, sealed, email_verified, created_at) VALUES (?, ?, ?, ?, x'00', 0, 0)`,
  );
  const fill = (app: string, mode: string, users: number) => {
    for (let n = 0; n < users; n++) add.run(`usr_${app}${mode}${n}`, app, mode, `${n}`);
  };
  for (const [app, mode, users] of [
    [shop, 'live', 100],
    [club, 'live', 101],
    [bank, 'test', 300],
    [own, 'live', 300],
  ] as const)
    fill(app, mode, users);
  database.close();
  const sizes = async (more = {}) => {
    const { stdout } = await within(['doctor', '--json'], { ...settings, ...more });
    return JSON.parse(stdout).checks.filter(({ name }: Json) => name === 'app sizes');
  };
  const [check] = await sizes();
  assert.equal([check.ok, check.warning], [true, true]);
  assert.match(
    check.detail,
    new RegExp(
      `^More users than MATCH_THRESHOLD is for: ${club} has 101; 0\\.35 carries 100\\. .*Set MATCH_THRESHOLD to 0\\.32`,
    ),
  );
  assert.equal(await sizes({ MATCH_THRESHOLD: '0.32' }), []);
});

test.run();
