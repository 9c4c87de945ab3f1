/**
 * What the matching core exports to its host. Most of the layout is exported beside the functions, but the host repeats
 * some of it: the size of a page, the numbers in a template, the most probes of a search, the fields of an outcome, the
 * order of the verdicts, and where the first scratch lies and how many pages it has. It compares only the last with
 * this core when it starts; test/matcher/oracle.test.ts and help.long.test.ts hold the rest. `npm run build` compiles it
 * into dist/core/, with and without relaxed SIMD. The only host file is src/adapters/wasm/core.ts.
 */
import { limitTo } from './blocks';
import { pass } from './help';
import * as layout from './layout';
import { takeExact, takeRefined } from './look';
import { normalise } from './normalise';
import { takeScanned } from './scan';
import { begin, decideBy, finish, setMargin } from './select';

export { add, checkTemplate, create, drop, pagesHeld as pages, remove, reserve } from './gallery';
export { assist, endBatch } from './help';
export { tend } from './learn';
export { MAX_SEARCHES, RAW, SCRATCH_PAGES, STATE, templateAddress, UNIT, wipe } from './layout';

/**
 * Call once, before anything else. Takes pages for the scratch of this instance.
 * @param maxPages most memory for galleries of this instance, in pages of 64 KiB
 * @returns address of the scratch, or 0 if there is no memory for it
 */
export function configure(threshold: f64, maxPages: u32): usize {
  const page = memory.grow(layout.SCRATCH_PAGES);
  if (
    page <= 0 ||
    layout.SCRATCH_BYTES > (<usize>layout.SCRATCH_PAGES) << 16 ||
    __data_end > (<usize>page) << 16
  )
    return 0;
  layout.setScratch((<usize>page) << 16);
  decideBy(threshold);
  limitTo(maxPages);
  return layout.scratchAt(0);
}

/** Address of search number `n`. RAW (input), UNIT and STATE (outcome) are offsets from it. */
export function searchAt(n: u32): usize {
  return layout.searchAddress(n);
}

/**
 * Normalises the probes of search number `n`. Searches in one pass may have different margins.
 * @returns 0, or the number (from 1) of the probe that was refused
 */
export function ask(n: u32, probes: u32, margin: f64): u32 {
  const search = layout.searchAddress(n);
  setMargin(search + layout.STATE, margin);
  begin(search + layout.STATE);
  const refused = normalise(search, probes);
  layout.setProbes(search, refused == 0 ? probes : 0);
  return refused;
}

/** Runs searches 0 to `searches` - 1 on a gallery in one pass. With `helped`, other workers may help. */
export function answer(gallery: u32, searches: u32, helped: bool): void {
  if (gallery != 0 && layout.recordOf(gallery).templates > 0) pass(gallery, searches, helped);
  for (let n: u32 = 0; n < searches; n++) finish(layout.searchAddress(n) + layout.STATE);
}

/** Work since the last call, in templates: 0 scanned, 1 compared by fine code, 2 compared exactly. */
export function takeCount(which: i32): f64 {
  return which == 0 ? takeScanned() : which == 1 ? takeRefined() : takeExact();
}
