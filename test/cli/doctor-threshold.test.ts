/** `doctor` warns of a threshold that encoders are not made for: a warning is shown, and is no failure. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor, threshold');

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
