/**
 * How the core turns the vectors of a gallery, for bound.long.test.ts: it is read from the core's scratch, so it cannot fall
 * behind the core.
 */
import * as assert from 'uvu/assert';
import { BUILDS, Side } from './both.ts';

export const DIMENSIONS = 128;

export interface Frame {
  /** The turned vector; coordinate 0 lies on the gallery's axis. */
  forth(vector: ArrayLike<number>): Float64Array;
  /** The stored vector whose turned one points like this. */
  back(turned: ArrayLike<number>): Float32Array;
}

/** The frame of a gallery that holds these templates, up to 95 of them. */
export function frameOf(base: readonly Float32Array[]): Frame {
  const side = new Side(BUILDS[0] as (typeof BUILDS)[number], { threshold: 1, margin: 0 });
  const gallery = side.core.create();
  for (const vector of base) side.core.add(gallery, 1, vector, 0);
  // The turned vector lies behind the template that was added last, in the scratch: the first pages after page 0.
  const scratch = new Float32Array(side.memory.buffer, 65536, 32768);
  const mark = new Float32Array(DIMENSIONS).fill(DIMENSIONS ** -0.5);
  mark[7] = -(mark[7] as number);
  side.core.remove(gallery, side.core.add(gallery, 1, mark, 0));
  const at = scratch.findIndex((_, i) => mark.every((x, k) => scratch[i + k] === x));
  const rows = Array.from({ length: DIMENSIONS }, (_, i) => {
    const axis = new Float32Array(DIMENSIONS);
    axis[i] = 1;
    const slot = side.core.add(gallery, 1, axis, 0);
    const row = Float64Array.from(scratch.subarray(at + DIMENSIONS, at + 2 * DIMENSIONS));
    side.core.remove(gallery, slot);
    return row;
  });
  for (const [i, row] of rows.entries())
    for (const j of [i, (i + 1) % DIMENSIONS, (i * 7 + 5) % DIMENSIONS])
      assert.ok(
        Math.abs(dot(row, rows[j] as Float64Array) - (i === j ? 1 : 0)) < 1e-5,
        'turning keeps angles',
      );
  return {
    forth(vector) {
      const turned = new Float64Array(DIMENSIONS);
      for (let i = 0; i < DIMENSIONS; i++) {
        const [x, row] = [vector[i] as number, rows[i] as Float64Array];
        for (let k = 0; k < DIMENSIONS; k++) turned[k] = (turned[k] as number) + x * (row[k] as number);
      }
      return turned;
    },
    back(turned) {
      const vector = rows.map(row => dot(row, turned));
      const norm = normOf(vector);
      return Float32Array.from(vector, x => x / norm);
    },
  };
}

export function normOf(v: ArrayLike<number>): number {
  return Math.sqrt(dot(v, v));
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
