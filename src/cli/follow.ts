/** Lists of what happened: lines with fixed widths, and new ones as they come. Held by test/cli/events.test.ts. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Invocation } from './command.ts';
import { ENDING_SIGNALS } from './signals.ts';
import { harmless } from './text.ts';

const POLL_INTERVAL_MS = 500;

export interface Shown<Row> {
  /** Heading → width. Fixed, so that later lines of --follow are aligned with the earlier ones. */
  readonly columns: Readonly<Record<string, number>>;
  readonly cellsOf: (row: Row) => readonly string[];
  /** What is one line with --json. */
  readonly view: (row: Row) => object;
  /** What rows are called: `events`. */
  readonly name: string;
}

/** Oldest first. */
export function describeRows<Row>(
  { columns, cellsOf, name }: Shown<Row>,
  rows: readonly Row[],
  { paint, options }: Invocation,
  none = '',
): string {
  if (rows.length > 0)
    return [
      paint('bold', aligned(columns, Object.keys(columns))),
      ...rows.map(row => aligned(columns, cellsOf(row))),
    ].join('\n');
  const filters = Object.keys(options).filter(option => option !== 'limit');
  return filters.length > 0
    ? `no matching ${name}: try without ${filters.map(option => `--${option}`).join(' or ')}`
    : `no ${name} yet${none}`;
}

/** Prints rows, then new ones as they come, until a signal, or until the reader of stdout has gone. */
export async function follow<Row>(
  invocation: Invocation,
  { columns, cellsOf, view }: Shown<Row>,
  rows: readonly Row[],
  added: (over: AbortSignal) => Promise<readonly Row[]> | AsyncIterable<Row>,
): Promise<void> {
  const show = (row: Row) =>
    invocation.print(invocation.json ? JSON.stringify(view(row)) : aligned(columns, cellsOf(row)));
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  const over = AbortSignal.any([stop.signal, invocation.unread]);
  if (!invocation.json) invocation.print(invocation.paint('bold', aligned(columns, Object.keys(columns))));
  for (const row of rows) show(row);
  while (!over.aborted) {
    await delay(POLL_INTERVAL_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) for await (const row of await added(over)) show(row);
  }
  for (const signal of ENDING_SIGNALS) process.off(signal, end);
}

function aligned(columns: Shown<never>['columns'], cells: readonly string[]): string {
  const widths = Object.values(columns);
  return cells
    .map((cell, i) => harmless(cell).padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd();
}
