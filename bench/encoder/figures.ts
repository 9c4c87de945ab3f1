/**
 * Figures in the terms of ISO/IEC 19795, computed by the code of `calibrate`: false match and false non-match rates, by
 * tenth of the norm too, thresholds for a target FMR, and galleries of users who enrolled one photo, several, or the
 * mean of several. Checked by test/bench/encoder.test.ts.
 */
import { genuineTally, impostorTally } from '../../src/calibration/comparisons.ts';
import { identify } from '../../src/calibration/identification.ts';
import { type Rate, rateByPerson } from '../../src/calibration/intervals.ts';
import { between, type People, personsOf, putUnit } from '../../src/calibration/people.ts';
import { wantedOf } from '../../src/calibration/report.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import type { FaceEncoder } from '../../src/sdk/browser/types.ts';
import type { Row } from '../table.ts';
import { complement, type Measure, scientific, TOO_FEW } from './report.ts';

/** The service's own rule. */
export const RULE = { threshold: 0.35, margin: 0.04 } as const;
/** That setting, and those for larger apps. */
const THRESHOLDS = [RULE.threshold, 0.32, 0.3];
const USERS = [100, 250, 1_000];
const SEED = 1;
const WANTED_FMR = [1e-3, 1e-4];

/** A share of cases that each belong to a person. */
export class Share {
  readonly #errors: Float64Array;
  readonly #trials: Float64Array;

  constructor(persons: number) {
    this.#errors = new Float64Array(persons);
    this.#trials = new Float64Array(persons);
  }

  add(person: number, isError: boolean): void {
    (this.#trials[person] as number)++;
    if (isError) (this.#errors[person] as number)++;
  }

  rate = (): Rate | null => rateByPerson(this.#errors, this.#trials);
}

/**
 * One photo against one.
 * @param at columns that say of what
 * @param photos how many of all these are
 * @param wanted whether to look for thresholds too
 */
export function pairs(people: People, at: Row, photos: Rate | null, wanted: boolean): Measure[] {
  const impostor = impostorTally(people, RULE.threshold, SEED);
  const { error: fnmr } = genuineTally(people, RULE.threshold, SEED);
  const rates = { photos, fmr: impostor.error, fnmr };
  const found = (wanted ? WANTED_FMR : []).flatMap((wantedFmr): Measure[] => {
    const one = wantedOf(people, impostor, { wantedFmr, seed: SEED });
    if (!one) return [];
    const { threshold, certainty, fnmr } = one;
    const isKnown = certainty !== 'beyond';
    const note = certainty === 'rough' ? 'rough: fewer than 30 false matches allowed' : '';
    const columns = { wanted_fmr: scientific(wantedFmr), threshold: isKnown ? threshold : TOO_FEW, note };
    return [{ measure: 'thresholds', at: { ...at, ...columns }, rates: { fnmr: isKnown ? fnmr : null } }];
  });
  return [{ measure: 'pairs', at: { ...at, people: personsOf(people) }, rates }, ...found];
}

/**
 * By tenth of the photos, weakest norms first: how many `isRefused` refuses, and the FNMR of the genuine pairs whose
 * weaker photo is in it.
 */
export function tenths(people: People, at: Row, isRefused: (row: number) => boolean): Measure[] {
  const { norms, starts, vectors } = people;
  const sorted = norms.toSorted();
  const limits = Array.from({ length: 11 }, (_, k) => sorted[Math.floor((k * sorted.length) / 10)] ?? 0);
  limits[10] = sorted.at(-1) ?? 0;
  const tenthOf = (norm: number) => limits.slice(1, 10).filter(limit => norm >= limit).length;
  const shares = Array.from({ length: 10 }, () => ({
    fnmr: new Share(personsOf(people)),
    refused: new Share(personsOf(people)),
  }));
  const shareAt = (norm: number) => shares[tenthOf(norm)] as (typeof shares)[number];
  for (let p = 0; p < personsOf(people); p++)
    for (let i = starts[p] as number; i < (starts[p + 1] as number); i++) {
      const norm = norms[i] as number;
      shareAt(norm).refused.add(p, isRefused(i));
      for (let j = i + 1; j < (starts[p + 1] as number); j++)
        shareAt(Math.min(norm, norms[j] as number)).fnmr.add(p, between(vectors, i, j) >= RULE.threshold);
    }
  return shares.map(({ fnmr, refused }, tenth) => {
    const [from, to] = [limits[tenth] as number, limits[tenth + 1] as number];
    return {
      measure: 'tenths',
      at: { ...at, tenth: tenth + 1, norm_from: from, norm_to: to },
      rates: { fnmr: fnmr.rate(), refused_by_quality: refused.rate() },
    };
  });
}

/** How people enroll, and sign in. */
export interface Plan {
  readonly templates: number;
  /** One template that is the mean of so many photos. */
  readonly mean?: boolean;
  /** Photos whose mean signs in. */
  readonly probe?: number;
}

const PLANS: readonly Plan[] = [
  { templates: 1 },
  { templates: 3 },
  { templates: 5 },
  { templates: 3, mean: true },
  { templates: 5, mean: true },
  { templates: 3, mean: true, probe: 3 },
  { templates: 5, mean: true, probe: 3 },
];

export interface SignIns {
  readonly mean?: FaceEncoder['mean'] | undefined;
  /** Only the service's own threshold, the smallest galleries, and one photo to sign in. */
  readonly isBrief?: boolean;
  /** Whose sign-ins count, by person; the galleries contain everyone. */
  readonly of?: (person: number) => boolean;
}

/** Sign-ins by the service's rule: the first photos of people who have enough are enrolled, all others sign in. */
export function signIns(
  people: People,
  at: Row,
  { mean, isBrief = false, of = () => true }: SignIns = {},
): Measure[] {
  const thresholds = isBrief ? THRESHOLDS.slice(0, 1) : THRESHOLDS;
  const users = isBrief ? USERS.slice(0, 1) : USERS;
  return PLANS.filter(plan => (mean || !plan.mean) && !(isBrief && plan.probe)).flatMap(plan => {
    const { people: arranged, enrolled } = arrange(people, plan, mean);
    const members = enrolled.filter(count => count > 0).length;
    const filled = users.filter(count => count < members);
    const scope = {
      enrolled: (_: number, p: number) => enrolled[p] as number,
      sizes: filled.length > 0 || members < 2 ? filled : [members - 1],
      thresholds,
      signsIn: of,
    };
    const columns = {
      ...at,
      enrolled: enrolledAs(plan),
      sign_in: plan.probe ? `mean of ${plan.probe}` : '1 photo',
      people: members,
    };
    return identify(arranged, RULE, SEED, scope).sizes.map(
      ({ threshold, users, fnir, fpir }): Measure => ({
        measure: 'sign_ins',
        at: { ...columns, threshold, users },
        rates: { owners: fnir && complement(fnir), strangers: fpir },
      }),
    );
  });
}

export const enrolledAs = ({ templates, mean }: Plan): string =>
  templates === 1 ? '1' : `${templates} ${mean ? 'as one mean' : 'apart'}`;

/** @returns people whose first rows are what they enroll, and how many these are; the others are what signs in */
export function arrange(
  people: People,
  { templates, mean: asMean = false, probe = 1 }: Plan,
  mean?: FaceEncoder['mean'],
) {
  const rows: ArrayLike<number>[] = [];
  const starts = [0];
  const enrolled: number[] = [];
  for (let p = 0; p < personsOf(people); p++) {
    const all = Array.from(
      { length: (people.starts[p + 1] as number) - (people.starts[p] as number) },
      (_, i) => rowOf(people, (people.starts[p] as number) + i),
    );
    const first = all.length >= templates + probe ? all.slice(0, templates) : [];
    const rest = all.slice(first.length);
    const made = asMean && first.length > 0 ? [meanOf(first, mean)] : first;
    enrolled.push(made.length);
    rows.push(...made);
    for (let i = 0; i + probe <= rest.length; i += probe)
      rows.push(probe === 1 ? (rest[i] as Float32Array) : meanOf(rest.slice(i, i + probe), mean));
    starts.push(rows.length);
  }
  const vectors = new Float32Array(rows.length * DIMENSIONS);
  const norms = Float64Array.from(rows, (row, i) => putUnit(row, vectors, i));
  return { people: { vectors, norms, starts: Uint32Array.from(starts) }, enrolled };
}

export const rowOf = ({ vectors }: People, row: number) =>
  vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);

/** By the SDK. Rounding has moved the constants of the descriptors apart, which it does not accept. */
export function meanOf(descriptors: readonly ArrayLike<number>[], mean: FaceEncoder['mean']): number[] {
  if (!mean) throw new Error('the encoder has no mean');
  const constant = descriptors[0]?.[DIMENSIONS - 1] as number;
  return mean(descriptors.map(one => Array.from(one).with(DIMENSIONS - 1, constant)));
}
