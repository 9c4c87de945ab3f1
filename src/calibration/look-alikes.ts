/**
 * Finds two names that may be the same person: they are near each other, and everybody else is far from both. Such a
 * pair counts as false matches, so FMR looks worse than it is. Only comparisons that were made can reveal it. Memory is
 * constant per person: each person's nearest neighbour, and the distance to the second nearest. Held by
 * test/calibration/groups.test.ts.
 */

/** At most this many pairs are listed, closest first. */
const MOST_LISTED = 10;
/** Everybody else must be at least this many times as far away. */
const FARTHER = 1.5;

export interface LookAlikes {
  /** Numbers of the persons, the smaller one first. */
  readonly persons: readonly [number, number];
  readonly distance: number;
  /** Distance from either of them to the nearest third person. */
  readonly next: number;
}

export class Nearest {
  readonly #nearest: Int32Array;
  readonly #best: Float64Array;
  /** Distance to the nearest person other than that one. */
  readonly #second: Float64Array;

  constructor(persons: number) {
    this.#nearest = new Int32Array(persons).fill(-1);
    this.#best = new Float64Array(persons).fill(Number.POSITIVE_INFINITY);
    this.#second = new Float64Array(persons).fill(Number.POSITIVE_INFINITY);
  }

  add(p: number, q: number, distance: number): void {
    this.#update(p, q, distance);
    this.#update(q, p, distance);
  }

  #update(person: number, other: number, distance: number): void {
    if (distance >= (this.#second[person] as number)) return;
    if (distance >= (this.#best[person] as number)) {
      if (this.#nearest[person] !== other) this.#second[person] = distance;
      return;
    }
    if (this.#nearest[person] !== other) this.#second[person] = this.#best[person] as number;
    this.#nearest[person] = other;
    this.#best[person] = distance;
  }

  /** The closest pairs below the threshold. */
  lookAlikes(threshold: number): LookAlikes[] {
    const found: LookAlikes[] = [];
    for (let p = 0; p < this.#nearest.length; p++) {
      const q = this.#nearest[p] as number;
      if (q <= p || this.#nearest[q] !== p) continue;
      const distance = this.#best[p] as number;
      const next = Math.min(this.#second[p] as number, this.#second[q] as number);
      if (distance < threshold && next >= Math.max(threshold, distance * FARTHER))
        found.push({ persons: [p, q], distance, next });
    }
    return found.sort((a, b) => a.distance - b.distance).slice(0, MOST_LISTED);
  }
}
