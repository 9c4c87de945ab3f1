/**
 * The bounds by which the core passes templates over, on data made to sit on them, with both builds. Pairs of probe and
 * template are searched whose bound exceeds their exact product by next to nothing, and whose distance lies a few
 * 1e-7 inside the cutoff: whoever makes a bound too small by a thousandth loses one of them. Fails when a term of the
 * bound is forgotten or rounded the wrong way, when a sum overflows its lane, when codes or axis are kept under an old
 * coding, and also when the pairs are no longer tight (see tight.ts), because then they would prove nothing.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { Both, BUILDS, Side } from './both.ts';
import { atDistance, below, capture, direction, pick, type Random, random, vectors } from './data.ts';
import { FlatReference, type Settings } from './flat.ts';
import { frameOf } from './frame.ts';
import { template } from './harness.ts';
import { exactDistance, MARGIN, normalise, reference, THRESHOLD } from './reference.ts';
import { boundOf, energyBeside, stepFor, tightPair } from './tight.ts';

const test = suite('matcher bounds');
const CUTOFF = THRESHOLD + MARGIN;
/** A sharp bound does without a look at templates that lie this much beyond the cutoff. */
const SHARP = 0.01;

test('the flat reference of these tests is the plain one', () => {
  const next = random(201);
  for (let round = 0; round < 60; round++) {
    const faces = vectors(next, 1 + below(next, 12), 0.4);
    const stored = Array.from({ length: 1 + below(next, 50) }, (_, i) =>
      template(
        `t${i}`,
        `u${below(next, 9)}`,
        next() < 0.3 ? pick(next, faces) : face(next, pick(next, faces)),
      ),
    );
    const flat = new FlatReference();
    flat.change(stored);
    const gone = stored.filter(() => next() < 0.3).map(({ id }) => id);
    flat.change([], gone);
    const left = stored.filter(({ id }) => !gone.includes(id));
    const probes = Array.from({ length: 1 + below(next, 5) }, () => face(next, pick(next, faces)));
    const settings = { threshold: next(), margin: next() / 5 };
    assert.equal(flat.expected(probes, settings), reference(left, probes, settings));
  }
});

function face(next: Random, vector: Float32Array): Float32Array {
  return Float32Array.from(capture(next, vector, 0.5 + next() / 2));
}

/** Galleries of 64 templates, or none, by the part that all have in common: the core finds an axis in the others. */
for (const [mean, seed] of [
  [0, 211],
  [0.577, 212],
  [1, 213],
  [2.5, 214],
  [18, 215],
] as const) {
  for (const kind of ['coarse', 'fine'] as const) {
    // With next to no energy beside the axis the unit of the fine distance is far larger than the steps.
    const isBlunt = mean === 18 && kind === 'fine';
    test(`tight ${kind} bounds lose nobody, mean of ${mean}`, () => {
      const next = random(seed + (kind === 'fine' ? 10 : 0));
      const base = mean === 0 ? [] : vectors(next, 64, mean);
      const outcome = tightPairs(next, kind, base, isBlunt ? 100 : 600);
      assert.ok(outcome.near >= 40, `${outcome.near} pairs inside the cutoff`);
      if (!isBlunt) assert.ok(outcome.sharp >= 15, `${outcome.sharp} sharp pairs of ${outcome.near}`);
    });
  }
}

function tightPairs(next: Random, kind: 'coarse' | 'fine', base: readonly Float32Array[], tries: number) {
  const frame = frameOf(base);
  const step = stepFor(base.length === 0 ? 1 : energyBeside(base));
  const norms = base.reduce<[number, number]>(
    ([a, b], vector) => {
      const turned = frame.forth(vector);
      const own = boundOf(turned, turned, step, [0, 0]).norms;
      return [Math.max(a, own[0]), Math.max(b, own[1])];
    },
    [0, 0],
  );
  const others = base.map((vector, i) => template(`b${i}`, `b${i}`, vector));
  const both = new Both();
  const closer = BUILDS.map(build => new Side(build, { threshold: THRESHOLD - SHARP, margin: MARGIN }));
  const outcome = { near: 0, sharp: 0 };
  for (let i = 1; i <= tries && outcome.near < 60; i++) {
    const pair = tightPair(next, kind, step, norms, 1 - CUTOFF + 4e-7 * next());
    if (pair === undefined) continue;
    const [probe, target] = [frame.back(pair.probe), frame.back(pair.template)];
    const stored = [...others, template('target', 'target', target)];
    both.change(i, stored);
    const { verdict, best } = both.verify(i, [probe]);
    both.verify(i, [direction(next), probe]);
    both.verify(i, [direction(next), probe, direction(next), direction(next), direction(next)]);
    both.drop(i);
    if (verdict !== 'near' || best?.templateId !== 'target') continue;
    outcome.near++;
    if (closer.every(side => isPassedOver(side, kind, base, target, probe))) outcome.sharp++;
  }
  return outcome;
}

/** Whether the target takes no look, a fine or an exact one, where it lies beyond the cutoff by SHARP. */
function isPassedOver(
  { core }: Side,
  kind: 'coarse' | 'fine',
  base: readonly Float32Array[],
  target: Float32Array,
  probe: Float32Array,
): boolean {
  const gallery = core.create();
  for (const vector of base) core.add(gallery, 1, vector, 0);
  const looks = () => {
    core.takeWork();
    core.search(gallery, Float64Array.from(probe), new Float32Array(128), 0, 1);
    const { refined, exact } = core.takeWork();
    return kind === 'coarse' ? refined : exact;
  };
  const without = looks();
  core.add(gallery, 2, target, 0);
  const withTarget = looks();
  core.drop(gallery);
  return withTarget === without;
}

test('energy in any regular part of the turned coordinates overflows no lane', () => {
  const next = random(221);
  const frame = frameOf([]);
  const both = new Both();
  for (let pattern = 0; pattern < 3 ** 7; pattern++) {
    const inside = (i: number) =>
      [0, 1, 2, 3, 4, 5, 6].every(bit => {
        const wanted = Math.floor(pattern / 3 ** bit) % 3;
        return wanted === 2 || ((i >> bit) & 1) === wanted;
      });
    const spread = Array.from({ length: 128 }, (_, i) => (inside(i) ? 1 : 0));
    const vector = frame.back(pattern % 5 === 4 ? spread.map(x => (next() < 0.2 ? -x : x)) : spread);
    both.change(1, [
      template('t', 'u', vector),
      template(
        'x',
        'x',
        vector.map(x => -x),
      ),
    ]);
    const stranger = () => direction(next);
    for (const probes of [[vector], [stranger(), vector], [vector, stranger(), stranger()]])
      assert.is(both.verify(1, probes).verdict, 'match');
    both.verify(1, [vector.map(x => -x), stranger(), stranger(), stranger(), stranger()]);
    both.drop(1);
  }
});

test('crowds within a few 1e-9 of threshold + margin', () => {
  const next = random(231);
  const both = new Both();
  for (let i = 1; i <= 300; i++) {
    const probe = pick(next, vectors(next, 1, pick(next, [0, 0.5, 2])));
    const stored = Array.from({ length: 1 + below(next, 120) }, (_, n) =>
      template(`t${n}`, `u${n}`, atDistance(next, probe, CUTOFF + (next() - 0.7) * 1e-8)),
    );
    both.change(i, stored);
    both.verify(i, [probe]);
    both.drop(i);
  }
});

const SETTINGS: readonly Settings[] = [
  { threshold: THRESHOLD, margin: MARGIN },
  { threshold: THRESHOLD, margin: 0 },
  { threshold: 0, margin: 0 },
  { threshold: 0, margin: MARGIN },
  { threshold: 1e-9, margin: 1e-9 },
  { threshold: 0.9, margin: 0.3 },
  { threshold: 1, margin: 1 },
  { threshold: 2.5, margin: 0.5 },
  { threshold: 3, margin: 0 },
];

for (const settings of SETTINGS) {
  const { threshold, margin } = settings;
  test(`within 1e-9 of every boundary, threshold ${threshold} and margin ${margin}`, () => {
    const next = random(241);
    const both = new Both(settings);
    const jitter = () => (next() - 0.5) * 2e-9;
    for (let i = 1; i <= 60; i++) {
      const probe = pick(next, vectors(next, 1, i % 3));
      const nearest = Math.min(2, next() * (threshold + margin));
      const distances = [threshold, threshold + margin, nearest, nearest + margin]
        .filter((distance, n) => distance <= 2 && (n >= 2 || next() < 0.5))
        .map(distance => distance + jitter());
      while (distances.length < 100 * next()) distances.push(Math.min(2, threshold + margin + next()));
      const stored = distances.map((distance, n) =>
        template(`t${n}`, `u${below(next, 6)}`, at(next, probe, distance)),
      );
      both.change(i, stored);
      both.verify(i, [probe]);
      both.verify(i, [...Array.from({ length: below(next, 5) }, () => direction(next)), probe]);
      both.drop(i);
    }
  });
}

/** Where a distance is too near to 0 or 2 to be met, the vector itself or its opposite. */
function at(next: Random, probe: Float32Array, distance: number): Float32Array {
  if (distance < 1e-5) return probe;
  if (distance > 2 - 1e-5) return probe.map(x => -x);
  return atDistance(next, probe, distance);
}

test('vectors of few coordinates, of equal ones, denormals and huge differences of scale', () => {
  const next = random(251);
  const spiky: Float32Array[] = [];
  for (let i = 0; i < 128; i++) {
    spiky.push(sparse([[i, i % 2 ? 1 : -1]]));
    const size = Math.sqrt(next());
    const second = (i + 1 + below(next, 127)) % 128;
    spiky.push(
      normalised(
        sparse([
          [i, size],
          [second, -Math.sqrt(1 - size * size)],
        ]),
      ),
    );
    spiky.push(
      normalised(
        sparse([
          [i, 1],
          [second, 1e-40],
        ]),
      ),
    );
    // Rows of Hadamard's matrix, and any other signs.
    const signs = (k: number) => (parity(k & i) ? -1 : 1);
    spiky.push(Float32Array.from({ length: 128 }, (_, k) => signs(k) * 128 ** -0.5));
    spiky.push(Float32Array.from({ length: 128 }, () => (next() < 0.5 ? -1 : 1) * 128 ** -0.5));
    spiky.push(normalised(Float32Array.from(direction(next), (x, k) => x * 10 ** -(k % 20))));
  }
  for (const settings of [SETTINGS[0], SETTINGS[7]]) {
    const both = new Both(settings);
    both.change(
      1,
      spiky.map((vector, i) => template(`t${i}`, `u${i >> 1}`, vector)),
    );
    for (const [i, vector] of spiky.entries()) {
      both.verify(1, [i % 3 === 0 ? vector.map(x => -x) : vector]);
      if (i % 4 !== 0) continue;
      const scaled = (scale: number) => Float64Array.from(vector, x => x * scale);
      both.verify(1, [scaled(1e-6 * 1.001), scaled(1e150), scaled(-1e-3), scaled(2 ** 60), direction(next)]);
      both.verify(1, [Array.from(vector, (x, k) => x + (k === 3 ? 1e-300 : 0)), spread(next)]);
    }
  }
});

function sparse(entries: readonly (readonly [number, number])[]): Float32Array {
  const vector = new Float32Array(128);
  for (const [i, x] of entries) vector[i] = x;
  return vector;
}

function normalised(vector: Float32Array): Float32Array {
  return normalise(Array.from(vector));
}

function parity(bits: number): boolean {
  let odd = false;
  for (let rest = bits; rest !== 0; rest &= rest - 1) odd = !odd;
  return odd;
}

/** Coordinates of magnitudes from 1e-30 to 1. */
function spread(next: Random): number[] {
  return direction(next).map(x => x * 10 ** (-30 * next()));
}

test('probes that are templates, and their opposites', () => {
  const next = random(261);
  for (const settings of [SETTINGS[0], SETTINGS[1], SETTINGS[8]]) {
    const both = new Both(settings);
    const faces = vectors(next, 150, 0.3);
    both.change(
      1,
      faces.map((vector, i) => template(`t${i}`, `u${i % 40}`, vector)),
    );
    for (const vector of faces) {
      const { best } = both.verify(1, [vector]);
      assert.ok(settings?.threshold === 0 || (best?.distance ?? 1) < 1e-6);
      both.verify(1, [vector.map(x => -x)]);
    }
    const probe = faces[0] as Float32Array;
    assert.ok(Math.abs(exactDistance(probe, probe)) < 1e-6);
  }
});

test.run();
