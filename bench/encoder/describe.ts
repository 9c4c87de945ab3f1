/**
 * Describes every photo once, in a tab per core, and keeps 128 numbers per network and photo, in memory only. Nothing
 * of the photo itself is kept. Checked by test/browser/bench-encoder.test.ts.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type People, putUnit } from '../../src/calibration/people.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import { SIDES } from '../../src/sdk/browser/encoders/face-finder.ts';
import { NORM } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { type Encoder, type Network, scaled } from './encoders.ts';
import type { Folder } from './folder.ts';
import type { Look, PhotoResult } from './page.ts';
import { photoAt, type Site } from './site.ts';

const MOST_TABS = 4;
/** For fewer photos it does not pay to load another tab. */
const PHOTOS_PER_TAB = 20;
/** Photos between two progress messages. */
const PROGRESS_EVERY = 500;

/** Photos on which each side of the tiny detector's input is tried alone. It takes longer than all else. */
const MOST_LOOKS = 1_000;

export type Described = Readonly<Awaited<ReturnType<typeof describePhotos>>>;

export async function describePhotos(folder: Folder, networks: readonly Network[], site: Site) {
  const { photos } = folder;
  const outcomes: PhotoResult['outcome'][] = new Array(photos.length);
  /** SHA-256 of each file, by photo. */
  const hashes: string[] = new Array(photos.length);
  /** What the SDK's judgement of light, size and direction finds wrong, by photo. */
  const problems: (string | null)[] = new Array(photos.length).fill(null);
  /** Descriptors by network: a row per photo. */
  const vectors = networks.map(() => new Float32Array(photos.length * DIMENSIONS));
  /** Norms of the network's output before scaling: by network, then by photo. NaN if the encoder rates nothing. */
  const strengths = networks.map(() => new Float64Array(photos.length).fill(Number.NaN));
  /** The descriptor's norm farthest from 1, by network. */
  const norms = networks.map(() => 1);
  const findMs: number[] = new Array(photos.length);
  /** What the detector finds at each side alone, by photo; none for most photos of a large folder. */
  const looks: (readonly Look[])[] = new Array(photos.length);
  const describeMs: number[][] = networks.map(() => []);
  const began = performance.now();
  let [next, done] = [0, 0];

  const record = (i: number, result: PhotoResult) => {
    outcomes[i] = result.outcome;
    problems[i] = result.problem;
    findMs[i] = result.findMs;
    looks[i] = result.looks;
    for (const [n, descriptor] of result.descriptors.entries()) {
      (describeMs[n] as number[]).push(result.describeMs[n] as number);
      const norm = Math.hypot(...descriptor);
      const worst = descriptor.length === DIMENSIONS ? norm : Number.NaN;
      if (!(Math.abs(worst - 1) <= Math.abs((norms[n] as number) - 1))) norms[n] = worst;
      putUnit(descriptor, vectors[n] as Float32Array, i);
      const quality = result.qualities[n] ?? Number.NaN;
      (strengths[n] as Float64Array)[i] = NORM.broken + (NORM.good - NORM.broken) * quality;
    }
  };
  const isLookedAt = (i: number) => {
    const nth = (i: number) => Math.floor((i * MOST_LOOKS) / photos.length);
    return photos.length <= MOST_LOOKS || nth(i) !== nth(i + 1);
  };
  const work = async () => {
    const tab = await site.tab();
    for (let i = next++; i < photos.length; i = next++) {
      const bytes = await photoAt(photos[i]?.path as string);
      hashes[i] = createHash('sha256').update(bytes).digest('base64');
      record(i, await tab.describe(bytes, networks, isLookedAt(i) ? { sides: SIDES.tiny } : {}));
      if (++done % PROGRESS_EVERY > 0) continue;
      const each = (performance.now() - began) / 1000 / done;
      console.error(
        `${done} of ${photos.length} photos, ${(1 / each).toFixed(1)} per second, ` +
          `about ${Math.ceil(((photos.length - done) * each) / 60)} more minutes`,
      );
    }
    await tab.close();
  };
  const tabs = Math.min(availableParallelism(), MOST_TABS, Math.ceil(photos.length / PHOTOS_PER_TAB));
  await Promise.all(Array.from({ length: tabs }, work));
  const seconds = (performance.now() - began) / 1000;
  const times = { findMs, describeMs, looks, seconds };
  return { ...{ folder, networks, outcomes, hashes, problems, vectors, strengths, norms }, ...times };
}

/** Which photos a figure is of: all with a face, or of them those that pass one of two judges. */
export type Which = 'any' | 'judged' | 'usable' | 'good';

export const NAMES: Readonly<Record<Which, string>> = {
  any: 'with a face',
  judged: 'passed by quality.ts',
  usable: `norm from ${NORM.broken}`,
  good: `norm from ${NORM.good}`,
};

/** Whether a photo is one of them. */
export function isOf(which: Which, { network }: Encoder, described: Described): (photo: number) => boolean {
  const { networks, outcomes, problems } = described;
  const strengths = described.strengths[networks.indexOf(network)] as Float64Array;
  const passes = {
    any: () => true,
    judged: (photo: number) => problems[photo] === null,
    usable: (photo: number) => (strengths[photo] as number) >= NORM.broken,
    good: (photo: number) => (strengths[photo] as number) >= NORM.good,
  }[which];
  return photo => outcomes[photo] === 'described' && passes(photo);
}

export const hasNorm = ({ network }: Encoder, { networks, strengths }: Described): boolean =>
  strengths[networks.indexOf(network)]?.some(strength => strength > 0) === true;

/** People with at least one photo that counts, and their indices in the folder. */
export interface Labelled {
  /** `norms` are those of the network's output. */
  readonly people: People;
  /** Index in the folder, by person. */
  readonly persons: readonly number[];
  /** Index in the folder, by row. */
  readonly photos: readonly number[];
}

/** An encoder's descriptors of the photos that count. */
export function labelledBy(
  encoder: Encoder,
  described: Described,
  counts: (photo: number) => boolean,
): Labelled {
  const { folder, networks } = described;
  const at = networks.indexOf(encoder.network);
  const raw = described.vectors[at] as Float32Array;
  const photos = folder.photos.flatMap((_, i) => (counts(i) ? [i] : []));
  const vectors = new Float32Array(photos.length * DIMENSIONS);
  const [persons, starts]: [number[], number[]] = [[], []];
  for (const [row, photo] of photos.entries()) {
    const { person } = folder.photos[photo] as { person: number };
    if (person !== persons.at(-1)) {
      persons.push(person);
      starts.push(row);
    }
    putUnit(scaled(encoder, raw.subarray(photo * DIMENSIONS, (photo + 1) * DIMENSIONS)), vectors, row);
  }
  const norms = Float64Array.from(photos, photo => described.strengths[at]?.[photo] as number);
  return {
    people: { vectors, norms, starts: Uint32Array.from([...starts, photos.length]) },
    persons,
    photos,
  };
}
