/**
 * Tables with aligned columns. The text of a cell cannot control the terminal: colours are added here, after the text
 * was made harmless. Held by test/cli/output.long.test.ts.
 */

import { grouped } from '../protocol/amounts.ts';
import { type Colour, type Paint, plain } from './paint.ts';
import { harmless, widthOf } from './text.ts';

interface StyledCell {
  readonly text: string;
  readonly colour?: Colour;
  /** Aligned to the right, for numbers. */
  readonly right?: true;
}
export type Cell = string | StyledCell;

export function table(rows: readonly (readonly Cell[])[], paint: Paint = plain): string {
  const cells = rows.map(row =>
    row.map(cell => {
      const styled: StyledCell = typeof cell === 'string' ? { text: cell } : cell;
      return { ...styled, text: harmless(styled.text) };
    }),
  );
  const widths: number[] = [];
  const right: boolean[] = [];
  for (const row of cells)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, widthOf(cell.text));
      right[i] ||= cell.right === true;
    });
  return cells
    .map(row => {
      const last = row.findLastIndex(({ text }) => text !== '');
      return row
        .slice(0, last + 1)
        .map(({ text, colour }, i) => {
          const space = ' '.repeat((widths[i] as number) - widthOf(text));
          const shown = colour ? paint(colour, text) : text;
          if (right[i]) return space + shown;
          return i === last ? shown : shown + space;
        })
        .join('  ');
    })
    .join('\n');
}

export function listing(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  paint: Paint = plain,
): string {
  return table([headings.map(text => ({ text, colour: 'bold' as const })), ...rows], paint);
}

export function count(number: number): StyledCell {
  return { text: grouped(number), right: true };
}
