/** Comparisons: every pair, by brute force over the descriptors as given; samples, and thresholds at their edges. */
import * as assert from 'uvu/assert';
import { binOf, edge, genuineTally, impostorTally } from '../../src/calibration/comparisons.ts';
import {
  curveOf,
  extrapolatedFpir,
  extrapolatedUsers,
  quantile,
  thresholdFor,
} from '../../src/calibration/thresholds.ts';
import { random } from '../matcher/data.ts';
import { exactDistance, normalise } from '../matcher/reference.ts';
import { gathered, type Line } from '../support/labelled.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: comparisons');
const next = random(21);

/** Persons with 1 to 5 descriptors, so spread that both kinds lie on both sides of the threshold. */
function hardLines(persons: number): Line[] {
  const number = () => next() + next() - 1;
  return Array.from({ length: persons }, (_, p) => {
    const core = Array.from({ length: 128 }, (_, i) => number() * Math.exp(-i / 4) + (i === 0 ? 0.8 : 0));
    return Array.from({ length: 1 + (p % 5) }, () => ({
      person: `p${p}`,
      descriptor: core.map((x, i) => x + 0.5 * number() * Math.exp(-i / 4)),
    }));
  }).flat();
}
const lines = hardLines(60);
const { people } = gathered(lines);

interface Pair {
  readonly persons: readonly [string, string];
  readonly distance: number;
}
const pairs: Pair[] = lines.flatMap((a, i) =>
  lines.slice(i + 1).map(b => ({
    persons: [a.person, b.person] as const,
    distance: exactDistance(normalise(a.descriptor), normalise(b.descriptor)),
  })),
);
const same = pairs.filter(({ persons: [a, b] }) => a === b);
const different = pairs.filter(({ persons: [a, b] }) => a !== b);
const below = (of: readonly Pair[], threshold: number) =>
  of.filter(({ distance }) => distance < threshold).length;

test('all comparisons are made and counted as every pair by itself gives', () => {
  for (const threshold of [0.05, 0.35, 0.6, 1.2]) {
    const genuine = genuineTally(people, threshold, 1);
    assert.equal([genuine.comparisons, genuine.possible], [same.length, same.length]);
    assert.is(genuine.below, below(same, threshold));
    assert.is(genuine.error?.errors, same.length - below(same, threshold), 'FNMR: refused');
    const impostor = impostorTally(people, threshold, 1);
    assert.equal([impostor.comparisons, impostor.possible], [different.length, different.length]);
    assert.is(impostor.error?.errors, below(different, threshold), 'FMR: accepted');
    const mean = different.reduce((sum, { distance }) => sum + distance, 0) / different.length;
    assert.ok(Math.abs(impostor.sum / impostor.comparisons - mean) < 1e-12);
  }
  assert.ok(below(same, 0.35) > 0 && below(same, 0.35) < same.length, 'a test of both sides');
  assert.ok(below(different, 0.35) > 0);
});

test('the interval of the FMR takes pairs with a person in common together, by brute force', () => {
  const { error } = impostorTally(people, 0.35, 1);
  const cells = new Map<string, { persons: readonly [string, string]; errors: number; trials: number }>();
  for (const { persons, distance } of different) {
    const cell = cells.get(persons.join()) ?? { persons, errors: 0, trials: 0 };
    cells.set(persons.join(), cell);
    cell.trials++;
    if (distance < 0.35) cell.errors++;
  }
  const all = [...cells.values()];
  const rate = below(different, 0.35) / different.length;
  let variance = 0;
  for (const a of all)
    for (const b of all)
      if (a.persons.some(person => b.persons.includes(person)))
        variance += (a.errors - rate * a.trials) * (b.errors - rate * b.trials);
  const effective = (rate * (1 - rate) * different.length ** 2) / variance;
  assert.ok(variance > rate * (1 - rate) * different.length, 'they do go together');
  assert.ok(Math.abs((error?.effective ?? 0) / effective - 1) < 1e-9, `${error?.effective} ${effective}`);
});

test('the histogram counts below every edge what lies below it, edges included', () => {
  const { histogram } = impostorTally(people, 0.35, 1);
  let sum = 0;
  for (let bin = 0; bin < 20_001; bin++) {
    if (bin % 97 === 0) assert.is(sum, below(different, edge(bin)), `${edge(bin)}`);
    sum += histogram[bin] as number;
  }
  assert.is(sum, different.length);
  // On axes distances are whole: 1 is not below 1.
  const axis = (at: number) => Array.from({ length: 128 }, (_, i) => (i === at ? 2 : 0));
  const exact = gathered([0, 1, 2].map(at => ({ person: `p${at}`, descriptor: axis(at) }))).people;
  assert.is(impostorTally(exact, 1, 1).below, 0);
  assert.is(impostorTally(exact, 1.0001, 1).below, 3);
  assert.is(impostorTally(exact, 1, 1).histogram[10_000], 3);
});

test('a distance beside an edge falls on its own side of it', () => {
  const bits = new Float64Array(1);
  const whole = new BigInt64Array(bits.buffer);
  for (let bin = 1; bin < 20_000; bin++) {
    assert.is(binOf(edge(bin)), bin);
    bits[0] = edge(bin);
    whole[0] = (whole[0] as bigint) - 1n;
    assert.is(binOf(bits[0] as number), bin - 1, `just below ${edge(bin)}`);
  }
  assert.equal([binOf(-1e-9), binOf(0), binOf(2), binOf(2.000001)], [0, 0, 20_000, 20_000]);
});

test('samples: as many as asked for, the same by seed, near to the whole', () => {
  const whole = impostorTally(people, 0.35, 1);
  const sample = impostorTally(people, 0.35, 4, 5_000);
  assert.equal([sample.comparisons, sample.possible], [5_000, different.length]);
  assert.equal(impostorTally(people, 0.35, 4, 5_000), sample);
  assert.is.not(impostorTally(people, 0.35, 5, 5_000).sum, sample.sum);
  assert.ok(Math.abs(sample.below / 5_000 - whole.below / whole.comparisons) < 0.02);
  // The same pairs under another threshold.
  assert.equal(impostorTally(people, 0.6, 4, 5_000).histogram, sample.histogram);
  const axis = (at: number) => Array.from({ length: 128 }, (_, i) => (i === at ? 1 : 0));
  const copies = Array.from({ length: 40 }, (_, n) => ({ person: `p${n % 4}`, descriptor: axis(n % 4) }));
  assert.is(
    impostorTally(gathered(copies).people, 0.35, 1, 300).histogram[10_000],
    300,
    'of different persons only',
  );
  const few = genuineTally(people, 0.35, 4, 60);
  assert.is(few.possible, same.length);
  assert.ok(few.comparisons < same.length && few.comparisons > 0);
  assert.equal(genuineTally(people, 0.35, 4, 60), few);
});

test('with a person only, or a descriptor each, a rate is none', () => {
  const one = gathered(lines.filter(({ person }) => person === 'p4')).people;
  assert.is(impostorTally(one, 0.35, 1).error, null);
  assert.ok(genuineTally(one, 0.35, 1).error);
  const single = gathered([0, 5, 10].map(p => lines.find(({ person }) => person === `p${p}`) as Line)).people;
  assert.is(genuineTally(single, 0.35, 1).error, null);
  assert.is(impostorTally(single, 0.35, 1).error?.trials, 3);
});

test('the threshold for a share is the largest in steps of 0.0001 that keeps it', () => {
  const impostor = impostorTally(people, 0.35, 1);
  for (const share of [0, 1e-3, 0.01, 0.2, 0.999]) {
    const threshold = thresholdFor(share, impostor);
    assert.ok(below(different, threshold) <= share * different.length, `${share}: ${threshold}`);
    assert.ok(
      below(different, threshold + 1e-4) > share * different.length,
      `${share}: ${threshold} is largest`,
    );
  }
  const sorted = different.map(({ distance }) => distance).sort((a, b) => a - b);
  const median = sorted[Math.ceil(sorted.length / 2) - 1] as number;
  assert.ok(Math.abs(quantile(0.5, impostor) - median) <= 1e-4);
});

test('the curve has both rates at every threshold where one changes', () => {
  const curve = curveOf(genuineTally(people, 0.35, 1), impostorTally(people, 0.35, 1));
  assert.ok(curve.length > 500);
  for (const { threshold, fmr, fnmr } of curve.filter((_, n) => n % 50 === 0)) {
    assert.ok(Math.abs(fmr - below(different, threshold) / different.length) < 1e-12);
    assert.ok(Math.abs(fnmr - (1 - below(same, threshold) / same.length)) < 1e-12);
  }
  assert.equal([curve.at(-1)?.fmr, curve.at(-1)?.fnmr], [1, 0]);
});

test('arithmetic beyond what was measured: 1 - (1 - FMR)^N, and its inverse', () => {
  const is = (got: number, wanted: number) =>
    assert.ok(Math.abs(got / wanted - 1) < 1e-9, `${got} ${wanted}`);
  is(extrapolatedFpir(0.01, 100), 1 - 0.99 ** 100);
  is(extrapolatedFpir(1e-12, 1_000), 1e-9 * (1 - 4.995e-10));
  assert.equal([extrapolatedFpir(0, 1e6), extrapolatedFpir(1, 1)], [0, 1]);
  assert.equal([extrapolatedUsers(0, 0.01), extrapolatedUsers(1, 0.01)], [null, 0]);
  // The rule of .github/SECURITY.md: about FPIR / FMR users.
  assert.equal([extrapolatedUsers(1e-4, 0.01), extrapolatedUsers(1e-6, 0.001)], [100, 1_000]);
  assert.is(extrapolatedUsers(0.5, 0.75), 2);
});

test.run();
