/**
 * Figures of one encoder in the terms of ISO/IEC 19795, computed by the code of `calibrate`: false match and false
 * non-match rates, the thresholds for a target FMR, and galleries of 100 users. Checked by
 * test/bench/encoder.test.ts.
 */
import { genuineTally, impostorTally } from '../../src/calibration/comparisons.ts';
import { identify } from '../../src/calibration/identification.ts';
import type { Rate } from '../../src/calibration/intervals.ts';
import { descriptorsOf, type People, personsOf } from '../../src/calibration/people.ts';
import { type Wanted, wantedOf } from '../../src/calibration/report.ts';
import { someOf } from './describe.ts';

/** The service's own rule. */
export const RULE = { threshold: 0.35, margin: 0.04 } as const;
const SEED = 1;
const WANTED_FMR = [1e-3, 1e-4];
const TEMPLATES = [1, 3];
const USERS = 100;

export interface Verified {
  readonly people: number;
  readonly photos: number;
  readonly fmr: Rate | null;
  readonly fnmr: Rate | null;
  readonly wanted: readonly (Wanted | null)[];
}

export interface Gallery {
  readonly templates: number;
  readonly users: number;
  /** People with more photos than templates. */
  readonly people: number;
  /** How often an owner is not recognised. */
  readonly fnir: Rate | null;
  /** How often a stranger is accepted as some user. */
  readonly fpir: Rate | null;
}

export function verified(people: People): Verified {
  const impostor = impostorTally(people, RULE.threshold, SEED);
  const { error: fnmr } = genuineTally(people, RULE.threshold, SEED);
  return {
    people: personsOf(people),
    photos: descriptorsOf(people),
    fmr: impostor.error,
    fnmr,
    wanted: WANTED_FMR.map(wantedFmr => wantedOf(people, impostor, { wantedFmr, seed: SEED })),
  };
}

/** @param of whose sign-ins count, by person; the galleries contain everyone */
export function galleries(people: People, of: (person: number) => boolean = () => true): Gallery[] {
  return TEMPLATES.map(templates => {
    const chosen = Array.from({ length: personsOf(people) }, (_, p) => p).filter(
      p => (people.starts[p + 1] as number) - (people.starts[p] as number) > templates,
    );
    const users = Math.min(USERS, chosen.length - 1);
    const none = { templates, users: Math.max(0, users), people: chosen.length, fnir: null, fpir: null };
    if (users < 1) return none;
    const { sizes } = identify(someOf(people, chosen), RULE, SEED, {
      enrolled: () => templates,
      sizes: [users],
      signsIn: person => of(chosen[person] as number),
    });
    return { ...none, fnir: sizes[0]?.fnir ?? null, fpir: sizes[0]?.fpir ?? null };
  });
}
