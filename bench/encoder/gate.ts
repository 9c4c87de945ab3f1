/**
 * The checks that must pass before a figure is shown. Descriptors have 128 numbers and norm 1; the same photo gives the
 * same descriptor in two tabs, rated or not; the second scaling of MobileFaceNet is what the SDK makes; its mean is the
 * mean direction; and the figures notice swapped labels. Checked by test/bench/encoder.test.ts on planted faults.
 */
import { genuineTally, impostorTally } from '../../src/calibration/comparisons.ts';
import { between, type People, personsOf } from '../../src/calibration/people.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import type { Described } from './describe.ts';
import { type Encoder, scaled } from './encoders.ts';
import { meanOf, rowOf } from './figures.ts';
import type { Kind } from './page.ts';
import { photoAt, type Site } from './site.ts';

export const SAME = 1e-6;
/** Comparisons that suffice to show whether labels mean anything. */
const ENOUGH = 200_000;
/** Photos that are described twice. */
const REPEATED = 3;

/** @returns the fault, or null */
export function normFault(norm: number): string | null {
  return Math.abs(norm - 1) <= SAME ? null : `a descriptor has norm ${norm}, not 1`;
}

/** @param what names the two */
export function sameFault(what: string, one: ArrayLike<number>, other: ArrayLike<number>): string | null {
  const rest = Math.hypot(...Array.from(one, (value, i) => value - (other[i] as number)));
  return (rest * rest) / 2 < SAME ? null : `${what} differ by a distance of ${(rest * rest) / 2}`;
}

/**
 * Every person with two photos passes one of them to the next such person: genuine pairs must then be farther apart.
 * First photos are tried, then last ones, because a photo may have had a wrong label from the start.
 */
export function swapFault(people: People): string | null {
  const before = separation(people);
  for (const which of ['first', 'last'] as const) {
    const swapped = swappedIn(people, which);
    if (!swapped) return 'fewer than two people have two photos that can be used';
    if (separation(swapped) > before + SAME) return null;
  }
  return 'swapped labels do not move the distances of genuine pairs';
}

/** Mean distance of genuine pairs minus that of impostors; negative for an encoder that separates people. */
function separation(people: People): number {
  const [genuine, impostor] = [genuineTally(people, 0.35, 1, ENOUGH), impostorTally(people, 0.35, 1, ENOUGH)];
  return genuine.sum / genuine.comparisons - impostor.sum / impostor.comparisons;
}

function swappedIn({ vectors, norms, starts }: People, which: 'first' | 'last'): People | null {
  const copy = vectors.slice();
  const rows = Array.from(starts.subarray(1), (end, p) => {
    const from = starts[p] as number;
    return end - from < 2 ? [] : [which === 'first' ? from : end - 1];
  }).flat();
  for (const [i, row] of rows.entries()) {
    const from = rows[(i + 1) % rows.length] as number;
    copy.set(vectors.subarray(from * DIMENSIONS, (from + 1) * DIMENSIONS), row * DIMENSIONS);
  }
  return rows.length < 2 ? null : { vectors: copy, norms, starts };
}

/** The SDK's mean of three photos of a few people, against the sum of their numbers, made as long as they were. */
export function meanFault(people: People, { mean }: Pick<Encoder, 'mean'>): string | null {
  if (!mean) return null;
  const starts = [...people.starts].filter((from, p) => (people.starts[p + 1] as number) - from >= 3);
  for (const from of starts.slice(0, REPEATED)) {
    const three = [0, 1, 2].map(i => rowOf(people, from + i));
    const constant = three[0]?.at(-1) as number;
    const sum = Array.from({ length: DIMENSIONS - 1 }, (_, i) =>
      three.reduce((total, one) => total + (one[i] as number), 0),
    );
    const longer = Math.sqrt(sum.reduce((total, value) => total + value ** 2, 0) / (1 - constant ** 2));
    const wanted = [...sum.map(value => value / longer), constant];
    const fault = sameFault('the mean of three photos and their sum', wanted, meanOf(three, mean));
    if (fault) return fault;
  }
  return null;
}

/** Describes a few photos again in a second tab, without rating them, and compares. @returns faults by encoder */
export async function repeatFaults(
  described: Described,
  encoders: readonly Encoder[],
  site: Site,
): Promise<Map<string, string>> {
  const faults = new Map<string, string>();
  const kinds: Kind[] = [...described.networks];
  if (kinds.includes('mobilefacenet')) kinds.push('mobilefacenet 1e-4');
  const tab = await site.tab();
  const photos = described.outcomes
    .flatMap((outcome, i) => (outcome === 'described' ? [i] : []))
    .slice(0, REPEATED);
  for (const photo of photos) {
    const bytes = await photoAt(described.folder.photos[photo]?.path as string);
    const { descriptors } = await tab.describe(bytes, kinds, { plain: true });
    for (const encoder of encoders) {
      const again = descriptors[
        kinds.indexOf(encoder.scale === undefined ? encoder.network : 'mobilefacenet 1e-4')
      ] as number[];
      const at = described.networks.indexOf(encoder.network);
      const first = described.vectors[at]?.subarray(
        photo * DIMENSIONS,
        (photo + 1) * DIMENSIONS,
      ) as Float32Array;
      const fault = sameFault('two descriptions of one photo', scaled(encoder, first), again);
      if (fault) faults.set(encoder.name, fault);
    }
  }
  await tab.close();
  return faults;
}

export interface LookAlike {
  /** Rows of the two descriptors. */
  readonly one: number;
  readonly other: number;
  readonly distance: number;
}

/** Smaller than the distance between any two photos, even taken in quick succession. */
const SAME_PICTURE = 0.02;
/** Above this number of descriptors only identical files are looked for: comparing every pair would take minutes. */
const MOST_ROWS = 20_000;
const MOST_REPORTED = 20;

/** The same picture under two labels, nearest pairs first: a label is wrong, or two people are twins. */
export function lookAlikes({ vectors, starts, norms }: People, hashes: readonly string[]): LookAlike[] {
  const found: LookAlike[] = [];
  const persons = personsOf({ vectors, starts, norms });
  const near = (one: number, other: number) => {
    const distance = between(vectors, one, other);
    if (distance < SAME_PICTURE || hashes[one] === hashes[other]) found.push({ one, other, distance });
  };
  if (hashes.length > MOST_ROWS) {
    const first = new Map<string, number>();
    for (let p = 0; p < persons; p++)
      for (let row = starts[p] as number; row < (starts[p + 1] as number); row++) {
        const known = first.get(hashes[row] as string);
        if (known === undefined) first.set(hashes[row] as string, row);
        else if (known < (starts[p] as number)) near(known, row);
      }
  } else
    for (let p = 0; p < persons; p++)
      for (let row = starts[p] as number; row < (starts[p + 1] as number); row++)
        for (let other = starts[p + 1] as number; other < hashes.length; other++) near(row, other);
  return found.sort((a, b) => a.distance - b.distance).slice(0, MOST_REPORTED);
}
