/**
 * What was last accepted: for every case, how many times faster than each peer the core was in one interleaved run.
 * Ratios of one run outlast a noisy machine better than times do; a ratio that fell by more than the tolerance fails. So do
 * counts of work that grew: those have no noise at all.
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
    measured
      .filter(row => row.engine === 'wasm' && row.threads === 1)
      .map(row => [caseOf(row), row.median_ms]),
  );
  const ratios = measured
    .filter(row => PEERS.has(row.engine) && ours.has(caseOf(row)))
    .map(row => [
      `${caseOf(row)}/${row.engine}`,
      Number((row.median_ms / (ours.get(caseOf(row)) as number)).toPrecision(4)),
    ]);
  const counts = measured
    .filter(row => row.caches === 'warm')
    .flatMap(row => COUNTS.map(name => [`${caseOf(row)}/${row.queries} queries/${name}`, row[name]] as const))
    .filter(([, value]) => value !== null);
  return Object.fromEntries([...ratios, ...counts]);
}

/** What got worse, one line each; cases that only one side has say nothing. */
export function fallen(accepted: Ratios, now: Ratios): string[] {
  return Object.entries(accepted).flatMap(([name, before]) => {
    const after = now[name];
    if (after === undefined) return [];
    if (COUNTS.some(count => name.endsWith(`/${count}`)))
      return after > before * (1 + GROWTH) + 1
        ? [`${name}: ${before} templates a search when accepted, ${after} now`]
        : [];
    return after < before * (1 - LOSS)
      ? [`${name}: ${before} times as fast when accepted, ${after} now`]
      : [];
  });
}

export const lastAccepted = (): Ratios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

/** Cases that this run did not have stay as they were. */
export function accept(now: Ratios): void {
  const all = { ...lastAccepted(), ...now };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
