/**
 * The competitors of the search trial behind one interface. Both take probes that are normalised already or not
 * (normalising is part of the search) and answer with template and distances, so that each can be checked.
 */
import { Core } from '../src/adapters/wasm/core.ts';
import { loadModule } from '../src/adapters/wasm/module.ts';

export const THRESHOLD = 0.35;
export const MARGIN = 0.04;

export interface Answer {
  /** Index of the best template. */
  readonly template: number;
  readonly distance: number;
  /** Of the best other user; every template in these galleries has a user of its own. */
  readonly otherDistance: number;
}

export interface Engine {
  readonly name: string;
  search(probes: readonly (readonly number[])[]): Answer;
}

const DIMENSIONS = 128;
const MAX_PROBES = 5;

/** The service's core, called on this thread: messages to workers are the other trial. */
export async function wasmEngine(gallery: Float32Array): Promise<Engine> {
  const core = new Core(await loadModule(), { threshold: THRESHOLD, margin: MARGIN });
  const handle = core.create();
  const templates = new Map<number, number>();
  for (let i = 0; i < gallery.length / DIMENSIONS; i++) {
    templates.set(core.add(handle, i + 1, gallery, i * DIMENSIONS), i);
  }
  const flat = new Float64Array(MAX_PROBES * DIMENSIONS);
  const units = new Float32Array(flat.length);
  return {
    name: 'wasm',
    search(probes) {
      for (let i = 0; i < probes.length; i++) flat.set(probes[i] ?? [], i * DIMENSIONS);
      if (core.search(handle, flat, units, 0, probes.length) !== 0) throw new Error('a probe was refused');
      const { slot, distance, otherDistance } = core.found;
      return { template: templates.get(slot) ?? -1, distance, otherDistance };
    },
  };
}

/** What one would write first: a loop over a flat Float32Array, in double. */
export function jsEngine(gallery: Float32Array): Engine {
  const count = gallery.length / DIMENSIONS;
  return {
    name: 'js',
    search(probes) {
      const units = probes.map(unit);
      let template = -1;
      let distance = Number.POSITIVE_INFINITY;
      let otherDistance = Number.POSITIVE_INFINITY;
      for (let t = 0; t < count; t++) {
        const from = t * DIMENSIONS;
        let nearest = Number.POSITIVE_INFINITY;
        for (const probe of units) {
          let sum = 0;
          for (let i = 0; i < DIMENSIONS; i++) sum += (gallery[from + i] as number) * (probe[i] as number);
          if (1 - sum < nearest) nearest = 1 - sum;
        }
        if (nearest < distance) {
          otherDistance = distance;
          distance = nearest;
          template = t;
        } else if (nearest < otherDistance) otherDistance = nearest;
      }
      return { template, distance, otherDistance };
    },
  };
}

/** Normalised in double, rounded to float32. */
export function unit(values: readonly number[]): Float32Array {
  let sum = 0;
  for (const x of values) sum += x * x;
  const norm = Math.sqrt(sum);
  return Float32Array.from(values, x => x / norm);
}
