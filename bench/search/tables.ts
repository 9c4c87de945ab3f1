/** The report of a search run, and the rows of its tables. */

import type { Rule } from '../engines.ts';
import type { Fingerprint } from '../fingerprint.ts';
import { median, quantile } from '../measure.ts';
import type { Row } from '../table.ts';
import type { CaseSpeed, Measured, Memory } from './run.ts';
import type { Outcome } from './targets.ts';

export interface Report {
  readonly machine: Fingerprint;
  readonly plan: string;
  readonly peers: Readonly<Record<string, string>>;
  readonly speeds: readonly CaseSpeed[];
  readonly rows: readonly Measured[];
  readonly memory: readonly Memory[];
  readonly targets: readonly Outcome[];
}

/** Whether an engine does the task: no decision may be wrong; if none are counted, 1 nearest in 10 missed. */
export const isFit = ({ wrong, recall }: Measured): boolean => (wrong === null ? recall >= 0.9 : wrong === 0);

/** `ratio`: the engine's time divided by the core's in the same case. */
export function searchRows(rows: readonly Measured[]): Row[] {
  const caseOf = ({ data, n, q, probes, caches }: Measured) => [data, n, q, probes, caches].join('/');
  const ours = new Map(
    rows
      .filter(({ engine, threads }) => engine === 'wasm' && threads === 1)
      .map(row => [caseOf(row), row.median_ms]),
  );
  return rows.map(row => {
    const { engine, settings, data, n, q, threads, probes, caches, median_ms, p5_ms, p95_ms } = row;
    const base = ours.get(caseOf(row));
    return {
      engine,
      settings,
      data,
      n,
      q,
      threads,
      probes,
      caches,
      median_ms,
      p5_ms,
      p95_ms,
      ratio: base === undefined ? '' : (median_ms / base).toPrecision(3),
      recall: row.recall,
      wrong_decisions: row.wrong === null ? '' : `${row.wrong} of ${row.decisions}`,
      mismatches: row.mismatches,
      queries: row.queries,
      refined: count(row.refined),
      exact: count(row.exact),
    };
  });
}

/** For a terminal: an engine that may miss is marked. */
export function markedRows(rows: readonly Measured[], rules: Readonly<Record<string, Rule>>): Row[] {
  return searchRows(rows).map(row => {
    const isInexact = ['approximate', 'limit'].includes(rules[String(row.engine)] ?? '');
    return isInexact ? { ...row, engine: `${row.engine} ${INEXACT}` } : row;
  });
}

const INEXACT = '(inexact)';
export const COLUMNS = [
  'ratio: time of the engine divided by that of the core on one thread; above 1, the core is faster',
  `${INEXACT}: it may miss the nearest template; recall is the share of searches that found it`,
  'wrong_decisions: sign-in decisions that differ from the exact ones',
].join('\n');

const count = (value: number | null) => (value === null ? '' : value.toFixed(1));

export function memoryRows(rows: readonly Memory[]): Row[] {
  const number = (value: number | null) => (value === null ? '' : String(Number(value.toPrecision(3))));
  return rows.map(row => ({
    engine: row.engine,
    settings: row.settings,
    n: row.n,
    bytes_per_template: row.bytes_per_template === null ? '' : Math.round(row.bytes_per_template),
    load_s: number(row.load_s),
    add_us: number(row.add_us),
    remove_us: number(row.remove_us),
  }));
}

/** How fast the machine's cores were during a run, see ../cores.ts: median, and range of 90 % of the samples. */
export function coreSpeeds(speeds: readonly CaseSpeed[]): string {
  const range = (values: readonly number[]) => {
    const [low, middle, high] = [quantile(values, 0.05), median(values), quantile(values, 0.95)];
    return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  };
  const samples = speeds.flatMap(({ before, after }) => [before, after]);
  const alone = range(samples.map(sample => sample.alone));
  const together = range(samples.map(sample => sample.together));
  const found = `multiplications per nanosecond: ${alone} on one core alone, ${together} on each when all are busy`;
  const stolen = speeds.flatMap(speed => speed.stolen ?? []);
  if (stolen.length === 0) return found;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const [middle, worst] = [percent(median(stolen)), percent(Math.max(...stolen))];
  return `${found}; other machines took ${middle} of their time in the median case, ${worst} in the worst`;
}
