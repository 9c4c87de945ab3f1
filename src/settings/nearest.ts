/** Finds the known word that is nearest to a mistyped one, for "did you mean …?". */
import { slipsBetween } from '../slips.ts';

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
