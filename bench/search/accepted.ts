/**
 * What was last accepted: for every case, how many times faster than each peer the core was in one interleaved run.
 * Ratios of one run outlast a noisy machine better than times do, and those of the times that 5 % of the searches undercut
 * better than those of medians; a ratio that fell by more than the tolerance fails. So do counts of work that grew:
 * those have no noise at all.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from './run.ts';

const FILE = join(import.meta.dirname, '../accepted.json');
/** Share of an accepted ratio that may be lost to noise. */
export const LOSS = 0.3;
/** Graphs are left out: their settings come and go. */
const PEERS: ReadonlySet<string> = new Set([
  'js',
  'usearch-exact',
  'sqlite-vec',
  'faiss-flat',
  'c-f32',
  'c-2bit',
]);

/** Share by which a count of work may grow; counts are the same on every machine. */
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

/** What got worse, one line each; cases that only one side has say nothing. */
export function fallen(accepted: Ratios, now: Ratios): string[] {
  const grown: string[] = [];
  /** What is left of the accepted ratios of a case, one for each peer. */
  const left = new Map<string, number[]>();
  for (const [name, before] of Object.entries(accepted)) {
    const after = now[name];
    if (after === undefined) continue;
    const where = name.slice(0, name.lastIndexOf('/'));
    if (!COUNTS.some(count => name.endsWith(`/${count}`)))
      left.set(where, [...(left.get(where) ?? []), after / before]);
    else if (after > before * (1 + GROWTH) + 1)
      grown.push(`${name}: ${before} templates a search when accepted, ${after} now`);
  }
  const slower = [...left]
    .map(([where, shares]) => [where, median(shares)] as const)
    .filter(([, share]) => share < 1 - LOSS)
    .map(
      ([where, share]) => `${where}: beside its peers ${(share * 100).toFixed(0)} % as fast as when accepted`,
    );
  return [...grown, ...slower];
}

/** The core meets all peers of a case; a moment in which only one of them was faster is not its doing. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

export const lastAccepted = (): Ratios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Cases that this run did not have stay as they were. */
export function accept(now: Ratios): void {
  const all = { ...lastAccepted(), ...now };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
