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
  const warm = rows.filter(row => row.caches === 'warm');
  const cold = rows.filter(row => row.caches === 'cold');
  const { cpu, cores, flags, system, node, v8 } = machine;
  const caches = Object.entries(machine.caches).map(([level, size]) => `${level} ${size}`);
  const about = [
    `- processor: ${cpu}, ${cores} cores, ${flags.join(' ')}; caches: ${caches.join(', ')}`,
    `- memory: ${machine.memory_gib} GiB, huge pages: ${machine.huge_pages}; ${system}; Node.js ${node}, V8 ${v8}`,
    `- cores during the run: ${coreSpeeds(speeds)}`,
    ...Object.entries(peers).map(([engine, about]) => `- \`${engine}\`: ${about}`),
  ];
  const easy = warm.filter(row => row.data === 'easy');
  const others = warm.filter(
    row =>
      row.data !== 'easy' && ['wasm', 'faiss-pqfs'].includes(row.engine) && row.q === 1 && row.threads === 1,
  );
  return [
    ['machine', about.join('\n')],
    ['one probe', block(columns(picked(easy.filter(row => row.q === 1))))],
    ['more probes', block(columns(picked(easy.filter(row => row.q === 3 && row.probes === 'genuine'))))],
    ['other data', block(columns(picked(others)))],
    ['cold', block(columns(picked(cold)))],
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
    const key = [row.engine, row.threads, row.data, row.probes].join();
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

/** Without the columns that are the same in every row. */
function columns(rows: readonly Measured[]): Row[] {
  const all = searchRows(rows).map(({ threads, queries, caches, q, ...row }) =>
    threads === 1 ? row : { ...row, engine: `${row.engine}, ${threads} threads` },
  );
  return all.some(row => row.settings !== '') ? all : all.map(({ settings, ...row }) => row);
}
