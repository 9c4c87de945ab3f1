/**
 * The search bench: the core and other engines on the same galleries and probes. search/trials.ts lists what it runs;
 * results/search.md defines the columns. One wrong answer of an engine that promises exactness voids the run.
 */
import { Cores } from './cores.ts';
import { leftOut } from './engines/missing.ts';
import type { Rule } from './engines.ts';
import { fingerprint } from './fingerprint.ts';
import { accept, acceptedFigures, LOSS, ratiosOf, regressions } from './search/accepted.ts';
import { findings } from './search/findings.ts';
import { type Planned, planned, type SearchOptions } from './search/planned.ts';
import { publish, writePlots, writeResults } from './search/publish.ts';
import { type CaseSpeed, type Measured, type Memory, runGallery } from './search/run.ts';
import { COLUMNS, coreSpeeds, markedRows, memoryRows, type Report } from './search/tables.ts';
import { outcomes } from './search/targets.ts';
import { FULL, QUICK } from './search/trials.ts';
import { table } from './table.ts';

/**
 * @param prepare called once the options are known to be right
 * @throws WrongUsage; Error when the gate fails, or when --check finds a regression
 */
export async function search(
  options: SearchOptions,
  prepare: () => Promise<void> = async () => {},
): Promise<{ rows: Measured[]; printed: string }> {
  const plan = await planned(options);
  await prepare();
  const { report, rules } = await run(options, plan).finally(() => plan.vectors?.close());
  const own = options.own.length > 0 || options.file !== undefined;
  const whole = !options.quick && !options.data && !options.sizes && !options.engines && !own;
  if (whole || options.publish) writeResults(report);
  if (options.publish) publish(report);
  if (options.plots !== undefined) writePlots(report.rows, options.plots);
  const ratios = ratiosOf(report.rows);
  const printed = [
    `${table(markedRows(report.rows, rules))}\n${COLUMNS}`,
    table(memoryRows(report.memory)),
    ...(report.targets.length > 0 ? [table(report.targets.map(one => ({ ...one })))] : []),
    [
      `cores: ${coreSpeeds(report.speeds)}`,
      ...Object.entries(report.peers).map(([engine, about]) => `${engine}: ${about}`),
      ...(plan.vectors ? [plan.vectors.about] : []),
    ].join('\n'),
    findings({
      ...report,
      rules,
      leftOut: leftOut(),
      wanted: [...plan.names],
      known: plan.makers.flatMap(({ names }) => names),
      file: plan.vectors?.name ?? null,
    }).join('\n'),
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
  // Cold searches are only in results/search.json and on the page: here every row of a case is a warm one.
  return { rows: report.rows.filter(row => row.caches === 'warm'), printed };
}

async function run(
  { quick }: SearchOptions,
  { makers, names, vectors, galleries }: Planned,
): Promise<{ report: Report; rules: Record<string, Rule> }> {
  const rows: Measured[] = [];
  const speeds: CaseSpeed[] = [];
  const memory: Memory[] = [];
  const peers: Record<string, string> = {};
  const rules: Record<string, Rule> = {};
  const cores = new Cores();
  try {
    await cores.warmUp();
    for (const one of galleries) {
      const { settings, upkeep } = one;
      const outcome = await runGallery(one.source(), one.cases, { makers, names, settings, upkeep, cores });
      rows.push(...outcome.measured);
      speeds.push(...outcome.speeds);
      if (one.memory) memory.push(...outcome.memory);
      Object.assign(peers, outcome.about);
      Object.assign(rules, outcome.rules);
    }
  } finally {
    await cores.close();
  }
  // The targets are for the galleries of the data sets.
  const targets = vectors ? [] : outcomes({ measured: rows, memory });
  const plan = quick ? QUICK.name : FULL.name;
  return { report: { machine: fingerprint(), plan, peers, speeds, rows, memory, targets }, rules };
}
