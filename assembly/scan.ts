/**
 * One pass over a gallery for up to MAX_SEARCHES searches. It scans run after run of slots, while a run is in the
 * cache, and lists slots whose coarse bound passes a floor; when enough are listed, they get a second look (look.ts).
 * It decides nothing. Blocks are claimed one by one, so that helpers can take some (help.ts). Held by
 * test/matcher/oracle.test.ts, bound.long.test.ts and help.long.test.ts.
 */
import { coarse1, coarse2, coarse3 } from './kernels';
import {
  COARSE_BYTES,
  coarseAddress,
  ENOUGH_LISTED,
  ENTRY_BYTES,
  GROUP_SLOTS,
  listedAddress,
  next,
  probesOf,
  RUN_SLOTS,
  searchAddress,
  slotOf,
  used,
} from './layout';
import { look } from './look';
import { termsOf } from './probe';

/** Templates scanned, counted for each search, since the count was last read. */
let scanned: f64 = 0;

export function takeScanned(): f64 {
  const count = scanned;
  scanned = 0;
  return count;
}

/** Probes to be scanned together: their number, and the TERMS of each. */
let held: u32 = 0;
let first: usize = 0;
let second: usize = 0;
let third: usize = 0;

/** Where the next entry goes. */
let out: usize = 0;

/**
 * Scans all blocks that it can claim, for the first `searches` searches of this worker's scratch. `claims` is the
 * address of a counter that all scanning workers share.
 */
export function scan(gallery: u32, searches: u32, claims: usize): void {
  out = listedAddress();
  let position: i32 = 0;
  let block = gallery;
  while (block != 0) {
    const claimed = atomic.add<i32>(claims, 1);
    for (; position < claimed && block != 0; position++) block = next(block);
    if (block != 0) scanBlock(block, searches);
  }
  look(out);
}

function scanBlock(block: u32, searches: u32): void {
  const slots = used(block);
  for (let from: u32 = 0; from < slots; from += RUN_SLOTS) {
    const count = min(slots - from, RUN_SLOTS);
    // Three probes at a time share the unpacking of the codes, even if they belong to different searches.
    for (let s: u32 = 0; s < searches; s++) {
      const search = searchAddress(s);
      const probes = probesOf(search);
      for (let p: u32 = 0; p < probes; p++) {
        const terms = termsOf(search, p);
        if (held == 0) first = terms;
        else if (held == 1) second = terms;
        else third = terms;
        if (++held == 3) scanRun(block, from, count);
      }
      if (probes > 0) scanned += <f64>count;
    }
    if (held > 0) scanRun(block, from, count);
  }
}

function scanRun(block: u32, from: u32, count: u32): void {
  const group = coarseAddress(block) + <usize>(from / GROUP_SLOTS) * COARSE_BYTES;
  const slot = slotOf(block, from);
  const groups = (count + GROUP_SLOTS - 1) / GROUP_SLOTS;
  if (held == 1) out = coarse1(group, slot, groups, first, out);
  else if (held == 2) out = coarse2(group, slot, groups, first, second, out);
  else out = coarse3(group, slot, groups, first, second, third, out);
  held = 0;
  if (out < listedAddress() + <usize>ENOUGH_LISTED * ENTRY_BYTES) return;
  look(out);
  out = listedAddress();
}
