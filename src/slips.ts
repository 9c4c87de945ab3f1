/**
 * How far apart two spellings are, for "did you mean …?". Shared by the command line and the component. Held by
 * test/cli/refusals.test.ts and test/sdk/browser-options.test.ts.
 */

/** Number of missing, wrong, extra or swapped letters. */
export function slipsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [row, above, higher] = [[i], rows[i - 1] as number[], rows[i - 2]];
    for (let j = 1; j <= b.length; j++) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (row[j - 1] as number) + 1,
        (above[j] as number) + 1,
        (above[j - 1] as number) + wrong,
      );
      if (higher && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (higher[j - 2] as number) + 1);
      row[j] = least;
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] as number;
}
