/**
 * Galleries that change their axes in the middle of everything, with both builds against the reference: searches come
 * between any two steps of learning and of coding again, while templates come and go; galleries of all shapes grow over
 * the sizes at which axes are learned, and shrink below the least. Fails when codes of one coding are read by another
 * one, when a slot is in neither or both, when a gallery learns what it should not, and when cells of next to no width
 * or axes that are not there lose somebody. Also says how many templates of faces take a second look.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { Both } from './both.ts';
import { atDistance, below, capture, direction, facesLike, type Random, random, vectors } from './data.ts';
import { codedAs } from './frame.ts';
import { template } from './harness.ts';
import { MARGIN, normalise, THRESHOLD } from './reference.ts';

const test = suite('matcher galleries along their axes');
type Make = (next: Random, count: number) => Float32Array[];

/** A gallery with its reference: every step of tending may be followed by searches and changes. */
class Life {
  readonly both: Both;
  readonly next: Random;
  readonly seen = new Set<string>();
  #count = 0;

  constructor(seed: number, settings: ConstructorParameters<typeof Both>[0] = {}) {
    this.both = new Both(settings);
    this.next = random(seed);
  }

  /** Two templates a user. */
  grow(gallery: number, count: number, make: Make): void {
    const added = make(this.next, count).map(vector => {
      const i = this.#count++;
      return template(`t${i}`, `u${i >> 1}`, vector);
    });
    this.both.change(gallery, added);
  }

  /** Removes a share of the templates, the older ones or any. */
  shrink(gallery: number, share: number, isOlder = false): void {
    const { ids, size } = this.both.reference(gallery);
    const leaving = ids.filter((_, i) => (isOlder ? i < size * share : this.next() < share));
    this.both.change(gallery, [], leaving);
  }

  /** Passes of 1, 3, 5 probes, and of several searches. */
  look(gallery: number, times = 1): void {
    for (let i = 0; i < times; i++) {
      for (const count of [1, 3, 5]) this.both.verify(gallery, this.#probes(gallery, count));
      this.both.verifyAll(
        gallery,
        [2, 1, 3, 1].map(count => this.#probes(gallery, count)),
      );
    }
  }

  /** Somebody as captured again, at a boundary, the very template, its opposite, or a stranger. */
  #probes(gallery: number, count: number): ArrayLike<number>[] {
    const { next, both } = this;
    const stored = both.reference(gallery);
    return Array.from({ length: count }, () => {
      const kind = stored.size === 0 ? 5 : below(next, 6);
      if (kind === 5) return direction(next, next());
      const someone = stored.vector(below(next, stored.size));
      if (kind === 0) return someone;
      if (kind === 1) return someone.map(x => -x);
      if (kind === 2) return capture(next, someone, 0.5 + next() / 2);
      const jitter = (next() - 0.5) * 1e-7;
      return atDistance(next, someone, THRESHOLD + (kind === 3 ? MARGIN : 0) + jitter);
    });
  }

  /** Tends a gallery to the end, or so many steps, with searches and changes of `between` after every few steps. */
  tend(gallery: number, between?: () => void, steps = 2_000): void {
    for (let step = 0; step < steps && this.both.tend(gallery, 1); step++) {
      const mixed = this.coded(gallery).mixed;
      if (mixed) this.seen.add(mixed);
      if (!mixed && step % 25 !== 0) continue;
      between?.();
      this.look(gallery);
    }
  }

  coded(gallery: number) {
    const [side] = this.both.sides;
    assert.ok(side);
    return codedAs(side.memory.buffer, side.holdings.handle(gallery));
  }
}

const faces: Make = (next, count) => facesLike(next, count);
const few: Make = (next, count) => facesLike(next, count, { length: 12 });
const meant: Make = (next, count) => facesLike(next, count, { mean: 0.6, length: 25 });
const isotropic: Make = (next, count) => vectors(next, count);
/** The same spectrum along other directions. */
const turned: Make = (next, count) => facesLike(next, count, { length: 12 }).map(v => v.slice().reverse());

/** So many more of a kind, or a share that is removed: any, or the older ones when negative. */
type Phase = readonly [number, Make] | number;
const HISTORIES: readonly (readonly [string, readonly Phase[], ...string[]])[] = [
  [
    'rows get fewer, more, and fewer again',
    [[300, few], [500, isotropic], -0.4, [3300, few]],
    'backward',
    'forward',
  ],
  [
    'growing over all sizes',
    [
      [250, faces],
      [6, faces],
      [743, faces],
      [1, faces],
      [3100, meant],
    ],
    'backward',
    'forward',
  ],
  [
    'people unlike those before, then as many removed as learned from',
    [[400, few], [420, turned], -0.5, [50, turned], 0.97],
  ],
  [
    'down below the least size and up again',
    [[300, meant], 0.3, [70, meant], [40, faces], [60, few], 1, [280, few]],
  ],
];

for (const [n, [name, phases, ...expected]] of HISTORIES.entries()) {
  test(`between all steps: ${name}`, () => {
    const life = new Life(710 + n);
    for (const phase of phases) {
      if (typeof phase === 'number') life.shrink(1, Math.abs(phase), phase < 0);
      else life.grow(1, ...phase);
      life.look(1, 2);
      // A few come and go while the codes of their groups are made again.
      life.tend(1, () => {
        life.grow(1, 2, isotropic);
        life.shrink(1, 2 / life.both.reference(1).size);
      });
      life.look(1, 2);
    }
    for (const way of expected)
      assert.ok(life.seen.has(way), `a block was searched half coded again, ${way}`);
  });
}

test('galleries that learn in turn, and one that is dropped or emptied while it learns', () => {
  for (const at of [0, 3, 40, 75, 80, 84]) {
    const life = new Life(720 + at);
    life.grow(1, 300, few);
    life.grow(2, 400, meant);
    for (let step = 0; step < at; step++) life.both.tend(1 + (step % 2), 1);
    for (const gallery of [1, 2]) life.look(gallery);
    if (at % 2 === 0) life.both.drop(1);
    else life.shrink(1, 1);
    life.tend(2);
    assert.is(life.coded(2).axes.length, 1, 'the other one has learned');
    life.grow(1, 260, faces);
    life.tend(1);
    for (const gallery of [1, 2]) life.look(gallery, 2);
  }
});

test('without memory for sums or axes a gallery learns none, and still takes what fits', () => {
  for (const maxBlocks of [4, 5, 6]) {
    const life = new Life(730, { maxBlocks });
    life.grow(1, 300, few);
    life.tend(1);
    const { length: learned } = life.coded(1).axes;
    assert.is(learned, maxBlocks === 6 ? 1 : 0);
    life.grow(1, (maxBlocks - learned) * 96 - 300, few);
    life.tend(1);
    life.look(1, 3);
    for (const { core, holdings } of life.both.sides)
      assert.is(core.add(holdings.handle(1), 1, new Float32Array(128).fill(128 ** -0.5), 0), 0, 'it is full');
    life.shrink(1, 0.4);
    life.tend(1);
    life.look(1, 3);
  }
});

const seeds = random(740);
const [centre, second] = [direction(seeds), direction(seeds)];
const crowd = vectors(seeds, 20, 0.6);
function around(next: Random, middle: ArrayLike<number>, noise: number): Float32Array {
  return normalise(direction(next).map((x, i) => (middle[i] as number) + noise * x));
}
function eachOf(make: (next: Random, i: number) => ArrayLike<number>): Make {
  return (next, count) => Array.from({ length: count }, (_, i) => normalise(Array.from(make(next, i))));
}
const SHAPES: readonly (readonly [string, Make])[] = [
  ['all equal', eachOf(() => centre)],
  ['one direction and its opposite', eachOf((_, i) => (i % 2 ? centre : centre.map(x => -x)))],
  ['two people', eachOf((next, i) => around(next, i % 2 ? centre : second, 0.3))],
  ['two templates', eachOf((_, i) => (i % 2 ? centre : second))],
  ['57 dimensions exactly', (next, count) => facesLike(next, count, { mean: 0, length: 200, rank: 57 })],
  ['half of the coordinates zero', eachOf(next => direction(next).map((x, i) => (i % 2 ? x : 0)))],
  ['near-duplicates', eachOf((next, i) => around(next, crowd[i % 20] as Float32Array, 10 ** -(i % 7)))],
  ['a mean of 0.999', eachOf(next => around(next, centre, Math.sqrt(1 / 0.999 - 1)))],
  [
    'orthogonal unit vectors',
    eachOf((_, i) => Float32Array.from({ length: 128 }, (_, k) => (k === i % 128 ? (i & 128 ? -1 : 1) : 0))),
  ],
  ['numbers of 1e-40', eachOf((next, i) => direction(next).map((x, k) => (k % 3 === i % 2 ? x : x * 1e-40)))],
  ['magnitudes from 1 to 1e-20', eachOf(next => direction(next).map((x, k) => x * 10 ** -(k % 20)))],
];

for (const [n, [name, make]] of SHAPES.entries()) {
  test(`axes of a gallery of such a shape: ${name}`, () => {
    const life = new Life(741 + n);
    for (const count of [256, 800]) {
      life.grow(1, count, make);
      life.tend(1, () => life.shrink(1, 1 / 256));
      life.look(1, 4);
    }
    // Others than those that were learned from.
    life.grow(1, 300, faces);
    life.look(1, 3);
    life.tend(1);
    life.look(1, 3);
  });
}

test('coordinates that are next to nothing in the templates that give the variances lose nobody', () => {
  const next = random(701);
  const both = new Both();
  const part = (count: number, scale: number) => Array.from({ length: count }, () => (next() - 0.5) * scale);
  // The axes come from the first half, the variances from the second: three axes of 24 have none. Axes come by fours.
  const stored = Array.from({ length: 256 }, (_, i) => {
    // No template has numbers in both parts before, lest axes take a little of either.
    const isSmall = i < 128 && i % 4 === 0;
    const small = part(3, isSmall ? 1 : i < 128 || i >= 250 ? 0 : 1e-40);
    return template(`t${i}`, `u${i}`, normalise([...part(21, isSmall ? 0 : 1), ...small, ...part(104, 0)]));
  });
  both.change(1, stored);
  both.tend(1);
  for (const { memory, holdings } of both.sides)
    assert.is(codedAs(memory.buffer, holdings.handle(1)).coding.kept, 24);
  for (const { vector } of stored) both.verify(1, [atDistance(next, vector, THRESHOLD + MARGIN - 1e-7)]);
});

test('of 10,000 faces a stranger sends few to the second look; what has no direction keeps its codes', () => {
  const next = random(760);
  const both = new Both();
  for (const [gallery, vectors] of [faces(next, 10_000), isotropic(next, 2_000)].entries()) {
    both.change(
      gallery,
      vectors.map((vector, i) => template(`t${i}`, `u${i}`, vector)),
    );
    both.tend(gallery);
  }
  for (const { build, core, holdings, memory } of both.sides) {
    const plain = codedAs(memory.buffer, holdings.handle(1));
    assert.equal([plain.axes.length, plain.coding.rows], [0, 32]);
    core.takeWork();
    for (const stranger of faces(next, 50))
      core.search(holdings.handle(0), Float64Array.from(stranger), new Float32Array(128), 0, 1);
    const { scanned, refined } = core.takeWork();
    assert.ok(refined < 0.015 * scanned, `${build}: ${refined} of ${scanned}`);
  }
});

test.run();
