/**
 * A match without a good challenge is refused before anything is searched: searches are counted, because the time of one
 * tells what it found. Fails when a challenge that is unknown, used, expired or somebody else's still costs a search, or
 * when the look ahead lets two calls with one challenge through.
 */
import * as assert from 'uvu/assert';
import { assertError, challenge, enrolled, faces, match, tally } from '../support/client.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('match: challenge first');
const run = serviceFor(test);
/** Its figures are those of all searches. */
const alone = serviceFor(test, { isAlone: true });

/** Searches that have ended since the start; those of a call have ended when it is answered. */
async function searches(): Promise<number> {
  const { series } = parseMetrics(await (await fetch(`${alone.portal}/metrics`)).text());
  return series.get('face_sign_in_match_search_duration_seconds_count{}') ?? 0;
}

for (const mode of ['live', 'test'] as const)
  test(`no search without a good challenge, for a known face and for a stranger's (${mode})`, async () => {
    const app = await alone.createApp();
    await enrolled(alone, app, { mode });
    const fresh = async (of = app, its = mode as 'live' | 'test') =>
      (await challenge(alone, of, its)).challenge_id as string;
    const used = await fresh();
    assert.is((await match(alone, app, { mode, challengeId: used })).status, 200);
    const late = await fresh();
    alone.clock.advance(60_000);
    const elsewhere = await alone.createApp();
    const bad = {
      unknown: `ch_${'A'.repeat(24)}`,
      malformed: 'none',
      used,
      expired: late,
      'of another app': await fresh(elsewhere),
      'of the other mode': await fresh(app, mode === 'live' ? 'test' : 'live'),
    };
    const before = await searches();
    for (const [name, challengeId] of Object.entries(bad))
      for (const descriptors of [[faces.genuine(0)], [faces.stranger(1)], [faces.atDistance(0, 0.37)]])
        assertError(await match(alone, app, { mode, challengeId, descriptors }), 'challenge_invalid', name);
    assert.is(await searches(), before);
    assert.is((await match(alone, app, { mode, challengeId: await fresh() })).status, 200);
    assert.is(await searches(), before + 1, 'with a good one there is a search');
  });

test('of 200 matches at once with one challenge one is answered by its face, the others as before', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const { challenge_id: challengeId } = await challenge(run, app);
  const answers = await Promise.all(Array.from({ length: 200 }, () => match(run, app, { challengeId })));
  assert.equal(tally(answers), { 200: 1, '400 challenge_invalid': 199 });
});

test.run();
