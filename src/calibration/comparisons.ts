/**
 * Comparisons of two descriptors: genuine (same person) and impostor (different persons), counted below a threshold and
 * in a histogram. If there are too many, a sample is drawn by seed. The same seed draws the same sample, so that
 * another threshold can be applied to the same comparisons. Held by test/calibration/comparisons.test.ts, which
 * counts every pair by brute force.
 */
import { type Draw, seededDraw } from './draw.ts';
import { pairVariance, type Rate, rateByPerson, rateOf } from './intervals.ts';
import { Nearest } from './look-alikes.ts';
import { between, descriptorsOf, type People, personsOf } from './people.ts';

/** Width of a histogram bin, and resolution of reported thresholds. */
export const STEP = 1e-4;
/** Distances lie between 0 and 2, apart from rounding. */
const BINS = 20_001;
/** Above this, a sample is drawn. 10 million comparisons without an error show an FMR below 3 in 10 million. */
export const MOST_IMPOSTOR = 10_000_000;
export const MOST_GENUINE = 2_000_000;
const ROW_TURNS = 8;

export interface Tally {
  readonly comparisons: number;
  /** All comparisons there are; more than `comparisons` if a sample was drawn. */
  readonly possible: number;
  /** Comparisons with a distance below the threshold. */
  readonly below: number;
  /** Comparisons by distance: bin k holds those from k × STEP up to (k + 1) × STEP. */
  readonly histogram: Uint32Array;
  readonly sum: number;
  /** FMR of impostor comparisons, FNMR of genuine ones; null: no comparisons. */
  readonly error: Rate | null;
}

class Counter {
  readonly histogram = new Uint32Array(BINS);
  readonly trials: Float64Array;
  readonly belows: Float64Array;
  comparisons = 0;
  below = 0;
  sum = 0;

  constructor(persons: number) {
    this.trials = new Float64Array(persons);
    this.belows = new Float64Array(persons);
  }

  /** Returns 1 for a distance below the threshold, 0 otherwise. */
  take(distance: number, threshold: number): number {
    const bin = binOf(distance);
    (this.histogram[bin] as number)++;
    this.comparisons++;
    this.sum += distance;
    const below = distance < threshold ? 1 : 0;
    this.below += below;
    return below;
  }

  toPerson(person: number, trials: number, belows: number): void {
    (this.trials[person] as number) += trials;
    (this.belows[person] as number) += belows;
  }
}

/** The largest k with k × STEP ≤ distance. Exact at the edges, so counts below an edge are exact too. */
export function binOf(distance: number): number {
  let bin = Math.floor(distance / STEP);
  // At some edges the quotient is too small; it is never too large.
  if (distance >= edge(bin + 1)) bin++;
  return Math.min(BINS - 1, Math.max(0, bin));
}

/** The same number as its decimal notation gives. */
export function edge(bin: number): number {
  return bin / 10_000;
}

export function genuineTally(
  people: People,
  threshold: number,
  seed: number,
  most: number = MOST_GENUINE,
): Tally {
  const persons = personsOf(people);
  const counter = new Counter(persons);
  const sizes = Array.from(
    { length: persons },
    (_, p) => (people.starts[p + 1] as number) - (people.starts[p] as number),
  );
  const possible = sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  const each = possible > most ? Math.max(1, Math.floor(most / persons)) : Number.POSITIVE_INFINITY;
  const draw = seededDraw(seed);
  for (let p = 0; p < persons; p++) {
    const [from, size] = [people.starts[p] as number, sizes[p] as number];
    if (size < 2) continue;
    const before = counter.below;
    const made = counter.comparisons;
    for (const [i, j] of pairsOf(size, each, draw))
      counter.take(between(people.vectors, from + i, from + j), threshold);
    counter.toPerson(p, counter.comparisons - made, counter.below - before);
  }
  const missed = counter.trials.map((trials, p) => trials - (counter.belows[p] as number));
  return { ...resultOf(counter), possible, error: rateByPerson(missed, counter.trials) };
}

function* pairsOf(size: number, most: number, draw: Draw): Generator<readonly [number, number]> {
  if ((size * (size - 1)) / 2 <= most) {
    for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) yield [i, j];
    return;
  }
  for (let n = 0; n < most; n++) {
    const i = draw(size);
    const j = draw(size - 1);
    yield [i, j < i ? j : j + 1];
  }
}

/** A tally, with the nearest person of each person. */
interface ImpostorTally extends Tally {
  readonly nearest: Nearest;
}

export function impostorTally(
  people: People,
  threshold: number,
  seed: number,
  most: number = MOST_IMPOSTOR,
): ImpostorTally {
  const persons = personsOf(people);
  const counter = new Counter(persons);
  const rows = descriptorsOf(people);
  let possible = (rows * (rows - 1)) / 2;
  for (let p = 0; p < persons; p++) {
    const size = (people.starts[p + 1] as number) - (people.starts[p] as number);
    possible -= (size * (size - 1)) / 2;
  }
  const nearest = new Nearest(persons);
  const squares =
    possible > most
      ? sampled(people, threshold, counter, nearest, seededDraw(seed), most)
      : everyPair(people, threshold, counter, nearest);
  const variance = pairVariance({ errors: counter.belows, trials: counter.trials, squares });
  const error = rateOf(counter.below, counter.comparisons, variance, Math.floor(persons / 2));
  return { ...resultOf(counter), possible, error, nearest };
}

function everyPair({ vectors, starts }: People, threshold: number, counter: Counter, nearest: Nearest) {
  const squares = { errors: 0, mixed: 0, trials: 0 };
  for (let p = 0; p < starts.length - 1; p++)
    for (let q = p + 1; q < starts.length - 1; q++) {
      let [errors, least] = [0, Number.POSITIVE_INFINITY];
      for (let i = starts[p] as number; i < (starts[p + 1] as number); i++)
        for (let j = starts[q] as number; j < (starts[q + 1] as number); j++) {
          const distance = between(vectors, i, j);
          if (distance < least) least = distance;
          errors += counter.take(distance, threshold);
        }
      nearest.add(p, q, least);
      const trials =
        ((starts[p + 1] as number) - (starts[p] as number)) *
        ((starts[q + 1] as number) - (starts[q] as number));
      counter.toPerson(p, trials, errors);
      counter.toPerson(q, trials, errors);
      squares.errors += errors * errors;
      squares.mixed += errors * trials;
      squares.trials += trials * trials;
    }
  return squares;
}

/**
 * Pairs drawn with replacement. Each first row is used a few times while it is in the cache. Two pairs of the same
 * persons are rare, so each counts as a pair of its own.
 */
function sampled(
  people: People,
  threshold: number,
  counter: Counter,
  nearest: Nearest,
  draw: Draw,
  most: number,
) {
  const owners = ownersOf(people);
  for (let turn = 0, i = 0; counter.comparisons < most; turn++) {
    if (turn % ROW_TURNS === 0) i = draw(owners.length);
    const j = draw(owners.length);
    const [p, q] = [owners[i] as number, owners[j] as number];
    if (p === q) continue;
    const distance = between(people.vectors, i, j);
    const error = counter.take(distance, threshold);
    nearest.add(p, q, distance);
    counter.toPerson(p, 1, error);
    counter.toPerson(q, 1, error);
  }
  return { errors: counter.below, mixed: counter.below, trials: counter.comparisons };
}

/** The person of each row. */
function ownersOf(people: People): Uint32Array {
  const owners = new Uint32Array(descriptorsOf(people));
  for (let p = 0; p < personsOf(people); p++)
    owners.fill(p, people.starts[p] as number, people.starts[p + 1] as number);
  return owners;
}

function resultOf({ comparisons, below, histogram, sum }: Counter) {
  return { comparisons, below, histogram, sum };
}
