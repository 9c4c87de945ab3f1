/** The FMR that a gallery lets on: against the truth of encoders whose gallery refuses what is too near. */
import * as assert from 'uvu/assert';
import { distance } from '../../src/domain/distance.ts';
import { estimateFmr, estimateFrom } from '../../src/domain/scores/estimate.ts';
import { COMMON, direction, random, vectors } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';
import { galleryOf, type ShapeName } from './impostors.ts';

const test = suite('scores: estimate');
const THRESHOLD = 0.35;

/** Of an encoder whose energy lies in a few directions: impostor distances 1 ± spread. */
function encoder(seed: number, decay: number): () => Float32Array {
  const next = random(seed);
  const number = () => next() + next() + next() + next() - 2;
  return () => {
    const v = Array.from({ length: 128 }, (_, i) => number() * Math.exp(-i / decay));
    const norm = Math.hypot(...v);
    return Float32Array.from(v, x => x / norm);
  };
}

function truth(make: () => Float32Array, pairs = 30_000): number {
  let below = 0;
  for (let n = 0; n < pairs; n++) if (distance(make(), make()) < THRESHOLD) below++;
  return below / pairs;
}

/** As enrolment lets them in: nobody whose face lies below the threshold of somebody's. */
function enrolled(make: () => Float32Array, users: number): Float32Array[] {
  const gallery: Float32Array[] = [];
  for (let tries = 0; gallery.length < users && tries < 5_000; tries++) {
    const face = make();
    if (gallery.every(other => distance(face, other) >= THRESHOLD)) gallery.push(face);
  }
  return gallery;
}

/** Estimates of so many galleries, as multiples of the FMR there is, in order. */
function ratios(shape: ShapeName, fmr: number, users: number, galleries: number): number[] {
  return Array.from(
    { length: galleries },
    (_, n) => estimateFrom(users, galleryOf(shape, fmr, users, 100 * users + n), THRESHOLD).fmr / fmr,
  ).sort((a, b) => a - b);
}

for (const fmr of [5e-3, 1e-4, 1.1e-5])
  for (const shape of ['normal', 'hubs', 'groups'] as const)
    test(`a gallery that hides its false matches: ${shape}, FMR ${fmr}`, () => {
      for (const [users, galleries, most] of [
        [50, 40, 15],
        [300, 8, 6],
      ] as const) {
        const all = ratios(shape, fmr, users, galleries);
        const median = all[galleries / 2] as number;
        assert.ok(median > 1 / 4.5 && median < 4, `${users} users: ${median} of the truth`);
        const outside = all.filter(ratio => ratio < 1 / most || ratio > most);
        assert.ok(outside.length <= galleries / 20, `${users} users: ${outside}`);
      }
    });

test('a tail that does not get steeper is taken for better than it is, the less the more users there are', () => {
  for (const [fmr, users, least] of [
    [5e-3, 50, 0.1],
    [1e-4, 300, 0.1],
    [1.1e-5, 300, 0.01],
  ] as const) {
    const median = ratios('logistic', fmr, users, 6)[3] as number;
    assert.ok(median > least && median < 1, `${fmr}: ${median}`);
  }
});

test('the interval holds the FMR there is nine times in ten', () => {
  let held = 0;
  for (let n = 0; n < 60; n++) {
    const { low, fmr, high } = estimateFrom(90, galleryOf('hubs', 1e-4, 90, n), THRESHOLD);
    assert.ok(low < fmr && fmr < high);
    if (low <= 1e-4 && 1e-4 <= high) held++;
  }
  assert.ok(held >= 48, `${held} of 60`);
});

test('well-spread faces: nothing near the threshold, and no estimate below what so many pairs can bear', () => {
  const { users, pairs, fmr, low, high, meanDistance } = estimateFmr(vectors(random(2), 300), THRESHOLD);
  assert.equal([users, pairs], [300, 44_850]);
  assert.is(fmr, 1 / (1_000 * 44_850));
  assert.ok(low < 1e-9 && high < 1e-6);
  assert.ok(Math.abs(meanDistance - 1) < 0.01);
});

for (const [decay, users] of [
  [14, 200],
  [9, 100],
  [6, 40],
] as const)
  test(`vectors of few directions: within a factor of four (decay ${decay})`, () => {
    const make = encoder(decay, decay);
    const real = truth(make);
    const { fmr, low, high } = estimateFmr(enrolled(make, users), THRESHOLD);
    assert.ok(fmr > real / 4 && fmr < real * 4, `true ${real}, estimated ${fmr}`);
    assert.ok(low > 0 && low < fmr && high > fmr);
  });

test('faces that have most in common are bad, as soon as there are twenty', () => {
  const next = random(4);
  const make = () => Float32Array.from(direction(next, COMMON * 1.25));
  assert.ok(truth(make) > 0.05);
  const { fmr, low, meanDistance } = estimateFmr(enrolled(make, 20), THRESHOLD);
  assert.ok(low > 0.001 && fmr > 0.01, `${fmr} from ${low}`);
  assert.ok(meanDistance < 0.6);
});

test('what lies below after all counts as it is: templates from before the threshold was raised', () => {
  const next = random(6);
  const all = vectors(next, 30, 2.5);
  let below = 0;
  for (let p = 0; p < 30; p++)
    for (let q = p + 1; q < 30; q++)
      if (distance(all[p] as Float32Array, all[q] as Float32Array) < THRESHOLD) below++;
  const { fmr, low } = estimateFmr(all, THRESHOLD);
  assert.is(fmr, below / 435);
  assert.equal([fmr, low], [1, 1]);
});

test('one pair of look-alikes among many is not sure', () => {
  for (const likeness of [0.63, 0.95]) {
    const all = vectors(random(7), 40);
    const [one, two] = all as [Float32Array, Float32Array];
    const twin = one.map((x, i) => x * likeness + (two[i] as number) * Math.sqrt(1 - likeness ** 2));
    const { fmr, low, high } = estimateFmr([...all, twin], THRESHOLD);
    assert.ok(fmr > 0.001 && low < 1e-9 && high > 0.001, `${fmr} from ${low}`);
  }
});

test.run();
