/**
 * One pass over a gallery for up to MAX_SEARCHES searches. It scans run after run of slots, while a run is in the
 * cache, and lists slots whose coarse bound passes a floor; when enough are listed, they get a second look (look.ts).
 * It decides nothing. Blocks are claimed one by one, so that helpers can take some (help.ts). Held by
 * test/matcher/oracle.test.ts, bound.long.test.ts and help.long.test.ts.
 */
import { fieldsOf } from './coding';
import { coarse1, coarse2, coarse3 } from './kernels';
import * as layout from './layout';
import { look } from './look';
import { prepare, termsOf } from './probe';

/** Templates scanned, counted for each search, since the count was last read. */
let scanned: f64 = 0;

export function takeScanned(): f64 {
  const count = scanned;
  scanned = 0;
  return count;
}

/** How many probes are to be scanned together. */
let held: u32 = 0;

/** Where the next entry goes. */
let out: usize = 0;

/** The coding that the searches are prepared for. */
let prepared: usize = 0;

/**
 * Scans all blocks that it can claim, for the first `searches` searches of this worker's scratch. `claims` is the
 * address of a counter that all scanning workers share.
 */
export function scan(gallery: u32, searches: u32, claims: usize): void {
  out = layout.scratchAt(layout.LISTED);
  prepared = 0;
  let position: i32 = 0;
  let block = gallery;
  while (block != 0) {
    const claimed = atomic.add<i32>(claims, 1);
    for (; position < claimed && block != 0; position++) block = layout.headOf(block).next;
    if (block != 0) scanBlock(block, searches);
  }
  look(out);
}

/** While templates are being coded again, a block may have slots of both codings. */
function scanBlock(block: u32, searches: u32): void {
  const used = layout.headOf(block).used;
  const until = min(layout.headOf(block).codedUntil, used);
  if (until > 0) scanSlots(block, 0, until, layout.codingOf(block, 0), searches);
  if (used > until) scanSlots(block, until, used, layout.codingOf(block, until), searches);
}

function scanSlots(block: u32, begin: u32, end: u32, coding: usize, searches: u32): void {
  if (prepared != coding) {
    // What is listed was listed by the other coding.
    look(out);
    out = layout.scratchAt(layout.LISTED);
    for (let s: u32 = 0; s < searches; s++)
      prepare(layout.searchAddress(s), layout.probesOf(layout.searchAddress(s)), coding);
    prepared = coding;
  }
  const rows = fieldsOf(coding).rows;
  for (let from = begin; from < end; from += layout.RUN_SLOTS) {
    const count = min(end - from, layout.RUN_SLOTS);
    // Three probes at a time share the unpacking of the codes, even if they belong to different searches.
    for (let s: u32 = 0; s < searches; s++) {
      const search = layout.searchAddress(s);
      const probes = layout.probesOf(search);
      for (let p: u32 = 0; p < probes; p++) {
        store<u32>(layout.scratchAt(layout.HELD) + <usize>held * 4, <u32>termsOf(search, p));
        if (++held == 3) scanRun(block, from, count, rows);
      }
      if (probes > 0) scanned += <f64>count;
    }
    if (held > 0) scanRun(block, from, count, rows);
  }
}

function scanRun(block: u32, from: u32, count: u32, rows: u32): void {
  const group = layout.groupAddress(block, from / layout.GROUP_SLOTS, rows);
  const slot = layout.slotOf(block, from);
  const groups = (count + layout.GROUP_SLOTS - 1) / layout.GROUP_SLOTS;
  if (held == 1) out = coarse1(group, slot, groups, layout.scratchAt(layout.HELD), out);
  else if (held == 2) out = coarse2(group, slot, groups, layout.scratchAt(layout.HELD), out);
  else out = coarse3(group, slot, groups, layout.scratchAt(layout.HELD), out);
  held = 0;
  if (out < layout.scratchAt(layout.LISTED) + <usize>layout.ENOUGH_LISTED * layout.ENTRY_BYTES) return;
  look(out);
  out = layout.scratchAt(layout.LISTED);
}
