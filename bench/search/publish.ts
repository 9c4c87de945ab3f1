/**
 * The documents and plots of a search run: the targets in bench/README.md, tables in bench/results/search.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plots } from '../plots.ts';
import { block, markdownTable, RESULTS, replaced } from '../publish.ts';
import type { Row } from '../table.ts';
import type { Measured, Memory } from './run.ts';
import { coreSpeeds, isFit, memoryRows, type Report, searchRows } from './tables.ts';

const README = join(import.meta.dirname, '../README.md');
const COMMAND = 'npm run bench -- --publish';
type Block = readonly [name: string, content: string];

/** Every row and every plot; a full run writes them also without --publish. */
export function writeResults(report: Report): void {
  writePlots(report.rows, RESULTS);
  writeFileSync(join(RESULTS, 'search.json'), `${JSON.stringify(report, null, 1)}\n`);
}

/** Those that this run has figures for. */
export function writePlots(rows: readonly Measured[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, svg] of plots(rows)) writeFileSync(join(folder, file), svg);
}

export function publish(report: Report): void {
  for (const [file, text] of documents(report)) writeFileSync(file, text);
}

/** The documents with the blocks of this run, by path. */
export function documents(report: Report): Map<string, string> {
  const filled = (file: string, blocks: readonly Block[]) => {
    let text = readFileSync(file, 'utf8');
    for (const [name, content] of blocks) text = replaced(text, name, content, COMMAND);
    return [file, text] as const;
  };
  return new Map([
    filled(README, [['targets', markdownTable(report.targets.map(one => ({ ...one })))]]),
    filled(join(RESULTS, 'search.md'), searchBlocks(report)),
  ]);
}

function searchBlocks({ machine, peers, speeds, rows, memory }: Report): Block[] {
  const { cpu, cores, flags, system, node, v8 } = machine;
  const caches = Object.entries(machine.caches).map(([level, size]) => `${level} ${size}`);
  const about = [
    `- processor: ${cpu}, ${cores} cores, ${flags.join(' ')}; caches: ${caches.join(', ')}`,
    `- memory: ${machine.memory_gib} GiB, huge pages: ${machine.huge_pages}; ${system}; Node.js ${node}, V8 ${v8}`,
    `- cores during the run: ${coreSpeeds(speeds)}`,
    ...[...Map.groupBy(Object.keys(peers), engine => peers[engine])].map(
      ([about, engines]) => `- ${engines.map(engine => `\`${engine}\``).join(', ')}: ${about}`,
    ),
  ];
  const faces = rows.filter(row => row.data === 'faces' && (row.q === 1 || row.probes === 'genuine'));
  const others = rows.filter(
    row =>
      row.data !== 'faces' && ['wasm', 'faiss-pqfs'].includes(row.engine) && row.q === 1 && row.threads === 1,
  );
  return [
    ['machine', about.join('\n')],
    ['faces', block(sideBySide(picked(faces)))],
    ['other data', block(sideBySide(picked(others)))],
    ['upkeep', block(memoryRows(upkeep(memory)))],
  ];
}

/** What the page shows of a case: its largest size, and of several settings the fastest that does the task. */
function picked(rows: readonly Measured[]): Measured[] {
  const mistakes = (row: Measured) => (isFit(row) ? 0 : (row.wrong ?? 1 - row.recall));
  const better = (one: Measured, other: Measured) =>
    mistakes(one) - mistakes(other) || one.median_ms - other.median_ms;
  const best = new Map<string, Measured>();
  for (const row of largest(rows, ({ data }) => data)) {
    const key = [row.engine, row.threads, row.data, caseOf(row)].join();
    const held = best.get(key);
    if (held === undefined || better(row, held) < 0) best.set(key, row);
  }
  return [...best.values()];
}

/** One row an engine and size, of the largest and of the last that adding was timed at. */
function upkeep(rows: readonly Memory[]): Memory[] {
  const timed = largest(
    rows.filter(row => row.add_us !== null),
    row => row.engine,
  );
  const shown = [...largest(rows, row => row.engine), ...timed];
  return [...new Map(shown.map(row => [`${row.engine} ${row.n}`, row])).values()];
}

function largest<R extends { n: number }>(rows: readonly R[], groupOf: (row: R) => string): R[] {
  const most = new Map<string, number>();
  for (const row of rows) most.set(groupOf(row), Math.max(row.n, most.get(groupOf(row)) ?? 0));
  return rows.filter(row => row.n === most.get(groupOf(row)));
}

const caseOf = ({ q, probes, caches }: Measured) =>
  caches === 'cold' ? 'cold' : q === 1 ? probes : `${q} probes`;

/** An engine's cases in one row: medians, with the ratio to the core in brackets, and the worst of its mistakes. */
function sideBySide(rows: readonly Measured[]): Row[] {
  const cases = [...new Set(rows.map(caseOf))];
  const ratios = new Map(searchRows(rows).map(({ ratio }, i) => [rows[i], ratio]));
  const lines = Map.groupBy(rows, row => [row.engine, row.threads, row.settings, row.data].join());
  return [...lines.values()].map(line => {
    const { engine, threads, settings, data, n } = line[0] as Measured;
    const time = (row?: Measured) => (row ? `${row.median_ms.toPrecision(3)} (${ratios.get(row)})` : '');
    const counted = line
      .filter(({ wrong }) => wrong !== null)
      .map(row => [row.wrong, row.decisions] as const);
    const refined = line.map(row => row.refined ?? 0);
    return {
      engine: threads === 1 ? engine : `${engine}, ${threads} threads`,
      settings,
      data,
      n,
      ...Object.fromEntries(cases.map(name => [name, time(line.find(row => caseOf(row) === name))])),
      recall: Math.min(...line.map(({ recall }) => recall)),
      wrong: counted.sort((a, b) => Number(b[0]) - Number(a[0]))[0]?.join(' of ') ?? '',
      refined: Math.max(...refined) === 0 ? '' : Math.max(...refined).toFixed(0),
    };
  });
}
