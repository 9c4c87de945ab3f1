/** Rows of a trial as an aligned table: text on the left, numbers on the right with three significant digits. */

export type Row = Readonly<Record<string, string | number>>;

/** All rows have the columns of the first. */
export function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map(row => columns.map(column => cellText(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...cells.map(line => line[i]?.length ?? 0)));
  const numeric = columns.map(column => typeof rows[0]?.[column] === 'number');
  return cells
    .map(line =>
      line.map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))),
    )
    .map(line => line.join('  ').trimEnd())
    .join('\n');
}

function cellText(value: string | number): string {
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
