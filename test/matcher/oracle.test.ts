/**
 * Exactness: the core against the float64 reference, on random galleries of many shapes and on cases in which float32
 * alone decides wrongly. Fails when EPSILON is too small, when the exact second look is skipped, or when the
 * selection loses a user.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { atDistance, below, COMMON, capture, pick, type Random, random, shuffled, vectors } from './data.ts';
import { Direct, template } from './harness.ts';
import { float32Distance, MARGIN, reference, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher against the reference');

/** 1 to 300 templates of users with 1 to 10 templates each, and 1 to 5 probes: some of users, some of strangers. */
function scenario(next: Random, pool: readonly Float32Array[]) {
  const size = 1 + below(next, next() < 0.5 ? 40 : 300);
  const most = 1 + below(next, 10);
  const stored: StoredTemplate[] = [];
  while (stored.length < size) {
    const userId = `u${stored.length}`;
    // Now and then a twin of somebody stored.
    const face = stored.length > 0 && next() < 0.03 ? pick(next, stored).vector : pick(next, pool);
    for (let n = 1 + below(next, most); n > 0; n--) {
      const vector = next() < 0.3 ? face : Float32Array.from(capture(next, face));
      stored.push(template(`t${stored.length}`, userId, vector));
    }
  }
  const mixed = next() < 0.5 ? shuffled(next, stored) : stored;
  const someone = pick(next, mixed).vector;
  const probes = Array.from({ length: 1 + below(next, 5) }, () =>
    capture(next, next() < 0.7 ? someone : pick(next, pool), 0.5 + next() / 2),
  );
  return { stored: mixed, probes };
}

for (const [name, mean, seed] of [
  ['easy', 0, 11],
  ['hard', COMMON, 12],
] as const) {
  test(`1,500 random galleries of ${name} data`, () => {
    const next = random(seed);
    const pool = vectors(next, 1000, mean);
    const direct = new Direct();
    const verdicts = new Map<string, number>();
    for (let i = 1; i <= 1500; i++) {
      const { stored, probes } = scenario(next, pool);
      assert.is(direct.change(i, stored).error, undefined);
      const { verdict } = direct.verify(i, stored, probes);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      direct.holdings.drop(i);
    }
    const seen = ['match', 'ambiguous', 'none'].every(verdict => (verdicts.get(verdict) ?? 0) >= 20);
    assert.ok(seen, `too few of some verdict: ${JSON.stringify([...verdicts])}`);
  });
}

/** Runs `make` 300 times; every outcome must be the reference's, and float32 must go wrong in at least `flips`. */
function decisive(
  seed: number,
  flips: number,
  make: (next: Random, probe: Float32Array) => Float32Array[],
): void {
  const next = random(seed);
  const direct = new Direct();
  let wrong = 0;
  for (let i = 1; i <= 300; i++) {
    const probe = pick(next, vectors(next, 1));
    const stored = make(next, probe).map((vector, n) => template(`t${n}`, `u${n}`, vector));
    for (let n = below(next, 60); n > 0; n--) {
      stored.push(template(`x${n}`, `v${n}`, atDistance(next, probe, 0.7 + next() / 2)));
    }
    const order = shuffled(next, stored);
    assert.is(direct.change(i, order).error, undefined);
    const found = direct.verify(i, order, [probe]);
    const careless = reference(order, found.normalised, { distance: float32Distance });
    if (careless.verdict !== found.verdict || careless.best?.templateId !== found.best?.templateId) wrong++;
    direct.holdings.drop(i);
  }
  assert.ok(wrong >= flips, `float32 went wrong in ${wrong} of 300 cases only`);
}

function jitter(next: Random): number {
  return (next() - 0.5) * 4e-8;
}

test('at the threshold, where float32 decides wrongly', () => {
  decisive(21, 30, (next, probe) => [atDistance(next, probe, THRESHOLD + jitter(next))]);
});

test('at threshold + margin, where float32 decides wrongly', () => {
  decisive(22, 30, (next, probe) => [atDistance(next, probe, THRESHOLD + MARGIN + jitter(next))]);
});

test('at the margin, where float32 decides wrongly', () => {
  decisive(23, 30, (next, probe) => {
    const nearest = 0.05 + next() * 0.25;
    return [atDistance(next, probe, nearest), atDistance(next, probe, nearest + MARGIN + jitter(next))];
  });
});

test('crowds at almost one distance, where float32 names the wrong template', () => {
  decisive(24, 100, (next, probe) => {
    const nearest = next();
    return Array.from({ length: 2 + below(next, 40) }, () => atDistance(next, probe, nearest + jitter(next)));
  });
});

test('a crowd behind the best one, where float32 names the wrong other user', () => {
  const next = random(25);
  const direct = new Direct();
  for (let i = 1; i <= 200; i++) {
    const probe = pick(next, vectors(next, 1));
    const all = [atDistance(next, probe, 0.1)];
    for (let n = 0; n < 30; n++) all.push(atDistance(next, probe, 0.2 + jitter(next)));
    const stored = shuffled(next, all).map((vector, n) => template(`t${n}`, `u${n}`, vector));
    direct.change(i, stored);
    direct.verify(i, stored, [probe]);
    direct.holdings.drop(i);
  }
});

test('float32 scores stay within the bound that the core keeps', () => {
  const EPSILON = 2 ** -16;
  const next = random(26);
  let largest = 0;
  const equal = Float32Array.from({ length: 128 }, () => Math.sqrt(1 / 128));
  for (let i = 0; i < 3000; i++) {
    const a = i % 2 ? pick(next, vectors(next, 1, 3)) : equal;
    const b = i % 3 ? pick(next, vectors(next, 1, 3)) : a;
    let sum = 0;
    let single = 0;
    for (let k = 0; k < 128; k++) {
      const [x, y] = [a[k] as number, b[k] as number];
      sum += x * y;
      single = Math.fround(single + Math.fround(x * y));
    }
    largest = Math.max(largest, Math.abs(sum - single));
  }
  assert.ok(largest > 2 ** -24, 'float32 must differ at all');
  assert.ok(largest < EPSILON, `${largest}`);
});

test.run();
