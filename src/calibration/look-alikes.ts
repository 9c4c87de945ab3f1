/**
 * Two names that may be one person: near to each other, while everybody else is far from both. Each such pair counts as false
 * matches, so that FMR looks worse than it is. Only the comparisons that were made can show them. It keeps the nearest two persons
 * of each, whatever the number of comparisons. Held by test/calibration/look-alikes.test.ts.
 */

/** Of all pairs the closest ones are listed. */
const MOST_LISTED = 10;
/** Everybody else must be so many times as far. */
const FARTHER = 1.5;

export interface LookAlikes {
  /** Numbers of the persons, the smaller one first. */
  readonly persons: readonly [number, number];
  readonly distance: number;
  /** To whoever is nearest to either of them besides. */
  readonly next: number;
}

export class Nearest {
  readonly #whom: Int32Array;
  readonly #best: Float64Array;
  /** Distance of the nearest person besides. */
  readonly #second: Float64Array;

  constructor(persons: number) {
    this.#whom = new Int32Array(persons).fill(-1);
    this.#best = new Float64Array(persons).fill(Number.POSITIVE_INFINITY);
    this.#second = new Float64Array(persons).fill(Number.POSITIVE_INFINITY);
  }

  met(p: number, q: number, distance: number): void {
    this.#toOne(p, q, distance);
    this.#toOne(q, p, distance);
  }

  #toOne(person: number, other: number, distance: number): void {
    if (distance >= (this.#second[person] as number)) return;
    if (distance >= (this.#best[person] as number)) {
      if (this.#whom[person] !== other) this.#second[person] = distance;
      return;
    }
    if (this.#whom[person] !== other) this.#second[person] = this.#best[person] as number;
    this.#whom[person] = other;
    this.#best[person] = distance;
  }

  /** The closest pairs below the threshold. */
  lookAlikes(threshold: number): LookAlikes[] {
    const found: LookAlikes[] = [];
    for (let p = 0; p < this.#whom.length; p++) {
      const q = this.#whom[p] as number;
      if (q <= p || this.#whom[q] !== p) continue;
      const distance = this.#best[p] as number;
      const next = Math.min(this.#second[p] as number, this.#second[q] as number);
      if (distance < threshold && next >= Math.max(threshold, distance * FARTHER))
        found.push({ persons: [p, q], distance, next });
    }
    return found.sort((a, b) => a.distance - b.distance).slice(0, MOST_LISTED);
  }
}
