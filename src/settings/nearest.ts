/** Finds the known word that is nearest to a mistyped one, for "did you mean …?". */

/** With more typos than this, or more than a third of the letters, it is another word. */
const MOST_SLIPS = 3;

export function nearest(typed: string, known: readonly string[]): string | null {
  const most = Math.min(MOST_SLIPS, Math.max(1, Math.floor(typed.length / 3)));
  let best: string | null = null;
  let fewest = most + 1;
  for (const word of known) {
    const slips = slipsBetween(typed.toLowerCase(), word);
    if (slips < fewest) [best, fewest] = [word, slips];
  }
  return best;
}

/** Number of missing, wrong, extra or swapped letters. */
function slipsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + wrong);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = least;
    }
  }
  return at(a.length, b.length);
}
