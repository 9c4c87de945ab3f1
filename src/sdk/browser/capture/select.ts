/**
 * Selects among the pictures of a capture that can be used: the best ones that are apart in time, because neighbouring
 * pictures are almost the same. It holds only numbers, never a picture. Held by test/sdk/capture-select.test.ts.
 */

export interface Candidate {
  /** Milliseconds. */
  readonly time: number;
  /** The larger, the better. */
  readonly quality: number;
  /** Whether it may be sent without waiting for a better one. */
  readonly isGood: boolean;
  readonly descriptor: readonly number[];
}

/** Least time between two selected pictures, in milliseconds: of a sign-in, and of an enrollment. */
export const APART = { signIn: 250, enrollment: 500 } as const;
/** The most candidates that are kept. */
const MOST = 24;
/** Two pictures up to this cosine distance are duplicates. Compressing a frozen picture again changes no more. */
const ALIKE = 5e-4;
/** Up to this cosine distance from one of a person's pictures it is that person, as for the service. */
const SAME = 0.35;

/** Selects at most `count` of the best candidates, at least `apart` ms apart, and returns them in order of time. */
export function select(candidates: readonly Candidate[], count: number, apart: number): Candidate[] {
  const taken: Candidate[] = [];
  for (const one of byQuality(candidates)) {
    if (taken.length >= count) break;
    if (taken.every(other => Math.abs(one.time - other.time) >= apart)) taken.push(one);
  }
  return taken.sort((a, b) => a.time - b.time);
}

/** The candidates that one template is made of: of the person whom most of them show, and each picture once. */
export function ofOnePerson(candidates: readonly Candidate[]): readonly Candidate[] {
  const groups = byQuality(candidates).map(one =>
    candidates.filter(({ descriptor }) => isOfOne(descriptor, [one])),
  );
  return distinct(groups.reduce((most, group) => (group.length > most.length ? group : most), []));
}

/** Whether a descriptor is of the person in these pictures. */
export const isOfOne = (descriptor: readonly number[], candidates: readonly Candidate[]) =>
  candidates.some(one => distance(one.descriptor, descriptor) <= SAME);

/** Drops candidates that are almost identical to an earlier one, as from a frozen camera. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((one, i) =>
    candidates.slice(0, i).every(other => distance(one.descriptor, other.descriptor) > ALIKE),
  );
}

/** If there are too many, drops the worst one that is not in `chosen`; of equal ones the first. */
export function withoutWorst(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
): readonly Candidate[] {
  if (candidates.length <= MOST) return candidates;
  const spare = candidates.filter(one => !chosen.includes(one));
  const worst = spare.reduce((worst, one) => (one.quality < worst.quality ? one : worst));
  return candidates.filter(one => one !== worst);
}

const byQuality = (candidates: readonly Candidate[]) =>
  [...candidates].sort((a, b) => b.quality - a.quality || a.time - b.time);

function distance(a: readonly number[], b: readonly number[]): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    ab += value * other;
    aa += value * value;
    bb += other * other;
  }
  return 1 - ab / Math.sqrt(aa * bb);
}
