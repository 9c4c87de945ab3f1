/** Puts the tables of a run into bench/README.md, between marks that say so, so that no figure is copied by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, table } from '../table.ts';
import type { Measured } from './run.ts';
import { coresTold, kept, type Report, shown } from './tables.ts';

const README = join(import.meta.dirname, '../README.md');

export function publish(report: Report): void {
  let text = readFileSync(README, 'utf8');
  for (const [mark, content] of sections(report)) text = replaced(text, mark, content);
  writeFileSync(README, text);
}

/** @throws Error when the document lacks the marks */
export function replaced(text: string, mark: string, content: string): string {
  const [open, close] = [`<!-- ${mark}: made by npm run bench -- --publish -->`, `<!-- end of ${mark} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`README.md has no place for ${mark}`);
  return `${text.slice(0, from + open.length)}\n\n${content}\n\n${text.slice(to)}`;
}

function sections({ machine, peers, speeds, rows, held, targets }: Report): [string, string][] {
  const warm = rows.filter(row => row.caches === 'warm');
  const cold = rows.filter(row => row.caches === 'cold');
  const caches = Object.entries(machine.caches).map(([level, size]) => `${level} ${size}`);
  const told = [
    `- processor: ${machine.cpu}, ${machine.cores} cores, ${machine.flags.join(' ')}; caches: ${caches.join(', ')}`,
    `- memory: ${machine.memory_gib} GiB, huge pages: ${machine.huge_pages}; ${machine.system}; Node.js ${machine.node}, V8 ${machine.v8}`,
    `- cores during the run: ${coresTold(speeds)}`,
    ...Object.entries(peers).map(([engine, about]) => `- \`${engine}\`: ${about}`),
  ];
  return [
    ['machine', told.join('\n')],
    ['targets', block(targets.map(one => ({ ...one })))],
    ['one probe', block(columns(warm.filter(row => row.data === 'easy' && row.q === 1)))],
    ['more probes', block(columns(warm.filter(row => row.data === 'easy' && row.q > 1 && !isGraph(row))))],
    ['other data', block(columns(warm.filter(row => row.data !== 'easy')))],
    ['cold', block(columns(cold))],
    ['upkeep', block(kept(held))],
  ];
}

const isGraph = ({ engine }: Measured) => engine.includes('hnsw');

/** Without the columns that are the same in every row. */
function columns(rows: readonly Measured[]): Row[] {
  const all = shown(rows).map(({ threads, queries, caches, ...row }) =>
    threads === 1 ? row : { ...row, engine: `${row.engine}, ${threads} threads` },
  );
  return all.some(row => row.settings !== '') ? all : all.map(({ settings, ...row }) => row);
}

const block = (rows: readonly Row[]) =>
  rows.length === 0
    ? 'Not part of the last published run.'
    : table(rows)
        .split('\n')
        .map(line => `    ${line}`)
        .join('\n');
