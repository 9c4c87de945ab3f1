/**
 * What the matching core shows its host. Addresses are exported beside the functions, so the host never repeats a
 * number from layout.ts. Built by `npm run build` into dist/core/matcher.wasm; the one host file is
 * src/adapters/wasm/core.ts.
 */
import { limitTo } from './blocks';
import { RAW, SCRATCH_END, UNIT } from './layout';
import { normalise } from './normalise';
import { scan } from './scan';
import { decideBy } from './select';

export { add, checkTemplate, create, drop, remove, reserve } from './gallery';
export { blocks, RAW, RESULT, TEMPLATE, UNIT } from './layout';

/** Once, before all else. `maxPages` bounds the memory of this instance, in pages of 64 KiB. */
export function configure(threshold: f64, margin: f64, maxPages: u32): void {
  // The compiler's own data must end below the scratch.
  if (__heap_base > RAW) unreachable();
  decideBy(threshold, margin);
  limitTo(maxPages);
}

/**
 * Normalises `probes` rows at RAW to UNIT and searches `gallery` (0: an empty one) for them; the outcome is at RESULT.
 * Returns 0, or the number (from 1) of the first row that is no direction; then nothing was searched.
 */
export function search(gallery: u32, probes: u32): u32 {
  const refused = normalise(probes);
  if (refused == 0) scan(gallery, probes);
  return refused;
}

/** Erases what searches and additions left in the scratch: no template survives its removal there. */
export function wipe(): void {
  memory.fill(RAW, 0, SCRATCH_END - RAW);
}
