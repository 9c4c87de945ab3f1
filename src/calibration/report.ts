/**
 * All results of a calibration, as data: error rates of comparisons and of the service's rule, the threshold for a
 * wanted FMR, how large a gallery may be, centring, and what these descriptors cannot show. Terms follow ISO/IEC 19795.
 * The same descriptors and seed give the same report. Held by test/calibration/report.test.ts.
 */
import { type CentringVerdict, centred, centringVerdict } from './centring.ts';
import { genuineTally, impostorTally, type Tally } from './comparisons.ts';
import { type Groups, groupsOf } from './groups.ts';
import { type Identification, identify, type Rule } from './identification.ts';
import type { Rate } from './intervals.ts';
import { descriptorsOf, type Kept, type People, personsOf } from './people.ts';
import {
  curveOf,
  extrapolatedFpir,
  extrapolatedUsers,
  type Point,
  quantile,
  SAFE_FPIR,
  thresholdFor,
} from './thresholds.ts';

/** Comparisons of centred descriptors. Fewer are enough: the figures are a forecast, not a measurement. */
const MOST_CENTRED = 2_000_000;
/** The largest gallery size that is extrapolated. */
const LARGEST_GALLERY = 1_000_000;
/** Above this FPIR everybody gets in, so larger galleries are not listed. */
const EVERYBODY = 0.99;
/** FPIRs for which the largest gallery is reported. */
const WANTED_FPIR = [SAFE_FPIR, 0.01];
/** With 30 errors, a threshold is accurate to about a third (the rule of 30). */
const ERRORS_TO_BE_SURE = 30;

export interface Options {
  readonly rule: Rule;
  readonly wantedFmr: number;
  readonly seed: number;
}

interface AtThreshold {
  readonly threshold: number;
  readonly fmr: Rate;
  readonly fnmr: Rate | null;
}

export interface Wanted extends AtThreshold {
  readonly wantedFmr: number;
  /** `beyond`: too few comparisons to show it, even with no error. `rough`: fewer than 30 errors are allowed. */
  readonly certainty: 'measured' | 'rough' | 'beyond';
}

interface Extrapolated {
  readonly users: number;
  readonly fpir: number;
  readonly high: number;
}

interface LargestGallery {
  readonly fpir: number;
  /** By the measured rate, and by the end of its interval; null: unlimited. */
  readonly users: number | null;
  readonly safeUsers: number;
}

export interface Spread {
  readonly mean: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

interface Centring {
  readonly verdict: CentringVerdict;
  readonly persons: number;
  readonly meanOfOthers: boolean;
  readonly impostor: Spread;
  readonly fmr: Rate;
  readonly fnmr: Rate | null;
  readonly curve: readonly Point[];
}

/** Two names that may be one person. */
interface SimilarPersons {
  readonly labels: readonly [string, string];
  readonly distance: number;
  readonly next: number;
}

export interface Report {
  readonly options: Options;
  readonly persons: number;
  readonly descriptors: number;
  readonly single: number;
  readonly leftOut: Kept['leftOut'];
  readonly genuine: Tally;
  readonly impostor: Tally;
  readonly genuineSpread: Spread | null;
  readonly impostorSpread: Spread | null;
  readonly curve: readonly Point[];
  readonly probes: number;
  readonly templates: number;
  readonly identification: readonly Identification[];
  readonly extrapolated: readonly Extrapolated[];
  readonly wanted: Wanted | null;
  readonly largest: readonly LargestGallery[];
  readonly centring: Centring | null;
  /** Null: the file names no groups. */
  readonly groups: Groups | null;
  /** Closest first, ten at most. */
  readonly lookAlikes: readonly SimilarPersons[];
}

export function calibrate(kept: Kept, options: Options): Report {
  const { people, labels, leftOut } = kept;
  const { rule, seed } = options;
  const persons = personsOf(people);
  const genuine = genuineTally(people, rule.threshold, seed);
  const { nearest, ...impostor } = impostorTally(people, rule.threshold, seed);
  const wanted = wantedOf(people, impostor, options);
  const { sizes, probes, templates } = identify(people, rule, seed);
  const single = Array.from({ length: persons }).filter(
    (_, p) => (people.starts[p + 1] as number) - (people.starts[p] as number) === 1,
  ).length;
  return {
    options,
    persons,
    descriptors: descriptorsOf(people),
    single,
    leftOut,
    genuine,
    impostor,
    genuineSpread: spreadOf(genuine),
    impostorSpread: spreadOf(impostor),
    curve: curveOf(genuine, impostor),
    probes,
    templates,
    identification: sizes,
    ...beyond(sizes),
    wanted,
    centring: centringOf(people, impostor, options),
    groups: groupsOf(kept, rule.threshold, wanted?.threshold || null, seed),
    lookAlikes: nearest.lookAlikes(rule.threshold).map(({ persons: [a, b], distance, next }) => ({
      labels: [labels[a] as string, labels[b] as string],
      distance,
      next,
    })),
  };
}

function spreadOf(tally: Tally): Spread | null {
  if (tally.comparisons === 0) return null;
  const [low, median, high] = [0.01, 0.5, 0.99].map(share => quantile(share, tally)) as [
    number,
    number,
    number,
  ];
  return { mean: tally.sum / tally.comparisons, low, median, high };
}

/**
 * What the rate for one user says about larger galleries. It is the rule's rate, so all templates of the user count.
 */
function beyond(sizes: readonly Identification[]) {
  const one = sizes[0]?.fpir;
  if (!one) return { extrapolated: [], largest: [] };
  const extrapolated: Extrapolated[] = [];
  const measured = sizes.at(-1)?.users ?? 0;
  for (let users = 1; users <= LARGEST_GALLERY; users *= 10)
    if (users > measured && (extrapolated.at(-1)?.fpir ?? 0) < EVERYBODY)
      extrapolated.push({
        users,
        fpir: extrapolatedFpir(one.rate, users),
        high: extrapolatedFpir(one.high, users),
      });
  const largest = WANTED_FPIR.map(fpir => ({
    fpir,
    users: extrapolatedUsers(one.rate, fpir),
    safeUsers: extrapolatedUsers(one.high, fpir) ?? 0,
  }));
  return { extrapolated, largest };
}

/** The threshold for the wanted FMR, counted among the comparisons, and the error rates there. */
export function wantedOf(
  people: People,
  impostor: Tally,
  { wantedFmr, seed }: Pick<Options, 'wantedFmr' | 'seed'>,
): Wanted | null {
  if (impostor.comparisons === 0) return null;
  const threshold = thresholdFor(wantedFmr, impostor);
  const allowed = wantedFmr * impostor.comparisons;
  const certainty = allowed >= ERRORS_TO_BE_SURE ? 'measured' : allowed >= 3 ? 'rough' : 'beyond';
  const fmr = impostorTally(people, threshold, seed).error as Rate;
  return { wantedFmr, certainty, threshold, fmr, fnmr: genuineTally(people, threshold, seed).error };
}

function centringOf(people: People, impostor: Tally, { rule, seed }: Options): Centring | null {
  if (impostor.comparisons === 0) return null;
  const moved = centred(people, seed);
  const apart = impostorTally(moved.people, rule.threshold, seed, MOST_CENTRED);
  const near = genuineTally(moved.people, rule.threshold, seed);
  return {
    verdict: centringVerdict(impostor, rule.threshold),
    persons: personsOf(moved.people),
    meanOfOthers: moved.meanOfOthers,
    impostor: spreadOf(apart) as Spread,
    fmr: apart.error as Rate,
    fnmr: near.error,
    curve: curveOf(near, apart),
  };
}
