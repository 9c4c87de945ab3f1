/** What a command prints for the answer of an operation, for people. */
import type { Asked, Cell, CommandHint } from '../operations/table/command.ts';
import type { Paint } from './paint.ts';
import { count, listing, type Cell as TableCell, table } from './table.ts';
import { harmless, when } from './text.ts';

type Row = Readonly<Record<string, Cell>>;

/** @param typed the command, for the next page of a list */
export function textOf(
  { text: shown }: CommandHint<object>,
  answer: object,
  asked: Asked,
  paint: Paint,
  typed: string,
): string {
  if (typeof shown === 'function') return harmless(shown(answer, asked));
  if ('lines' in shown) {
    return [linesOf(shown.lines(answer, asked)), shown.note].filter(Boolean).join('\n');
  }
  const rows = (Object.values(answer).find(Array.isArray) ?? []) as Row[];
  if (rows.length === 0) return typeof shown.none === 'string' ? shown.none : shown.none(asked);
  const columns = Object.entries(shown.columns as Readonly<Record<string, string | ((row: Row) => Cell)>>);
  const cells = rows.map(row =>
    columns.map(([, what]) => cellOf(typeof what === 'string' ? fieldOf(row, what) : what(row))),
  );
  const list = listing(
    columns.map(([heading]) => heading),
    cells,
    paint,
  );
  const next = (answer as { next_cursor?: string | null }).next_cursor;
  if (!next) return list;
  return `${list}\n\nMore: ${typed} --cursor ${next}`;
}

export function linesOf(lines: Row): string {
  return table(Object.entries(lines).map(([name, cell]) => [name, cellOf(cell)]));
}

const fieldOf = (row: Row, field: string): Cell =>
  field.endsWith('_at') ? { at: row[field] as string | null } : (row[field] ?? null);

function cellOf(cell: Cell): TableCell {
  if (typeof cell === 'number') return count(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell === null) return '';
  if (typeof cell !== 'object' || !('at' in cell)) return cell;
  return when(cell.at === null ? null : Date.parse(cell.at));
}
