/**
 * Galleries of awkward shapes, with both builds against the reference: all equal, all opposite, one direction and a
 * trace of noise, energy in few directions, strong common means, users with hundreds of templates; galleries whose
 * data change while they grow, so that the core codes them anew; and sizes around the ends of blocks. Fails when codes
 * or the axis of an earlier coding are used for later data, when a slot at the end of a block is not scanned or one
 * that is free is, or when a crowd makes the core drop candidates.
 */
import { suite } from '../support/suite.ts';
import { Both } from './both.ts';
import { atDistance, below, direction, pick, type Random, random } from './data.ts';
import { template } from './harness.ts';
import { MARGIN, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher galleries of all shapes');

/** Unit vectors around a centre: `noise` 0 repeats it, large numbers have nothing in common. */
function around(next: Random, centre: ArrayLike<number>, noise: number): Float32Array {
  const v = direction(next).map((x, i) => (centre[i] as number) + noise * x);
  return unit(v);
}

function unit(v: readonly number[]): Float32Array {
  const norm = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(v, x => x / norm);
}

/** A sum of these directions with random weights. */
function within(next: Random, axes: readonly number[][]): Float32Array {
  const sum = new Array<number>(128).fill(0);
  for (const axis of axes) {
    const weight = next() + next() + next() - 1.5;
    for (let i = 0; i < 128; i++) sum[i] = (sum[i] as number) + weight * (axis[i] as number);
  }
  return unit(sum);
}

type Make = (next: Random, i: number) => Float32Array;

const seeds = random(301);
const centre = direction(seeds);
const axes = Array.from({ length: 30 }, () => direction(seeds));
const families = Array.from({ length: 40 }, () => direction(seeds));
const opposite = unit(centre.map(x => -x));

const SHAPES: readonly (readonly [string, Make])[] = [
  ['all equal', () => unit(centre)],
  ['all opposite to the probes', () => opposite],
  ['half opposite to the other half', (_, i) => (i % 2 ? unit(centre) : opposite)],
  ...[1e-7, 1e-5, 1e-3, 0.03].map(
    noise =>
      [`one direction with noise of ${noise}`, next => around(next, centre, noise)] as const satisfies [
        string,
        Make,
      ],
  ),
  ...[2, 4, 10, 30].map(
    rank =>
      [`energy in ${rank} directions`, next => within(next, axes.slice(0, rank))] as const satisfies [
        string,
        Make,
      ],
  ),
  ...[0.5, 0.75, 0.95, 0.999].map(
    cosine =>
      [
        `a common mean, cosines of ${cosine}`,
        next => around(next, centre, Math.sqrt(1 / cosine - 1)),
      ] as const satisfies [string, Make],
  ),
  ['near-duplicates', (next, i) => around(next, families[i % 40] as number[], 10 ** -(i % 7))],
  ['families', (next, i) => around(next, families[i % 40] as number[], 0.5)],
  ['a crowd and a few strangers', next => around(next, centre, next() < 0.9 ? 0.2 : 5)],
];

/** Who owns template number `i`. */
const OWNERS: readonly ((i: number) => string)[] = [
  i => `u${i}`,
  i => `u${Math.floor(i / 10)}`,
  i => (i < 300 ? 'crowd' : `u${i % 7}`),
  () => 'one',
];

const SETTINGS = [
  { threshold: THRESHOLD, margin: MARGIN },
  { threshold: 0.01, margin: 0.001 },
  { threshold: 1.2, margin: 0.5 },
];

/** 1 to 5 probes: of what is stored, near it, opposite to it, at a boundary, or of nobody. */
function probesOf(next: Random, both: Both, gallery: number, make: Make): Float32Array[] {
  const stored = both.reference(gallery);
  const { threshold, margin } = both.settings;
  const someone = () => stored.vector(below(next, stored.size));
  const one = (): Float32Array => {
    const kind = stored.size === 0 ? 4 : below(next, 7);
    if (kind === 0) return someone();
    if (kind === 1) return around(next, someone(), next());
    if (kind === 2) return someone().map(x => -x);
    if (kind === 3)
      return atDistance(next, someone(), threshold + (next() < 0.5 ? margin : 0) + (next() - 0.5) * 1e-8);
    if (kind === 4) return Float32Array.from(direction(next));
    if (kind === 5) return make(next, below(next, 1000));
    return around(next, someone(), 1e-3 * next());
  };
  return Array.from({ length: 1 + below(next, 5) }, one);
}

for (const [n, [name, make]] of SHAPES.entries()) {
  test(`${name}`, () => {
    const next = random(310 + n);
    for (const settings of SETTINGS) {
      const both = new Both(settings);
      for (const [gallery, owner] of OWNERS.entries()) {
        const size = pick(next, [60, 70, 300, 700]);
        both.change(gallery, people(next, size, make, owner));
        for (let i = 0; i < 12; i++) both.verify(gallery, probesOf(next, both, gallery, make));
      }
    }
  });
}

function people(next: Random, count: number, make: Make, owner = OWNERS[0], first = 0): StoredTemplate[] {
  return Array.from({ length: count }, (_, i) =>
    template(`t${first + i}`, owner?.(first + i) ?? '', make(next, first + i)),
  );
}

const isotropic: Make = next => Float32Array.from(direction(next));
const meant =
  (sign: number, noise = 0.5): Make =>
  next =>
    around(
      next,
      centre.map(x => x * sign),
      noise,
    );
const elsewhere: Make = next => around(next, families[0] as number[], 0.3);

/** What a gallery goes through: so many more of a kind, or a share of its templates removed. */
type Phase = readonly [number, Make] | number;
const HISTORIES: readonly (readonly [string, readonly Phase[]])[] = [
  [
    'isotropic, then a strong mean, and back',
    [
      [63, isotropic],
      [1, isotropic],
      [200, meant(1)],
      [1000, meant(1)],
      [3000, isotropic],
    ],
  ],
  [
    'a mean that flips its sign as the gallery grows',
    [
      [64, meant(1)],
      [200, meant(-1)],
      [800, meant(-1)],
      [2000, meant(1)],
      [1200, meant(-1)],
    ],
  ],
  [
    'a mean that moves elsewhere',
    [
      [255, meant(1, 0.1)],
      [1, elsewhere],
      [800, elsewhere],
      [3100, meant(1, 0.02)],
    ],
  ],
  [
    'hardly any energy beside the axis, then everything',
    [
      [64, meant(1, 1e-4)],
      [190, meant(1, 1e-4)],
      [2, isotropic],
      [800, isotropic],
      [400, meant(1, 1e-6)],
    ],
  ],
  [
    'most removed, others added, again and again',
    [
      [1100, meant(1)],
      0.95,
      [250, isotropic],
      0.9,
      [1000, meant(-1)],
      0.97,
      [64, elsewhere],
      1,
      [300, elsewhere],
      1,
      [5, isotropic],
      [70, meant(1)],
    ],
  ],
];

for (const [n, [name, phases]] of HISTORIES.entries()) {
  test(`${name}`, () => {
    const next = random(340 + n);
    const both = new Both();
    let count = 0;
    for (const phase of phases) {
      if (typeof phase === 'number') {
        const gone = both.reference(1).ids.filter(() => next() < phase);
        both.change(1, [], gone);
        for (let i = 0; i < 6; i++) both.verify(1, probesOf(next, both, 1, isotropic));
        continue;
      }
      const [size, make] = phase;
      // In steps: the core looks at the data at certain sizes, and searches come before and after.
      for (let left = size; left > 0; ) {
        const some = Math.min(left, 1 + below(next, 400));
        both.change(
          1,
          people(next, some, make, i => `u${i >> 1}`, count),
        );
        count += some;
        left -= some;
        for (let i = 0; i < 4; i++) both.verify(1, probesOf(next, both, 1, make));
      }
    }
  });
}

for (const edge of [96, 192, 2208, 4768, 17_568]) {
  test(`one less than, as many as, and one more than ${edge} templates fill their blocks`, () => {
    const next = random(360 + edge);
    const both = new Both();
    const make = edge === 192 ? meant(1) : isotropic;
    both.change(1, people(next, edge - 2, make));
    for (let size = edge - 1; size <= edge + 1; size++) {
      both.change(
        1,
        people(next, 1, make, i => `u${i}`, size - 1),
      );
      for (const at of [size - 1, size - 2, 0, 103, below(next, size)]) {
        const one = both.reference(1).vector(Math.min(at, size - 1));
        both.verify(1, [around(next, one, 0.3)]);
        both.verify(1, [direction(next), one, direction(next)]);
      }
    }
    // Holes at the ends, filled again by others.
    const last = both.reference(1).ids.filter((_, i) => i % 96 === 95 || i % 96 === 0 || i >= edge - 1);
    both.change(1, [], last);
    for (let i = 0; i < 4; i++) both.verify(1, probesOf(next, both, 1, make));
    both.change(
      1,
      people(next, last.length, make, i => `v${i}`, 100_000),
    );
    for (let i = 0; i < 4; i++) both.verify(1, probesOf(next, both, 1, make));
  });
}

test.run();
