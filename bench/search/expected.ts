/**
 * The right answer to every query: the definitions of test/matcher/reference.ts, computed for many probes in one pass
 * over a gallery. Sums are in double and in index order, as there; test/bench/gate.test.ts compares the two.
 * Cached with the galleries, because for a million templates this takes longer than the searches.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise } from '../../test/matcher/reference.ts';
import { CACHE } from '../cache.ts';
import { progress } from '../progress.ts';
import { DIMENSIONS, type Kind, probe, type Templates } from './data.ts';
import { type Gallery, hashOf } from './gallery.ts';

/** The nearest template, by index, and the distance of the nearest template of any other user. */
export interface Expected {
  readonly template: number;
  readonly user: number;
  readonly distance: number;
  /** Infinity if there is no other user. */
  readonly otherDistance: number;
}

/** One search: its probes as an encoder returns them, and normalised. */
export interface Asked {
  readonly raw: readonly (readonly number[])[];
  readonly units: readonly Float32Array[];
}

export interface Query extends Asked {
  readonly expected: Expected;
}

/** Of probes from elsewhere, the same number for each query. Their answers are not cached. */
export function asQueries(of: Templates, raw: readonly (readonly (readonly number[])[])[]): Query[] {
  const all = asAsked(raw);
  const single = nearest(
    of,
    all.flatMap(({ units }) => units),
  );
  const q = raw[0]?.length ?? 0;
  return all.map((one, i) => ({ ...one, expected: combined(single.slice(i * q, (i + 1) * q)) }));
}

export const asAsked = (raw: readonly (readonly (readonly number[])[])[]): Asked[] =>
  raw.map(probes => ({ raw: probes, units: probes.map(normalise) }));

export const MOST_PROBES = 5;
/** Templates that are compared with all probes before the next ones are read from memory. */
const BLOCK = 256;

/** `count` queries of `q` probes. Queries with fewer probes use the first probes of those with more. */
export function queries(of: Gallery, kind: Kind, q: number, count: number): Query[] {
  const all = asked(of, kind, MOST_PROBES, count);
  const single = cached(`${of.key}-${kind}-${count}`, () =>
    nearest(
      of,
      all.flatMap(({ units }) => units),
    ),
  );
  return all.map(({ raw, units }, query) => ({
    raw: raw.slice(0, q),
    units: units.slice(0, q),
    expected: combined(single.slice(query * MOST_PROBES, query * MOST_PROBES + q)),
  }));
}

/** The same without right answers. */
export function asked(of: Gallery, kind: Kind, q: number, count: number): Asked[] {
  const probes = (query: number) =>
    Array.from({ length: q }, (_, i) => probe(of.data, of.vectors, kind, query, i));
  return asAsked(Array.from({ length: count }, (_, query) => probes(query)));
}

/** Combines the answers for single probes: the nearest wins; on equal distances, the template stored first. */
export function combined(single: readonly Expected[]): Expected {
  const best = single.reduce((a, b) =>
    b.distance < a.distance || (b.distance === a.distance && b.template < a.template) ? b : a,
  );
  const others = single.map(one => (one.user === best.user ? one.otherDistance : one.distance));
  return { ...best, otherDistance: Math.min(...others) };
}

/** The answer for each probe alone. */
export function nearest({ vectors, users }: Templates, probes: readonly Float32Array[]): Expected[] {
  const found = probes.map(() => ({
    template: -1,
    user: 0,
    distance: Number.POSITIVE_INFINITY,
    otherDistance: Number.POSITIVE_INFINITY,
  }));
  const padded = Math.ceil(probes.length / 4) * 4;
  const wide = Array.from({ length: padded }, (_, i) => Float64Array.from(probes[i] ?? probes[0] ?? []));
  const distances = new Float64Array(4 * BLOCK);
  const shown = progress('computing the right answers', users.length);
  for (let from = 0; from < users.length; from += BLOCK, shown.at(from)) {
    const count = Math.min(BLOCK, users.length - from);
    for (let p = 0; p < padded; p += 4) {
      four(vectors, from, count, wide.slice(p, p + 4) as FourProbes, distances);
      for (let i = 0; i < 4 && p + i < probes.length; i++) {
        const state = found[p + i] as (typeof found)[number];
        for (let t = 0; t < count; t++) {
          const distance = distances[4 * t + i] as number;
          if (distance >= state.otherDistance) continue;
          const user = users[from + t] as number;
          if (distance < state.distance) {
            if (user !== state.user) state.otherDistance = state.distance;
            state.distance = distance;
            state.user = user;
            state.template = from + t;
          } else if (user !== state.user) state.otherDistance = distance;
        }
      }
    }
  }
  shown.end();
  return found;
}

type FourProbes = [Float64Array, Float64Array, Float64Array, Float64Array];

function four(
  vectors: Float32Array,
  from: number,
  count: number,
  [a, b, c, d]: FourProbes,
  out: Float64Array,
) {
  for (let t = 0; t < count; t++) {
    const at = (from + t) * DIMENSIONS;
    let [x, y, z, w] = [0, 0, 0, 0];
    for (let i = 0; i < DIMENSIONS; i++) {
      const value = vectors[at + i] as number;
      x += (a[i] as number) * value;
      y += (b[i] as number) * value;
      z += (c[i] as number) * value;
      w += (d[i] as number) * value;
    }
    out[4 * t] = 1 - x;
    out[4 * t + 1] = 1 - y;
    out[4 * t + 2] = 1 - z;
    out[4 * t + 3] = 1 - w;
  }
}

const MADE_BY = hashOf([import.meta.filename]);

function cached(name: string, make: () => Expected[]): Expected[] {
  const file = join(CACHE, `${name}-${MADE_BY}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.error(`computing the right answers (${name})`);
  const made = make();
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
  renameSync(`${file}.${process.pid}`, file);
  return made;
}
