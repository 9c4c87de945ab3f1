/** Intervals: against known values, against every pair of pairs, and against how often they hold. */
import * as assert from 'uvu/assert';
import {
  clusterVariance,
  pairVariance,
  rateOf,
  ruleOfThree,
  wilson,
} from '../../src/calibration/intervals.ts';
import { random } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: intervals');
const near = (got: number, wanted: number, by = 5e-5) =>
  assert.ok(Math.abs(got - wanted) <= by, `${got}, wanted ${wanted}`);

test("Wilson's interval, as Newcombe (1998) and Brown et al. (2001) print it", () => {
  const known: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [1, 29, 0.0061, 0.1718],
    [0, 20, 0, 0.1611],
    [29, 29, 0.883, 1],
  ];
  for (const [errors, n, low, high] of known) {
    const [a, b] = wilson(errors / n, n);
    near(a, low);
    near(b, high);
  }
});

test('rule of three: the rate at which no error in n would be a 5 % chance', () => {
  for (const n of [1, 10, 300, 1e7]) {
    near((1 - ruleOfThree(n)) ** n, 0.05, 1e-6);
    if (n >= 300) near((ruleOfThree(n) * n) / 3, 1, 0.01);
  }
  assert.is(ruleOfThree(0), 1);
});

test('without errors the rule of three is reported twice: by trials, and by persons', () => {
  const rate = rateOf(0, 10_000, 0, 50);
  assert.equal([rate?.rate, rate?.low, rate?.high], [0, 0, ruleOfThree(10_000)]);
  assert.equal(rate?.none, { byTrials: ruleOfThree(10_000), byPersons: ruleOfThree(50) });
  assert.is(rateOf(0, 10_000, 0, 50, 200)?.high, ruleOfThree(200), 'repeated trials do not count');
  const all = rateOf(40, 40, 0, 20);
  assert.equal([all?.low, all?.high, all?.none], [1 - ruleOfThree(40), 1, null]);
  assert.is(rateOf(0, 0, 0, 0), null, 'no trial, no rate');
});

test('independent trials keep the plain interval; those that go together widen it', () => {
  const plain = rateOf(30, 1_000, 0, 500);
  assert.equal([plain?.low, plain?.high], wilson(0.03, 1_000));
  const wide = rateOf(30, 1_000, 10 * 1_000 * 0.03 * 0.97, 500);
  near(wide?.effective ?? 0, 100, 1e-6);
  assert.equal([wide?.low, wide?.high], wilson(0.03, wide?.effective ?? 0));
});

test('the variance of pairs is the sum over all pairs of pairs that share a person', () => {
  const next = random(3);
  const persons = 9;
  const errors = new Array<number>(persons).fill(0);
  const trials = new Array<number>(persons).fill(0);
  const pairs: { p: number; q: number; errors: number; trials: number }[] = [];
  for (let p = 0; p < persons; p++)
    for (let q = p + 1; q < persons; q++) {
      const made = 1 + Math.floor(next() * 4);
      const pair = { p, q, trials: made, errors: Math.floor(next() * (made + 1)) };
      pairs.push(pair);
      for (const person of [p, q]) {
        (errors[person] as number) += pair.errors;
        (trials[person] as number) += pair.trials;
      }
    }
  const sum = (of: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((all, pair) => all + of(pair), 0);
  const rate = sum(pair => pair.errors) / sum(pair => pair.trials);
  const residual = (pair: (typeof pairs)[number]) => pair.errors - rate * pair.trials;
  const shares = (a: (typeof pairs)[number], b: (typeof pairs)[number]) =>
    [a.p, a.q].some(person => person === b.p || person === b.q);
  const wanted = sum(a => sum(b => (shares(a, b) ? residual(a) * residual(b) : 0)));
  const squares = {
    errors: sum(pair => pair.errors ** 2),
    mixed: sum(pair => pair.errors * pair.trials),
    trials: sum(pair => pair.trials ** 2),
  };
  near(pairVariance({ errors, trials, squares }), wanted, 1e-9);
});

test('the variance over persons is that of cluster samples', () => {
  assert.is(clusterVariance([1, 1, 1], [4, 4, 4]), 0);
  // Residuals 2, -2: (4 + 4) × 2 / 1.
  assert.is(clusterVariance([4, 0, 0], [4, 4, 0]), 16);
  assert.is(clusterVariance([1], [3]), 0);
});

test('where some persons are alike to many, the interval holds about 95 % of the time and the plain one does not', () => {
  const next = random(8);
  const persons = 60;
  // 0.81 × 0.005 + 0.18 × 0.295 + 0.01 × 0.411
  const truth = 0.06126;
  let [held, plain] = [0, 0];
  const rounds = 400;
  for (let round = 0; round < rounds; round++) {
    // One person in ten is a wolf: it meets 30 % of the others, pairs of wolves more.
    const wolf = Array.from({ length: persons }, () => next() < 0.1);
    const errors = new Float64Array(persons);
    let count = 0;
    for (let p = 0; p < persons; p++)
      for (let q = p + 1; q < persons; q++) {
        const chance = 0.005 + 0.29 * (Number(wolf[p]) + Number(wolf[q])) * (wolf[p] && wolf[q] ? 0.7 : 1);
        if (next() >= chance) continue;
        count++;
        (errors[p] as number)++;
        (errors[q] as number)++;
      }
    const pairs = (persons * (persons - 1)) / 2;
    const trials = new Float64Array(persons).fill(persons - 1);
    const squares = { errors: count, mixed: count, trials: pairs };
    const rate = rateOf(count, pairs, pairVariance({ errors, trials, squares }), persons / 2);
    const [low, high] = wilson(count / pairs, pairs);
    if (rate && rate.low <= truth && truth <= rate.high) held++;
    if (low <= truth && truth <= high) plain++;
  }
  console.log(`held ${held}, plain ${plain} of ${rounds}`);
  assert.ok(held / rounds > 0.88, `${held} of ${rounds}`);
  assert.ok(plain / rounds < 0.6, `${plain} of ${rounds}`);
});

test.run();
