/**
 * The documents and plots of a search run: the targets in bench/README.md, every table in bench/results/search.md. Made
 * from the report alone, so test/bench/report.test.ts can make them again from results/search.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plots } from '../plots.ts';
import { block, markdownTable, RESULTS, replaced } from '../publish.ts';
import type { Row } from '../table.ts';
import type { Measured } from './run.ts';
import { coreSpeeds, memoryRows, type Report, searchRows } from './tables.ts';

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
  return [
    ['machine', about.join('\n')],
    ['one probe', block(columns(warm.filter(row => row.data === 'easy' && row.q === 1)))],
    ['more probes', block(columns(warm.filter(row => row.data === 'easy' && row.q > 1 && !isGraph(row))))],
    ['other data', block(columns(warm.filter(row => row.data !== 'easy')))],
    ['cold', block(columns(cold))],
    ['upkeep', block(memoryRows(memory))],
  ];
}

const isGraph = ({ engine }: Measured) => engine.includes('hnsw');

/** Without the columns that are the same in every row. */
function columns(rows: readonly Measured[]): Row[] {
  const all = searchRows(rows).map(({ threads, queries, caches, ...row }) =>
    threads === 1 ? row : { ...row, engine: `${row.engine}, ${threads} threads` },
  );
  return all.some(row => row.settings !== '') ? all : all.map(({ settings, ...row }) => row);
}
