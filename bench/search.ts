/**
 * The search trial: the core and its peers on the same galleries and probes. What it runs stands in search/trials.ts;
 * README.md defines the columns. A wrong answer of an engine that promises to be right voids the run.
 */
import { Cores } from './cores.ts';
import { ENGINES, MAKERS } from './engines/all.ts';
import { fingerprint } from './fingerprint.ts';
import { accept, fallen, LOSS, lastAccepted, ratiosOf } from './search/accepted.ts';
import { DATA, type Data } from './search/data.ts';
import { publish, writeResults } from './search/publish.ts';
import { type CaseSpeed, type Held, type Measured, runGallery } from './search/run.ts';
import { coreSpeeds, memoryRows, type Report, searchRows } from './search/tables.ts';
import { outcomes } from './search/targets.ts';
import { BUILD_BY_ITSELF, FULL, graphsOf, QUICK } from './search/trials.ts';
import { table } from './table.ts';

export interface SearchOptions {
  readonly quick: boolean;
  readonly check: boolean;
  readonly accept: boolean;
  readonly publish: boolean;
  readonly buildGraphs: boolean;
  /** Undefined: all. */
  readonly data?: readonly string[] | undefined;
  readonly sizes?: readonly number[] | undefined;
  readonly engines?: readonly string[] | undefined;
}

/** @throws Error when something that is asked for does not exist, when the gate fails, and when --check finds a loss */
export async function search(options: SearchOptions): Promise<{ rows: Measured[]; printed: string }> {
  const report = await run(options);
  const whole = !options.quick && !options.data && !options.sizes && !options.engines;
  if (whole || options.publish) writeResults(report);
  if (options.publish) publish(report);
  const ratios = ratiosOf(report.rows);
  const printed = [
    table(searchRows(report.rows)),
    table(memoryRows(report.held)),
    ...(report.targets.length > 0 ? [table(report.targets.map(one => ({ ...one })))] : []),
    [
      `cores: ${coreSpeeds(report.speeds)}`,
      ...Object.entries(report.peers).map(([engine, about]) => `${engine}: ${about}`),
    ].join('\n'),
  ].join('\n\n');
  if (options.check) {
    const accepted = lastAccepted();
    const known = Object.keys(ratios).filter(name => name in accepted).length;
    if (known === 0) throw new Error('nothing of this run was accepted before: accept one with --accept');
    const worse = fallen(accepted, ratios);
    if (worse.length > 0)
      throw new Error(
        `${printed}\n\nlost more than ${LOSS * 100} % of what was accepted:\n${worse.join('\n')}`,
      );
    console.error(`of ${known} accepted figures none is lost`);
  }
  if (options.accept) accept(ratios);
  // Cold searches stand in results/search.json only: here every row of a case is a warm one.
  return { rows: report.rows.filter(row => row.caches === 'warm'), printed };
}

async function run({ quick, buildGraphs, data, sizes, engines }: SearchOptions): Promise<Report> {
  refuseUnknown('data', data, DATA);
  refuseUnknown('engine', engines, ENGINES);
  const plan = quick ? QUICK : FULL;
  const names = new Set(engines ?? ENGINES);
  const wanted = plan.cases.filter(
    one => (data?.includes(one.data) ?? true) && (sizes?.includes(one.n) ?? true),
  );
  if (wanted.length === 0) throw new Error('no case of this plan is of that size and data');
  const galleries = new Map(wanted.map(one => [`${one.data}/${one.n}`, { data: one.data, n: one.n }]));
  const rows: Measured[] = [];
  const speeds: CaseSpeed[] = [];
  const held: Held[] = [];
  const peers: Record<string, string> = {};
  const cores = new Cores();
  try {
    await cores.warmUp();
    for (const of of galleries.values()) {
      const build = buildGraphs || of.n <= BUILD_BY_ITSELF[quick ? 'quick' : 'full'];
      const outcome = await runGallery(
        of.data as Data,
        of.n,
        wanted.filter(one => one.data === of.data && one.n === of.n),
        {
          makers: MAKERS,
          names,
          graphs: { ...graphsOf(plan, of.data, of.n), build },
          upkeep: plan.upkeep.has(of.n) && of.data === 'easy',
          cores,
        },
      );
      rows.push(...outcome.measured);
      speeds.push(...outcome.speeds);
      if (of.data === 'easy') held.push(...outcome.held);
      Object.assign(peers, outcome.about);
    }
  } finally {
    await cores.close();
  }
  const targets = outcomes({ measured: rows, held });
  return { machine: fingerprint(), plan: plan.name, peers, speeds, rows, held, targets };
}

function refuseUnknown(what: string, asked: readonly string[] | undefined, all: readonly string[]): void {
  const unknown = asked?.find(name => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no ${what} "${unknown}"; there are ${all.join(', ')}`);
}
