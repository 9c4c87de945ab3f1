/** Counts, distances, scores and refusals of an app and mode through the internal API. */
import * as assert from 'uvu/assert';
import { DAY } from '../../../src/protocol/limits.ts';
import { utcDay } from '../../../src/protocol/time.ts';
import { assertError, browser, call, enrolled, faces, match } from '../../support/client.ts';
import { addUsers } from '../../support/many-users.ts';
import { ask, operatorsFor, type Session } from '../../support/portal.ts';
import { appFor, serviceFor } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';

const test = suite('internal: numbers');
const run = serviceFor(test);
const operators = operatorsFor(test, run);
const app = appFor(test, run);
let admin: Session;
test.before(async () => {
  admin = await operators.create({ isAdmin: true });
  await enrolled(run, app);
  for (let i = 0; i < 3; i++) await match(run, app, { descriptors: [faces.genuine(0, i)] });
});

const get = async (path: string) => {
  const answer = await ask(run, 'GET', `/apps/${app.id}/${path}`, { as: admin });
  assert.is(answer.status, 200, answer.text);
  return answer.json;
};

test('days are counted by type, without gaps', async () => {
  const { days } = await get('live/days');
  assert.is(days.length, 30);
  assert.equal(days.at(-1), { day: utcDay(run.clock.now()), counts: { enroll: 1, match: 3 } });
  assert.equal(days[0].counts, {});
  assert.equal((await get('test/days')).days.at(-1).counts, {});
  const today = utcDay(run.clock.now());
  assert.equal((await get(`live/days?from=${today}&to=${today}`)).days.length, 1);
  assert.is((await get(`live/days?from=${utcDay(run.clock.now() - 399 * DAY)}`)).days.length, 400);
  assert.is((await get('live/days?last=400')).days.length, 400);
  assert.equal((await get(`live/days?last=2&to=${today}`)).days, days.slice(-2));
  for (const query of [
    'last=401',
    'last=0',
    `from=${utcDay(run.clock.now() - 400 * DAY)}`,
    `from=${today}&to=2026-01-01`,
    'from=today',
  ])
    assertError(
      await ask(run, 'GET', `/apps/${app.id}/live/days?${query}`, { as: admin }),
      'invalid_request',
    );
});

test('usage has a row a month, newest first', async () => {
  const { usage } = await get('live/usage?months=2');
  assert.equal(
    usage.map(({ month, auths }: { month: string; auths: number }) => [month, auths]),
    [
      ['2026-03', 4],
      ['2026-02', 0],
    ],
  );
  assert.is((await get('live/usage')).usage.length, 12);
  assertError(
    await ask(run, 'GET', `/apps/${app.id}/live/usage?months=25`, { as: admin }),
    'invalid_request',
  );
});

test('distances of a day show once it is over, and never fewer than 20 of a kind', async () => {
  assert.equal((await get('live/distances')).days, []);
  for (let i = 0; i < 30; i++) await match(run, app, { descriptors: [faces.genuine(0, 1)] });
  run.clock.advance(DAY);
  admin = await operators.create({ isAdmin: true });
  const { bin_width, threshold, days } = await get('live/distances');
  assert.equal([bin_width, threshold], [0.02, 0.35]);
  assert.is(days.length, 1);
  assert.ok(days[0].count >= 30);
});

test('scores say when there is nothing to judge by', async () => {
  const scores = await get('live/scores');
  assert.equal([scores.state, scores.estimate, scores.advice], ['unknown', null, []]);
});

test('what its size asks for: counted now, in live mode, by the table for the encoder of the SDK', async () => {
  const size = async () => (await get('live/scores')).size;
  const { table, ...few } = await size();
  assert.equal(few, { state: 'fits', users: 1, encoder: null, carries: 100, asks: 0.35, fpir: 0.003 });
  assert.equal(table, [
    { threshold: 0.35, users: 100, costs: null },
    { threshold: 0.32, users: 600, costs: [0.5, 1] },
    { threshold: 0.3, users: 1_700, costs: [1, 3] },
  ]);
  const seen = [];
  for (const more of [99, 1, 500, 1_100]) {
    addUsers(run, app, more);
    const { users, state, asks } = await size();
    seen.push([users, state, asks]);
  }
  assert.equal(seen, [
    [100, 'fits', 0.35],
    [101, 'outgrown', 0.32],
    [601, 'outgrown', 0.3],
    [1_701, 'outgrown', null],
  ]);
  await run.cli([
    'app',
    'encoder',
    'reset',
    '--app',
    app.id,
    '--mode',
    'live',
    '--encoder',
    'network-1',
    '--yes',
  ]);
  const { state, encoder } = await size();
  assert.equal([state, encoder], ['other_encoder', 'network-1']);
  assert.is((await get('test/scores')).size, null);
});

test('what the API refused is listed by code, with the Origin only if that was the reason', async () => {
  const origin = 'https://"><script>evil.example';
  await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'live', 'https://evil.example') });
  await call(run, 'POST', '/v1/challenges', { headers: { ...browser(app), origin } });
  await match(run, app, { descriptors: [faces.genuine(5)] });
  const { refusals } = await get('live/refusals');
  assert.equal(
    refusals.map((one: { code: string; origin: string | null }) => [one.code, one.origin]),
    [
      ['no_match', null],
      ['origin_not_allowed', origin],
      ['origin_not_allowed', 'https://evil.example'],
    ],
  );
  assert.equal((await get('test/refusals')).refusals, []);
});

test('the last 200 refusals are kept', async () => {
  for (let i = 0; i < 210; i++)
    await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'test', `https://evil${i}.example`) });
  const { refusals } = await get('test/refusals');
  assert.is(refusals.length, 200);
  assert.is(refusals[0].origin, 'https://evil209.example');
});

test.run();
