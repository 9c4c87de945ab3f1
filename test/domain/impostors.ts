/**
 * Galleries whose FMR is known exactly: distances of different people are drawn from a distribution, and whoever comes within
 * the threshold of somebody enrolled is refused, as at enrollment.
 */
import { lnBeyond } from '../../src/domain/scores/estimate.ts';
import { type Random, random } from '../matcher/data.ts';

export const THRESHOLD = 0.35;
/** Mean cosine of different people, as of an encoder that centres almost. */
const MEAN = 0.17;

export function gauss(next: Random): number {
  return Math.sqrt(-2 * Math.log(next() || 1e-300)) * Math.cos(2 * Math.PI * next());
}

/** Share of a normal distribution beyond z (z ≥ 0). */
export const normalTail = (z: number) => Math.exp(lnBeyond(2, z / Math.SQRT2)) / Math.sqrt(Math.PI);

/** How scores of different people are spread: mean about 0, deviation about 1. */
export interface Shape {
  /** What a person brings to all of their comparisons. */
  readonly person: (next: Random) => number;
  readonly score: (a: number, b: number, next: Random) => number;
  readonly tail: (z: number) => number;
}

const HUB = 0.35;
const [GROUP, SHIFT] = [0.3, 1.2];
const LOGISTIC = Math.PI / Math.sqrt(3);

export const SHAPES: Readonly<Record<'normal' | 'hubs' | 'groups' | 'logistic', Shape>> = {
  normal: { person: () => 0, score: (_a, _b, next) => gauss(next), tail: normalTail },
  /** Some people resemble many. */
  hubs: {
    person: next => HUB * gauss(next),
    score: (a, b, next) => a + b + gauss(next) * Math.sqrt(1 - 2 * HUB ** 2),
    tail: normalTail,
  },
  /** People of one group resemble each other. */
  groups: {
    person: next => (next() < GROUP ? 1 : 0),
    score: (a, b, next) => a * b * SHIFT + gauss(next),
    tail: z => GROUP ** 2 * normalTail(z - SHIFT) + (1 - GROUP ** 2) * normalTail(z),
  },
  /** A tail that is as steep far out as near by, where a normal one gets steeper: the hardest case. */
  logistic: {
    person: () => 0,
    score: (_a, _b, next) => {
      const share = next() || 1e-300;
      return Math.log(share / (1 - share)) / LOGISTIC;
    },
    tail: z => 1 / (1 + Math.exp(z * LOGISTIC)),
  },
};
export type ShapeName = keyof typeof SHAPES;

/** Distances of a gallery, by p > q. */
export function galleryOf(shape: ShapeName, fmr: number, users: number, seed: number) {
  const { person, score, tail } = SHAPES[shape];
  const next = random(seed);
  const unit = (1 - THRESHOLD - MEAN) / quantile(tail, fmr);
  const people: number[] = [];
  const rows: number[][] = [];
  while (people.length < users) {
    const one = person(next);
    const row = people.map(other => 1 - MEAN - unit * score(one, other, next));
    if (row.some(distance => distance < THRESHOLD)) continue;
    people.push(one);
    rows.push(row);
  }
  return (p: number, q: number) => rows[p]?.[q] as number;
}

function quantile(tail: (z: number) => number, share: number): number {
  let [low, high] = [SHIFT, 40];
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (tail(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}
