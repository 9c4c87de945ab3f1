/**
 * The accepted figures: for every case, how many times faster than each other engine the core was in one interleaved
 * run. On a noisy machine, ratios within one run are more stable than times, and ratios of 5th percentiles more than
 * those of medians. --check fails when a ratio fell by more than the tolerance, or when a count of work, which has no
 * noise, grew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from './run.ts';

const FILE = join(import.meta.dirname, '../accepted.json');
/** Share of an accepted ratio that noise may cost. */
export const LOSS = 0.3;
/** Without approximate ones, whose settings change. */
const PEERS: ReadonlySet<string> = new Set([
  'js',
  'usearch-exact',
  'sqlite-vec',
  'faiss-flat',
  'c-f32',
  'c-2bit',
]);

/** Share by which a count of work may grow. Counts are the same on every machine. */
const GROWTH = 0.05;
const COUNTS = ['refined', 'exact'] as const;

export type Ratios = Readonly<Record<string, number>>;

export function ratiosOf(measured: readonly Measured[]): Ratios {
  const caseOf = ({ data, n, q, probes, caches }: Measured) => [data, n, q, probes, caches].join('/');
  const ours = new Map(
    measured.filter(row => row.engine === 'wasm' && row.threads === 1).map(row => [caseOf(row), row.p5_ms]),
  );
  const ratios = measured
    .filter(row => PEERS.has(row.engine) && ours.has(caseOf(row)))
    .map(row => [
      `${caseOf(row)}/${row.engine}`,
      Number((row.p5_ms / (ours.get(caseOf(row)) as number)).toPrecision(4)),
    ]);
  const counts = measured
    .filter(row => row.caches === 'warm')
    .flatMap(row => COUNTS.map(name => [`${caseOf(row)}/${row.queries} queries/${name}`, row[name]] as const))
    .filter(([, value]) => value !== null);
  return Object.fromEntries([...ratios, ...counts]);
}

/** One line for each regression. Cases that only one side has are ignored. */
export function regressions(accepted: Ratios, now: Ratios): string[] {
  const grown: string[] = [];
  /** New ratio divided by the accepted one: by case, one for each engine. */
  const remaining = new Map<string, number[]>();
  for (const [name, before] of Object.entries(accepted)) {
    const after = now[name];
    if (after === undefined) continue;
    const where = name.slice(0, name.lastIndexOf('/'));
    if (!COUNTS.some(count => name.endsWith(`/${count}`)))
      remaining.set(where, [...(remaining.get(where) ?? []), after / before]);
    else if (after > before * (1 + GROWTH) + 1)
      grown.push(`${name}: ${before} templates per search when accepted, ${after} now`);
  }
  const slower = [...remaining]
    .map(([where, shares]) => [where, median(shares)] as const)
    .filter(([, share]) => share < 1 - LOSS)
    .map(
      ([where, share]) =>
        `${where}: relative to other engines ${(share * 100).toFixed(0)} % as fast as when accepted`,
    );
  return [...grown, ...slower];
}

/** Of all engines in a case: if only one of them was faster for a moment, the core is not slower. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

export const acceptedFigures = (): Ratios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Cases that this run did not measure stay as they are. */
export function accept(now: Ratios): void {
  const all = { ...acceptedFigures(), ...now };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
