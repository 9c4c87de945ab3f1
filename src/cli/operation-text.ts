/** What a command prints for the answer of an operation, for people. */
import type { Asked, Cell, CommandHint } from '../operations/table/command.ts';
import type { Paint } from './paint.ts';
import { count, listing, type Cell as TableCell, table } from './table.ts';
import { harmless, when } from './text.ts';

type Row = Readonly<Record<string, Cell>>;

export function textOf(
  { name, text: shown }: CommandHint<object>,
  answer: object,
  asked: Asked,
  paint: Paint,
): string {
  if (typeof shown === 'function') return harmless(shown(answer, asked));
  if ('lines' in shown) {
    return [linesOf(shown.lines(answer, asked)), shown.note].filter(Boolean).join('\n');
  }
  const rows = (Object.values(answer).find(Array.isArray) ?? []) as Row[];
  if (rows.length === 0) return typeof shown.none === 'string' ? shown.none : shown.none(asked);
  const columns = Object.entries(shown.columns as Readonly<Record<string, string | ((row: Row) => Cell)>>);
  const cells = rows.map(row =>
    columns.map(([name, what]) => cellOf(name, typeof what === 'string' ? (row[what] ?? null) : what(row))),
  );
  const list = listing(
    columns.map(([heading]) => heading),
    cells,
    paint,
  );
  const next = (answer as { next_cursor?: string | null }).next_cursor;
  if (!next) return list;
  const where = Object.entries(asked.params).map(([param, value]) => `--${param} ${value}`);
  return `${list}\n\nMore: ${[name, ...where].join(' ')} --cursor ${next}`;
}

export function linesOf(lines: Row): string {
  return table(Object.entries(lines).map(([name, cell]) => [name, cellOf(name, cell)]));
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function cellOf(name: string, cell: Cell): TableCell {
  if (typeof cell === 'number') return count(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell === null) return /^last /i.test(name) ? 'never' : '';
  return typeof cell === 'string' && TIME.test(cell) ? when(Date.parse(cell)) : cell;
}
