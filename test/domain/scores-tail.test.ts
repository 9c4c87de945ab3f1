/** The tail below the threshold: its arithmetic against known values, and known distributions of distances. */
import * as assert from 'uvu/assert';
import { addPowers, lnBeyond, lnTail, SHAPES } from '../../src/domain/scores/estimate.ts';
import { random } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';
import { gauss, normalTail } from './impostors.ts';

const test = suite('scores: tail');
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
