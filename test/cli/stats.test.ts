/** `stats`: the numbers of the API and of the rows, by app, mode, month and day. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { enrolled, faces, type Json, match, usage } from '../support/client.ts';
import { json, madeDataDir, text } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: stats');
const DAY = 86_400_000;

const run = serviceFor(test);
const shop = appFor(test, run, { name: 'Shop', plan: 'free' });
const bank = appFor(test, run, { name: 'Bank' });
test.before(async () => {
  const gone = await run.createApp({ name: 'Gone' });
  for (const i of [0, 1]) await enrolled(run, shop, { descriptors: [faces.genuine(i)] });
  await enrolled(run, shop, { mode: 'test', descriptors: [faces.genuine(2), faces.genuine(2, 1)] });
  await enrolled(run, gone, { descriptors: [faces.genuine(3)] });
  run.clock.advance(DAY);
  await match(run, shop, { descriptors: [faces.genuine(0, 1)] });
  await match(run, shop, { descriptors: [faces.stranger(0)] });
  await run.cli(['app', 'delete', gone.id, '--yes']);
});

const asked = async (...args: string[]) => (await run.cli(['stats', ...args])).json;
const counts = ({ auths, enrolls, matches_ok, matches_failed }: Json) => ({
  auths,
  enrolls,
  matches_ok,
  matches_failed,
});

test('each app has the numbers that its usage has, its users and templates, and the share of its plan', async () => {
  const { month, apps } = await asked();
  assert.is(month, '2026-03');
  assert.is(apps.length, 2);
  const [first, second] = [shop, bank].map(({ id }) => apps.find((app: Json) => app.id === id));
  for (const mode of ['live', 'test'] as const)
    assert.equal(counts(first[mode]), await usage(run, shop, mode), mode);
  assert.equal([first.live.users, first.live.templates], [2, 2]);
  assert.equal([first.test.users, first.test.templates], [1, 2]);
  assert.equal([first.plan, first.monthly_auths, first.plan_used_percent], ['free', 1_000, 0.4]);
  assert.equal([second.id, second.monthly_auths, second.plan_used_percent], [bank.id, null, null]);
});

test('the total counts erased apps too, and the size is that of the files', async () => {
  const { total, erased_apps, database } = await asked();
  assert.equal([total.apps, total.live.users, total.live.auths, total.test.auths], [2, 2, 5, 1]);
  assert.equal([erased_apps.live.auths, erased_apps.live.enrolls, erased_apps.live.users], [1, 1, 0]);
  assert.is(database.file, join(run.dataDir, 'face-sign-in.db'));
  assert.ok(database.bytes >= statSync(database.file).size);
});

test('one app, another month, some days', async () => {
  const one = await asked('--app', shop.id);
  assert.equal([one.apps.length, one.total.live.auths, one.erased_apps], [1, 4, null]);
  const before = await asked('--month', '2026-02');
  assert.equal([before.total.live.auths, before.total.live.users], [0, 2]);
  const live = { mode: 'live', count: 1 };
  const today = [
    { day: '2026-03-16', ...live, type: 'match' },
    { day: '2026-03-16', ...live, type: 'match_failed' },
  ];
  assert.equal((await asked('--app', shop.id, '--days', '1')).days, today);
  const two = (await asked('--app', shop.id, '--days', '2')).days;
  assert.equal(two.slice(-2), today);
  assert.equal(two[0], { day: '2026-03-15', mode: 'live', type: 'enroll', count: 2 });
});

test('people read a line for each app and mode, a total, and the use of the plan', async () => {
  const printed = await text(['stats', '--month', '2026-03', '--days', '400'], { DATA_DIR: run.dataDir });
  assert.match(printed, /^2026-03 \(UTC\)\. Apps: 2\. Database: [\d.]+ [KM]B\.\n/);
  assert.match(printed, new RegExp(`^Shop +${shop.id} +live +2 +2 +4 +2 +1 +1 +0 % of free$`, 'm'));
  assert.match(printed, /^Total +live +2 +2 +5 +3 +1 +1$/m);
  assert.match(printed, /^2026-03-16 +live +match_failed +1$/m);
});

test('an installation without apps tells what to do', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  const app = await newApp(env, 'Only');
  await json(['app', 'delete', app.id, '--yes'], env);
  assert.match(await text(['stats'], env), /no apps yet: create one with "app create --name N"/);
});

test.run();
