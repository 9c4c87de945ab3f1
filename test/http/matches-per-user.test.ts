/**
 * Successful matches of one user: 60 an hour. Every one says how near a face is, so enough of them rebuild a template.
 * Fails when more get through, when others are counted, or when a restart forgets.
 */
import * as assert from 'uvu/assert';
import { assertError, challenges, enrolled, faces, match, tally, usage } from '../support/client.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('matches-per-user');
/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const run = serviceFor(test, {
  env: { LIMIT_MATCHES_PER_USER: builtIn, BASE_URL: 'https://id.example.com' },
});

for (const mode of ['live', 'test'] as const)
  test(`a burst of 600 matches of one user signs in 60, then 429 until the hour's end (${mode})`, async () => {
    const app = await run.createApp({ plan: 'unlimited' });
    const { user } = await enrolled(run, app, { mode, descriptors: [faces.genuine(0)] });
    const other = await enrolled(run, app, { mode, descriptors: [faces.genuine(1)] });
    const before = usage(run, app, mode);
    const ids = await challenges(run, app, 600, mode);
    const answers = await Promise.all(ids.map(challengeId => match(run, app, { mode, challengeId })));
    assert.equal(tally(answers), { 200: 60, '429 rate_limited': 540 });
    const after = usage(run, app, mode);
    assert.equal(
      [after.matches_ok - before.matches_ok, after.matches_failed - before.matches_failed],
      [60, 0],
    );
    run.clock.advance(1_800_000);
    await run.restart();
    const refused = await match(run, app, { mode });
    assertError(refused, 429, 'rate_limited', 'after a restart');
    assert.is(refused.headers['retry-after'], '1800');
    const third = await match(run, app, { mode, descriptors: [faces.genuine(1)] });
    assert.is(third.json.user?.id, other.user.id, 'somebody else');
    const events = run.rows(
      'SELECT COUNT(*) AS n FROM auth_events WHERE user_id = ? AND type = ?',
      user.id,
      'match_limited',
    );
    assert.is(events[0].n, 541);
    run.clock.advance(1_800_000);
    assert.is((await match(run, app, { mode })).json.user?.id, user.id, 'the next hour');
  });

test('0 switches the limit off', async () => {
  const own = await startService({ env: { LIMIT_MATCHES_PER_USER: '0' } });
  try {
    const app = await own.createApp();
    await enrolled(own, app);
    const ids = await challenges(own, app, 70);
    const answers = await Promise.all(ids.map(challengeId => match(own, app, { challengeId })));
    assert.equal(tally(answers), { 200: 70 });
  } finally {
    await own.close();
  }
});

test.run();
