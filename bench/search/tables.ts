/** What a run of the search trial found, and the rows of its tables. */
import type { Fingerprint } from '../fingerprint.ts';
import { median, quantile } from '../measure.ts';
import type { Row } from '../table.ts';
import type { CaseSpeed, Held, Measured } from './run.ts';
import type { Standing } from './targets.ts';

export interface Report {
  readonly machine: Fingerprint;
  readonly plan: string;
  readonly peers: Readonly<Record<string, string>>;
  readonly speeds: readonly CaseSpeed[];
  readonly rows: readonly Measured[];
  readonly held: readonly Held[];
  readonly targets: readonly Standing[];
}

/** As a table has them: `ratio` is how many times the core's time an engine took in the same case. */
export function shown(rows: readonly Measured[]): Row[] {
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
      mismatches: row.mismatches,
      queries: row.queries,
      refined: count(row.refined),
      exact: count(row.exact),
    };
  });
}

const count = (value: number | null) => (value === null ? '' : value.toFixed(1));

export function kept(rows: readonly Held[]): Row[] {
  const number = (value: number | null) => (value === null ? '' : String(Number(value.toPrecision(3))));
  return rows.map(row => ({
    engine: row.engine,
    settings: row.settings,
    n: row.n,
    bytes_per_template: Math.round(row.bytes_per_template),
    load_s: number(row.load_s),
    add_us: number(row.add_us),
    remove_us: number(row.remove_us),
  }));
}

/** How fast the machine's cores were during a run, see ../cores.ts: the middle, and where nine tenths of the looks lie. */
export function coresTold(speeds: readonly CaseSpeed[]): string {
  const told = (values: readonly number[]) => {
    const [low, middle, high] = [quantile(values, 0.05), median(values), quantile(values, 0.95)];
    return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  };
  const looks = speeds.flatMap(({ before, after }) => [before, after]);
  const alone = told(looks.map(look => look.alone));
  const together = told(looks.map(look => look.together));
  const found = `multiplications a nanosecond, ${alone} of one core alone, ${together} of each when all are at it`;
  const stolen = speeds.flatMap(speed => speed.stolen ?? []);
  if (stolen.length === 0) return found;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const [middle, worst] = [percent(median(stolen)), percent(Math.max(...stolen))];
  return `${found}; ${middle} of their time taken by other machines in the middle case, ${worst} in the worst`;
}
