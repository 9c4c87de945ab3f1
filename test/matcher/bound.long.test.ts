/**
 * The bounds by which the core passes templates over, on data made to sit on them, with both builds. Pairs of probe and
 * template are searched whose bound exceeds their exact product by next to nothing, and whose distance lies a few
 * 1e-7 inside the cutoff: whoever makes a bound too small by a thousandth loses one of them. Fails when a term of the
 * bound is forgotten or rounded the wrong way, when a sum overflows its lane, when codes or axis are kept under an old
 * coding, and also when the pairs are no longer tight (see tight.ts), because then they would prove nothing.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { Both, type Side } from './both.ts';
import {
  atDistance,
  below,
  capture,
  direction,
  facesLike,
  pick,
  type Random,
  random,
  vectors,
} from './data.ts';
import { isFine, KINDS, type Kind } from './excess.ts';
import { FlatReference, type Settings } from './flat.ts';
import { type Frame, frameOf, turnedBack } from './frame.ts';
import { template } from './harness.ts';
import { exactDistance, MARGIN, normalise, reference, THRESHOLD } from './reference.ts';
import { tightPair } from './tight.ts';

const test = suite('matcher bounds');
const CUTOFF = THRESHOLD + MARGIN;

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

/** Templates that axes are learned from; none: the coding without axes. */
const GALLERIES: readonly (readonly [string, (next: Random) => Float32Array[]])[] = [
  ['no axes', () => []],
  ['half bytes of all kinds', next => facesLike(next, 300)],
  ['a common mean', next => facesLike(next, 300, { mean: 0.5, length: 20 })],
  ['few half bytes', next => facesLike(next, 300, { length: 12 })],
  ['energy in 40 directions', next => facesLike(next, 300, { mean: 0.3, rank: 40 })],
];

for (const [n, [name, make]] of GALLERIES.entries()) {
  test(`tight bounds lose nobody: ${name}`, () => {
    const next = random(211 + n);
    const base = make(next);
    for (const kind of KINDS) {
      // With axes a rest that has no code is in both distances, and rounding makes bounds much larger.
      const sharp = KINDS.indexOf(kind) > 1 ? 0.1 : base.length > 0 && isFine(kind) ? 0.01 : 0.002;
      const outcome = tightPairs(next, kind, base, sharp);
      assert.ok(outcome.near >= 20, `${outcome.near} ${kind} pairs inside the cutoff`);
      assert.ok(outcome.sharp >= 5, `${outcome.sharp} sharp ${kind} pairs of ${outcome.near}`);
    }
  });
}

/** Both builds after learning from templates, of which one is left. The coding stays until it is tended again. */
function learned(base: readonly Float32Array[], settings: Partial<Settings> = {}): Both {
  const both = new Both(settings);
  const stored = base.map((vector, i) => template(`b${i}`, `b${i}`, vector));
  both.change(1, stored);
  both.tend(1);
  both.change(
    1,
    [],
    stored.slice(1).map(({ id }) => id),
  );
  return both;
}

/** @param sharp a sharp bound does without a look at a template that lies so far beyond the cutoff */
function tightPairs(next: Random, kind: Kind, base: readonly Float32Array[], sharp: number) {
  const [both, closer] = [learned(base), learned(base, { threshold: THRESHOLD - sharp })];
  const outcome = { near: 0, sharp: 0 };
  const most = base.length > 0 || KINDS.indexOf(kind) > 1 ? 25 : 45;
  // The axes of the two builds differ by roundings.
  const frames = both.sides.map(({ memory, holdings }) => frameOf(memory.buffer, holdings.handle(1)));
  assert.is(frames[0]?.hasAxes, base.length > 0);
  for (let i = 0; i < 400 && outcome.near < most; i++) {
    const [frame, side] = [frames[i % frames.length], closer.sides[i % frames.length]] as [Frame, Side];
    const pair = tightPair(next, kind, frame, 1 - CUTOFF + 4e-7 * next());
    if (pair === undefined) continue;
    const [probe, target] = [turnedBack(frame, pair.probe), turnedBack(frame, pair.template)];
    const without = looks(side, kind, probe);
    for (const each of [both, closer]) each.change(1, [template('target', 'target', target)]);
    const { verdict, best } = both.verify(1, [probe]);
    both.verify(1, [direction(next), probe]);
    both.verify(1, [direction(next), probe, direction(next), direction(next), direction(next)]);
    if (verdict === 'near' && best?.templateId === 'target') {
      outcome.near++;
      if (looks(side, kind, probe) === without) outcome.sharp++;
    }
    for (const each of [both, closer]) each.change(1, [], ['target']);
  }
  return outcome;
}

/** How many templates take a look, a fine or an exact one. */
function looks({ core, holdings }: Side, kind: Kind, probe: Float32Array): number {
  core.takeWork();
  core.search(holdings.handle(1), Float64Array.from(probe), new Float32Array(128), 0, 1);
  const { refined, exact } = core.takeWork();
  return isFine(kind) ? exact : refined;
}

for (const [name, make] of GALLERIES.slice(0, 2)) {
  test(`energy in any regular part of the coordinates overflows no lane: ${name}`, () => {
    const next = random(221);
    const both = learned(make(next));
    const { memory, holdings } = both.sides[0] as Side;
    const frame = frameOf(memory.buffer, holdings.handle(1));
    for (let pattern = 0; pattern < 3 ** 7; pattern++) {
      const inside = (i: number) =>
        [0, 1, 2, 3, 4, 5, 6].every(bit => {
          const wanted = Math.floor(pattern / 3 ** bit) % 3;
          return wanted === 2 || ((i >> bit) & 1) === wanted;
        });
      const spread = Float64Array.from({ length: 128 }, (_, i) =>
        inside(i) ? (pattern % 5 === 4 && next() < 0.2 ? -1 : 1) : 0,
      );
      const vector = turnedBack(frame, spread);
      const opposite = vector.map(x => -x);
      both.change(1, [template('t', 'u', vector), template('x', 'x', opposite)]);
      const stranger = () => direction(next);
      for (const probes of [[vector], [stranger(), vector], [vector, stranger(), stranger()]])
        assert.is(both.verify(1, probes).verdict, 'match');
      both.verify(1, [opposite, stranger(), stranger(), stranger(), stranger()]);
      both.change(1, [], ['t', 'x']);
    }
  });
}

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
