/**
 * The search trial: the core and other engines on the same galleries and probes. search/trials.ts lists what it runs;
 * results/search.md defines the columns. One wrong answer of an engine that promises exactness voids the run.
 */
import { Cores } from './cores.ts';
import { ENGINES, MAKERS } from './engines/all.ts';
import { fingerprint } from './fingerprint.ts';
import { accept, acceptedFigures, LOSS, ratiosOf, regressions } from './search/accepted.ts';
import { DATA, type Data } from './search/data.ts';
import { publish, writeResults } from './search/publish.ts';
import { type CaseSpeed, type Measured, type Memory, runGallery } from './search/run.ts';
import { coreSpeeds, memoryRows, type Report, searchRows } from './search/tables.ts';
import { outcomes } from './search/targets.ts';
import { BUILD_UNASKED_UP_TO, FULL, graphsOf, QUICK } from './search/trials.ts';
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

/** @throws Error when a requested name does not exist, when the gate fails, or when --check finds a regression */
export async function search(options: SearchOptions): Promise<{ rows: Measured[]; printed: string }> {
  const report = await run(options);
  const whole = !options.quick && !options.data && !options.sizes && !options.engines;
  if (whole || options.publish) writeResults(report);
  if (options.publish) publish(report);
  const ratios = ratiosOf(report.rows);
  const printed = [
    table(searchRows(report.rows)),
    table(memoryRows(report.memory)),
    ...(report.targets.length > 0 ? [table(report.targets.map(one => ({ ...one })))] : []),
    [
      `cores: ${coreSpeeds(report.speeds)}`,
      ...Object.entries(report.peers).map(([engine, about]) => `${engine}: ${about}`),
    ].join('\n'),
  ].join('\n\n');
  if (options.check) {
    const accepted = acceptedFigures();
    const known = Object.keys(ratios).filter(name => name in accepted).length;
    if (known === 0)
      throw new Error('accepted.json has no figures for these cases: accept a run with --accept');
    const found = regressions(accepted, ratios);
    if (found.length > 0)
      throw new Error(
        `${printed}\n\nworse than accepted (ratios by more than ${LOSS * 100} %):\n${found.join('\n')}`,
      );
    console.error(`checked ${known} accepted figures: no regression`);
  }
  if (options.accept) accept(ratios);
  // Only results/search.json has the cold searches: here every row of a case is a warm one.
  return { rows: report.rows.filter(row => row.caches === 'warm'), printed };
}

async function run({ quick, buildGraphs, data, sizes, engines }: SearchOptions): Promise<Report> {
  refuseUnknown('data set', data, DATA);
  refuseUnknown('engine', engines, ENGINES);
  const plan = quick ? QUICK : FULL;
  const names = new Set(engines ?? ENGINES);
  const cases = plan.cases.filter(
    one => (data?.includes(one.data) ?? true) && (sizes?.includes(one.n) ?? true),
  );
  if (cases.length === 0) throw new Error('the plan has no case with these sizes and data sets');
  const galleries = new Map(cases.map(one => [`${one.data}/${one.n}`, { data: one.data, n: one.n }]));
  const rows: Measured[] = [];
  const speeds: CaseSpeed[] = [];
  const memory: Memory[] = [];
  const peers: Record<string, string> = {};
  const cores = new Cores();
  try {
    await cores.warmUp();
    for (const of of galleries.values()) {
      const build = buildGraphs || of.n <= BUILD_UNASKED_UP_TO[quick ? 'quick' : 'full'];
      const outcome = await runGallery(
        of.data as Data,
        of.n,
        cases.filter(one => one.data === of.data && one.n === of.n),
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
      if (of.data === 'easy') memory.push(...outcome.memory);
      Object.assign(peers, outcome.about);
    }
  } finally {
    await cores.close();
  }
  const targets = outcomes({ measured: rows, memory });
  return { machine: fingerprint(), plan: plan.name, peers, speeds, rows, memory, targets };
}

function refuseUnknown(what: string, requested: readonly string[] | undefined, all: readonly string[]): void {
  const unknown = requested?.find(name => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no ${what} "${unknown}"; there are ${all.join(', ')}`);
}
