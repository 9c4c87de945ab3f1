/** The FMR that a gallery lets on: against the truth of encoders whose gallery refuses what is too near. */
import * as assert from 'uvu/assert';
import { distance } from '../../src/domain/distance.ts';
import { estimateFmr } from '../../src/domain/scores/estimate.ts';
import { UNSAFE_FMR } from '../../src/domain/scores/watch.ts';
import { COMMON, direction, random, vectors } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';

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

test('well-spread faces: nothing near the threshold, nothing estimated', () => {
  const { users, fmr, low, meanDistance } = estimateFmr(vectors(random(2), 300), THRESHOLD);
  assert.equal([users, fmr, low], [300, 0, 0]);
  assert.ok(Math.abs(meanDistance - 1) < 0.01);
});

for (const [decay, users] of [
  [14, 200],
  [9, 100],
  [6, 40],
] as const)
  test(`a gallery that hides its false matches: within a factor of four (decay ${decay})`, () => {
    const make = encoder(decay, decay);
    const real = truth(make);
    const { fmr, low } = estimateFmr(enrolled(make, users), THRESHOLD);
    console.log(`true ${real}, estimated ${fmr} from ${low}`);
    assert.ok(fmr > real / 4 && fmr < real * 4, `true ${real}, estimated ${fmr}`);
    assert.ok(low > 0 && low < fmr);
  });

test('faces that have most in common are unsafe, as soon as there are twenty', () => {
  const next = random(4);
  const make = () => Float32Array.from(direction(next, COMMON * 1.25));
  assert.ok(truth(make) > 0.05);
  const { fmr, low, meanDistance } = estimateFmr(enrolled(make, 20), THRESHOLD);
  assert.ok(low > UNSAFE_FMR && fmr > 0.01, `${fmr} from ${low}`);
  assert.ok(meanDistance < 0.6);
});

test('what lies below after all counts as it is: templates from before the threshold was raised', () => {
  const next = random(6);
  const all = vectors(next, 30, 2.5);
  let below = 0;
  for (let p = 0; p < 30; p++)
    for (let q = p + 1; q < 30; q++)
      if (distance(all[p] as Float32Array, all[q] as Float32Array) < THRESHOLD) below++;
  const { fmr } = estimateFmr(all, THRESHOLD);
  assert.is(fmr, below / 435);
  assert.is(fmr, 1);
});

test('one pair of look-alikes among many is not unsafe', () => {
  const all = vectors(random(7), 40);
  const twin = (all[0] as Float32Array).map(
    (x, i) => x * 0.63 + ((all[1] as Float32Array)[i] as number) * 0.776,
  );
  const { fmr, low } = estimateFmr([...all, twin], THRESHOLD);
  assert.ok(low < UNSAFE_FMR, `${fmr} from ${low}`);
});

test.run();
