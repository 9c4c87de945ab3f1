/**
 * Describes every photo once, in a tab per core, and keeps 128 numbers per network and photo, in memory only. Nothing
 * of the photo itself is kept. Checked by test/browser/bench-encoder.test.ts.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type People, putUnit } from '../../src/calibration/people.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import { type Encoder, type Network, scaled } from './encoders.ts';
import type { Folder } from './folder.ts';
import type { PhotoResult } from './page.ts';
import { photoAt, type Site } from './site.ts';

const MOST_TABS = 4;
/** For fewer photos it does not pay to load another tab. */
const PHOTOS_PER_TAB = 20;
/** Photos between two progress messages. */
const PROGRESS_EVERY = 500;

/** What became of a photo. */
export type Outcome = PhotoResult['outcome'] | 'refused';

export interface Described {
  readonly folder: Folder;
  readonly networks: readonly Network[];
  /** By photo. `refused`: the SDK would ask for a better picture. */
  readonly outcomes: readonly Outcome[];
  /** SHA-256 of each file, by photo. */
  readonly hashes: readonly string[];
  /** What the SDK would ask for, and how often. */
  readonly problems: ReadonlyMap<string, number>;
  /** Descriptors by network: a row per photo. */
  readonly vectors: readonly Float32Array[];
  /** The norm farthest from 1, by network. */
  readonly norms: readonly number[];
  readonly findMs: readonly number[];
  readonly describeMs: readonly (readonly number[])[];
  readonly seconds: number;
}

export async function describePhotos(
  folder: Folder,
  networks: readonly Network[],
  site: Site,
  anyQuality: boolean,
): Promise<Described> {
  const { photos } = folder;
  const outcomes: Outcome[] = new Array(photos.length);
  const hashes: string[] = new Array(photos.length);
  const problems = new Map<string, number>();
  const vectors = networks.map(() => new Float32Array(photos.length * DIMENSIONS));
  const norms = networks.map(() => 1);
  const findMs: number[] = [];
  const describeMs: number[][] = networks.map(() => []);
  const began = performance.now();
  let [next, done] = [0, 0];

  const record = (i: number, result: PhotoResult) => {
    const { outcome, problem } = result;
    if (problem) problems.set(problem, (problems.get(problem) ?? 0) + 1);
    outcomes[i] = outcome === 'described' && problem && !anyQuality ? 'refused' : outcome;
    if (outcome !== 'described') return;
    findMs.push(result.findMs);
    for (const [n, descriptor] of result.descriptors.entries()) {
      (describeMs[n] as number[]).push(result.describeMs[n] as number);
      const norm = Math.hypot(...descriptor);
      const worst = descriptor.length === DIMENSIONS ? norm : Number.NaN;
      if (!(Math.abs(worst - 1) <= Math.abs((norms[n] as number) - 1))) norms[n] = worst;
      putUnit(descriptor, vectors[n] as Float32Array, i);
    }
  };
  const work = async () => {
    const tab = await site.tab();
    for (let i = next++; i < photos.length; i = next++) {
      const bytes = await photoAt(photos[i]?.path as string);
      hashes[i] = createHash('sha256').update(bytes).digest('base64');
      record(i, await tab.describe(bytes, networks));
      if (++done % PROGRESS_EVERY === 0) console.error(`${done} of ${photos.length} photos …`);
    }
    await tab.close();
  };
  const tabs = Math.min(availableParallelism(), MOST_TABS, Math.ceil(photos.length / PHOTOS_PER_TAB));
  await Promise.all(Array.from({ length: tabs }, work));
  const seconds = (performance.now() - began) / 1000;
  return { folder, networks, outcomes, hashes, problems, vectors, norms, findMs, describeMs, seconds };
}

/** People with at least one photo that counts, and their indices in the folder. */
export interface Labelled {
  readonly people: People;
  /** Index in the folder, by person. */
  readonly persons: readonly number[];
  /** Index in the folder, by row. */
  readonly photos: readonly number[];
}

/** An encoder's descriptors of the photos that count. */
export function labelledBy(encoder: Encoder, { folder, networks, outcomes, vectors }: Described): Labelled {
  const raw = vectors[networks.indexOf(encoder.network)] as Float32Array;
  const photos = folder.photos.flatMap((_, i) => (outcomes[i] === 'described' ? [i] : []));
  const descriptors = new Float32Array(photos.length * DIMENSIONS);
  const [persons, starts]: [number[], number[]] = [[], []];
  for (const [row, photo] of photos.entries()) {
    const { person } = folder.photos[photo] as { person: number };
    if (person !== persons.at(-1)) {
      persons.push(person);
      starts.push(row);
    }
    putUnit(scaled(encoder, raw.subarray(photo * DIMENSIONS, (photo + 1) * DIMENSIONS)), descriptors, row);
  }
  return { people: peopleFrom(descriptors, [...starts, photos.length]), persons, photos };
}

export function peopleFrom(vectors: Float32Array, starts: readonly number[]): People {
  const norms = new Float64Array(vectors.length / DIMENSIONS).fill(1);
  return { vectors, norms, starts: Uint32Array.from(starts) };
}

/** Some of the people, given as indices in order. */
export function someOf({ vectors, starts }: People, chosen: readonly number[]): People {
  const ranges = chosen.map(p => [starts[p] as number, starts[p + 1] as number] as const);
  const ends = [0];
  for (const [from, to] of ranges) ends.push((ends.at(-1) as number) + to - from);
  const copy = new Float32Array((ends.at(-1) as number) * DIMENSIONS);
  for (const [i, [from, to]] of ranges.entries())
    copy.set(vectors.subarray(from * DIMENSIONS, to * DIMENSIONS), (ends[i] as number) * DIMENSIONS);
  return peopleFrom(copy, ends);
}
