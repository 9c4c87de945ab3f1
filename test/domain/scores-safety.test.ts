/**
 * For how many users a gallery is safe: never called unsafe without being so, never called safe with an encoder that mixes people
 * up. The two FMRs are those of a poor and of a good encoder at 0.35: 5e-3 is unsafe for anybody, 1.1e-5 safe for 90 users.
 */
import * as assert from 'uvu/assert';
import { extrapolatedUsers } from '../../src/calibration/thresholds.ts';
import { type Estimate, estimateFrom } from '../../src/domain/scores/estimate.ts';
import { type SafetyState, safetyOf } from '../../src/domain/scores/safety.ts';
import { suite } from '../support/suite.ts';
import { galleryOf, type ShapeName, THRESHOLD } from './impostors.ts';

const test = suite('scores: safety');
const [POOR, GOOD] = [5e-3, 1.1e-5];

/** How many of the galleries are in each state, and for how many users the middle one is safe. */
function states(shape: ShapeName, fmr: number, users: number, galleries: number) {
  const counts: Record<SafetyState, number> = { unknown: 0, safe: 0, unclear: 0, unsafe: 0 };
  const numbers: number[] = [];
  for (let n = 0; n < galleries; n++) {
    const safety = safetyOf(users, estimateFrom(users, galleryOf(shape, fmr, users, 7_000 + n), THRESHOLD));
    counts[safety.state]++;
    numbers.push(safety.safeUsers as number);
  }
  return { ...counts, middle: numbers.sort((a, b) => a - b)[galleries >> 1] as number };
}

for (const shape of ['normal', 'hubs', 'groups', 'logistic'] as const)
  test(`an encoder with an FMR of ${POOR} is unsafe from 20 users on: ${shape}`, () => {
    const few = states(shape, POOR, 20, 40);
    assert.ok(few.unsafe >= (shape === 'logistic' ? 20 : 34), JSON.stringify(few));
    assert.ok(few.safe <= (shape === 'logistic' ? 1 : 0), JSON.stringify(few));
    for (const users of [50, 90]) assert.is(states(shape, POOR, users, 20).unsafe, 20, `${users} users`);
  });

for (const shape of ['normal', 'hubs', 'groups'] as const)
  test(`an encoder with an FMR of ${GOOD} is safe with 20 and 50 users, and for about 90: ${shape}`, () => {
    for (const users of [20, 50, 90]) {
      const seen = states(shape, GOOD, users, 40);
      assert.ok(seen.unsafe <= 1, `${users} users: ${JSON.stringify(seen)}`);
      if (users < 90) assert.ok(seen.safe >= 32, `${users} users: ${JSON.stringify(seen)}`);
      if (users > 20) assert.ok(seen.middle > 90 / 2 && seen.middle < 90 * 2.5, `${users}: ${seen.middle}`);
    }
    const many = states(shape, GOOD, 300, 8);
    assert.ok(many.safe === 0 && many.unsafe >= 5, JSON.stringify(many));
  });

const estimate = (low: number, fmr: number, high: number, pairs = 4_005): Estimate => ({
  users: 90,
  pairs,
  fmr,
  low,
  high,
  meanDistance: 1,
});

test('unsafe by the lower end, safe by the estimate, unclear between; the numbers are those of calibrate', () => {
  const seen = estimate(1e-6, 1e-5, 1e-4);
  const [high, number, low] = [1e-6, 1e-5, 1e-4].map(fmr => extrapolatedUsers(fmr, 0.001)) as [
    number,
    number,
    number,
  ];
  assert.equal([low, number, high], [10, 100, 1_000]);
  for (const [users, state] of [
    [20, 'safe'],
    [100, 'safe'],
    [101, 'unclear'],
    [1_000, 'unclear'],
    [1_001, 'unsafe'],
  ] as const)
    assert.equal(safetyOf(users, seen), {
      state,
      users,
      safeUsers: 100,
      safeUsersLow: 10,
      safeUsersHigh: 1_000,
    });
});

test('nobody is called safe for more users than pairs were compared, nor unsafe for that', () => {
  const seen = estimate(0, 1 / (1_000 * 190), 1e-4, 190);
  assert.equal([safetyOf(190, seen).state, safetyOf(190, seen).safeUsers], ['safe', 190]);
  assert.equal([safetyOf(191, seen).state, safetyOf(191, seen).safeUsersHigh], ['unclear', 190]);
  assert.is(safetyOf(1_000_000, seen).state, 'unclear');
});

test('unknown while there is no estimate or no count', () => {
  const nothing = { state: 'unknown', safeUsers: null, safeUsersLow: null, safeUsersHigh: null };
  assert.equal(safetyOf(19, null), { ...nothing, users: 19 });
  assert.equal(safetyOf(null, estimate(0.1, 0.1, 0.1)), { ...nothing, users: null });
});

test.run();
