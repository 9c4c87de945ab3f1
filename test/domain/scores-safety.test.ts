/**
 * For how many users a gallery is safe: never called unsafe without being so, never called safe with an encoder that mixes people
 * up. The two FMRs are those of a poor and of a good encoder at 0.35: 5e-3 is unsafe for anybody, 1.1e-5 safe for 90 users.
 * And the tail below the threshold: its arithmetic against known values, and known distributions of distances.
 */
import * as assert from 'uvu/assert';
import { extrapolatedUsers } from '../../src/calibration/thresholds.ts';
import {
  addPowers,
  type Estimate,
  estimateFrom,
  lnBeyond,
  lnTail,
  SHAPES,
} from '../../src/domain/scores/estimate.ts';
import { type SafetyState, safetyOf } from '../../src/domain/scores/safety.ts';
import { random } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';
import { galleryOf, gauss, normalTail, type ShapeName, THRESHOLD } from './impostors.ts';

const test = suite('scores: tail and safety');
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

const near = (got: number, wanted: number, by: number) =>
  assert.ok(Math.abs(got - wanted) <= by, `${got}, wanted ${wanted}`);

test('the integral of a generalised normal distribution, also where it is almost nothing', () => {
  for (const x of [0, 1e-3, 0.3, 1, 2.5, 40, 900]) near(lnBeyond(1, x), -x, 1e-7);
  for (const [x, erfc] of [
    [0, 1],
    [0.1, 0.8875370839817152],
    [1, 0.15729920705028513],
    [5, 1.5374597944280349e-12],
  ] as const)
    near(lnBeyond(2, x), Math.log((erfc * Math.sqrt(Math.PI)) / 2), 1e-7);
  near(lnBeyond(4, 0), Math.log(0.9064024770554771), 1e-7);
  near(normalTail(4.2433), 1.1e-5, 2e-8);
});

/** What is said of so many draws, with the threshold at z. */
function estimateOf(draw: () => number, count: number, z: number): number {
  const sums = new Float64Array(SHAPES);
  const unused = new Float64Array(SHAPES);
  for (let n = 0; n < count; n++) addPowers(Math.abs(draw()) / z, sums, unused, unused);
  return Math.exp(lnTail(sums, count));
}

test('the tail of a normal distribution, of 20,000 distances and of 95', () => {
  const next = random(31);
  const tails = (count: number, z: number) =>
    Array.from({ length: 30 }, () => estimateOf(() => gauss(next), count, z) / (2 * normalTail(z))).sort(
      (a, b) => a - b,
    );
  const many = tails(20_000, 4.24);
  assert.ok((many[0] as number) > 0.5 && (many[29] as number) < 2, `${many}`);
  const few = tails(95, 2.576);
  assert.ok((few[15] as number) > 0.5 && (few[15] as number) < 2, `${few}`);
  assert.ok((few[2] as number) > 0.15 && (few[27] as number) < 6, `${few}`);
});

test('a heavier tail is seen in many distances, and doubted in few', () => {
  const next = random(32);
  const exponential = () => -Math.log(next() || 1e-300);
  const z = 9;
  const [many, few] = [estimateOf(exponential, 20_000, z), estimateOf(exponential, 95, z)];
  assert.ok(many > Math.exp(-z) / 2 && many < Math.exp(-z) * 2, `${many}`);
  assert.ok(few < Math.exp(-z), `${few}`);
});

test.run();
