/**
 * What a run of the search bench measures: which engines, on which galleries. A wrong option is refused here, before
 * anything is built. Held by test/bench/command-line.test.ts.
 */
import { ENGINES, MAKERS } from '../engines/all.ts';
import type { Maker } from '../engines.ts';
import { type OwnVectors, ownVectors } from '../files/source.ts';
import { ownMakers } from '../own-engine.ts';
import { refuseUnknown, WrongUsage } from '../wrong-usage.ts';
import { DATA } from './data.ts';
import { type Source, seededSource } from './run.ts';
import { type Case, FULL, QUICK, settingsFor, type Tuning } from './trials.ts';

export interface SearchOptions {
  readonly quick: boolean;
  readonly check: boolean;
  readonly accept: boolean;
  readonly publish: boolean;
  /** Folder for the plots. */
  readonly plots?: string | undefined;
  /** Undefined: all. */
  readonly data?: readonly string[] | undefined;
  readonly sizes?: readonly number[] | undefined;
  readonly engines?: readonly string[] | undefined;
  /** Files of own engines. */
  readonly own: readonly string[];
  /** A file of own vectors, which replaces the data sets. */
  readonly file?: string | undefined;
}

export interface Planned {
  readonly makers: readonly Maker[];
  readonly names: ReadonlySet<string>;
  readonly vectors: OwnVectors | null;
  readonly galleries: readonly PlannedGallery[];
}

export interface PlannedGallery {
  readonly n: number;
  readonly cases: readonly Case[];
  readonly settings: readonly Tuning[];
  /** Whether adding and removing are timed. */
  readonly upkeep: boolean;
  /** Whether it counts for the table of memory. */
  readonly memory: boolean;
  source(): Source;
}

/** @throws WrongUsage */
export async function planned(options: SearchOptions): Promise<Planned> {
  const { data, sizes, engines, own, file } = options;
  const recorded = (['publish', 'check', 'accept'] as const).find(name => options[name]);
  if (recorded && (own.length > 0 || file !== undefined))
    throw new WrongUsage(
      `--${recorded} is for the engines and data sets in bench/: leave out --engine and --file`,
    );
  if (file !== undefined && data) throw new WrongUsage('--file replaces the data sets: leave out --data');
  refuseUnknown('data set', data ?? [], DATA);
  refuseUnknown('engine', engines ?? [], ENGINES);
  const wrong = sizes?.find(size => !(Number.isInteger(size) && size > 0));
  if (wrong !== undefined) throw new WrongUsage('--sizes: must be whole numbers, like 10000,100000');
  const makers = [...MAKERS, ...(await ownMakers(own, ENGINES))];
  const names = new Set([...(engines ?? ENGINES), ...makers.slice(MAKERS.length).flatMap(one => one.names)]);
  if (file === undefined) return { makers, names, vectors: null, galleries: seeded(options) };
  const vectors = await ownVectors(file);
  console.error(vectors.about);
  return { makers, names, vectors, galleries: ofFile(vectors, options) };
}

function seeded({ quick, data, sizes }: SearchOptions): PlannedGallery[] {
  const plan = quick ? QUICK : FULL;
  const ofData = plan.cases.filter(one => data?.includes(one.data) ?? true);
  if (ofData.length === 0)
    throw new WrongUsage('--quick has only the data sets faces, easy and hard: leave it out');
  const known = [...new Set(ofData.map(({ n }) => n))];
  const unknown = sizes?.find(size => !known.includes(size));
  if (unknown !== undefined)
    throw new WrongUsage(`--sizes: ${unknown} is not measured here; there are ${known.join(', ')}`);
  const cases = ofData.filter(one => sizes?.includes(one.n) ?? true);
  return [...Map.groupBy(cases, one => `${one.data}/${one.n}`).values()].map(cases => {
    const { data, n } = cases[0] as Case;
    return {
      n,
      cases,
      settings: settingsFor(n, quick, data),
      upkeep: plan.upkeep.has(n) && data === 'faces',
      memory: data === 'faces',
      source: () => seededSource(data, n),
    };
  });
}

function ofFile(vectors: OwnVectors, { quick, sizes }: SearchOptions): PlannedGallery[] {
  const most = vectors.enrolled;
  const large = sizes?.find(size => size > most);
  if (large !== undefined)
    throw new WrongUsage(
      `--sizes: ${large} is more than ${vectors.name} has: its gallery has ${most} templates`,
    );
  return (sizes ?? [most]).map(n => ({
    n,
    cases: vectors.cases(n, quick),
    settings: settingsFor(n, quick),
    upkeep: false,
    memory: true,
    source: () => vectors.source(n),
  }));
}
