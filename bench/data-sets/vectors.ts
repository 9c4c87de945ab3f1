/** Vector arithmetic that the data sets share. */
import { DIMENSIONS } from '../data-sets.ts';
import type { Random } from '../random.ts';

/** A direction without preference: cosines of two such people are 0.00 ± 0.09. */
export function isotropic(random: Random, target: Float64Array): void {
  random.normals(target);
  unit(target);
}

/** Captures that have this cosine with their template. */
export function captureAt(cosine: number) {
  return (random: Random, template: Float64Array, target: Float64Array): void => {
    const noise = new Float64Array(DIMENSIONS);
    isotropic(random, noise);
    mix(template, cosine, noise, target);
  };
}

/** `count` unit vectors at right angles to each other, in random directions. */
export function orthonormal(random: Random, count: number): Float64Array {
  const all = new Float64Array(count * DIMENSIONS);
  for (let i = 0; i < count; i++) {
    const one = all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
    isotropic(random, one);
    for (let k = 0; k < i; k++) one.set(without(one, all.subarray(k * DIMENSIONS, (k + 1) * DIMENSIONS)));
  }
  return all;
}

/** The point at this cosine from the unit vector `a`, in the direction of `b`; `a` and `b` are not changed. */
export function mix(a: Float64Array, cosine: number, b: Float64Array, target: Float64Array): void {
  const across = dot(a, b);
  let square = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    const rest = at(b, i) - across * at(a, i);
    target[i] = rest;
    square += rest * rest;
  }
  const sine = Math.sqrt((1 - cosine * cosine) / square);
  for (let i = 0; i < DIMENSIONS; i++) target[i] = cosine * at(a, i) + sine * at(target, i);
}

/** The part of `vector` at right angles to a unit vector, scaled to norm 1. */
export function without(vector: Float64Array, axis: Float64Array): Float64Array {
  const along = dot(vector, axis);
  return unit(vector.map((value, i) => value - along * at(axis, i)));
}

export function unit(vector: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(vector, vector));
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = at(vector, i) / norm;
  return vector;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += at(a, i) * at(b, i);
  return sum;
}

const at = (values: Float64Array, i: number) => values[i] as number;
