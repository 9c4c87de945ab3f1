/**
 * Puts tables into documents between marks, so that no figure is copied by hand. Each trial has a page in results/ with
 * a block for what it measured. Checked by test/bench/report.test.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.ts';
import { type Row, table } from './table.ts';

export const RESULTS = join(import.meta.dirname, 'results');

export function publishRows(trial: string, rows: readonly Row[]): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${trial}.md`), pageWith(trial, rows));
}

/** The page of a trial with these rows, measured on this machine; a new page if there is none yet. */
export function pageWith(trial: string, rows: readonly Row[]): string {
  const { cpu, cores, system, node } = fingerprint();
  const machine = `Processor: ${cpu}, ${cores} cores; ${system}; Node.js ${node}.`;
  const file = join(RESULTS, `${trial}.md`);
  const command = `npm run bench -- ${trial} --publish`;
  const text = existsSync(file)
    ? readFileSync(file, 'utf8')
    : `# ${trial}\n\n${marks('rows', command).join('\n\n')}\n`;
  // A wrong answer stops a trial: how answers were checked is for the terminal.
  const shown = rows.map(({ checked, ...row }) => row);
  return replaced(text, 'rows', `${machine}\n\n${block(shown)}`, command);
}

/** @throws Error when the document lacks the marks */
export function replaced(text: string, name: string, content: string, command: string): string {
  const [open, close] = marks(name, command);
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`the document has no block "${name}": add ${open} and ${close}`);
  return `${text.slice(0, from + open.length)}\n\n${content}\n\n${text.slice(to)}`;
}

function marks(name: string, command: string): [open: string, close: string] {
  return [`<!-- ${name}: made by ${command} -->`, `<!-- end of ${name} -->`];
}

/** A table as an indented block of Markdown. */
export const block = (rows: readonly Row[]): string =>
  rows.length === 0
    ? 'Not part of the last published run.'
    : table(rows)
        .split('\n')
        .map(line => `    ${line}`)
        .join('\n');

/** A table as Markdown's own, for the README. */
export function markdownTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map(row => line(columns.map(column => row[column] ?? ''))),
  ].join('\n');
}
