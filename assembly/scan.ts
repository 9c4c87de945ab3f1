/**
 * One pass over a gallery for up to MAX_SEARCHES searches: block after block, while it is in the cache, the slots whose
 * coarse bound passes a floor are listed, looked at by their fine codes, and what is left is compared exactly.
 * It decides nothing (select.ts does) and never reports a free slot. Blocks are claimed one by one, so that helpers can
 * take some of them (help.ts). Held by test/matcher/oracle.test.ts, bound.test.ts and help.test.ts.
 */
import { coarse1, coarse2, coarse3, exact4, fine1, near } from './kernels';
import {
  closeBlocks,
  COARSE_BYTES,
  coarseAddress,
  FINE_BYTES,
  fineAddress,
  next,
  probesOf,
  searchAddress,
  setCloseBlocks,
  slotOf,
  STATE,
  survivorsAddress,
  UNIT,
  used,
  user,
  VECTOR_BYTES,
  vectorAddress,
  WAITING,
} from './layout';
import { lower, tableOf, termsOf } from './probe';
import { consider, cutoff } from './select';

/** In a search's STATE: where `exact4` leaves distances. */
const DISTANCES: usize = 32;
/** When more than one in so many slots of a block pass the coarse bound, so many blocks are scanned closely. */
const CLOSE_ONE_IN: u32 = 12;
const CLOSE_BLOCKS: u32 = 15;
/** A fall of the cutoff that is worth a new look at whether that is still so. */
const CLOSE_AGAIN: f64 = 0.03;

/** Work done since the count was last taken: templates scanned for a search, looked at finely, looked at exactly. */
let scanned: f64 = 0;
let refined: f64 = 0;
let exact: f64 = 0;

/** Takes the counts: 0 scanned, 1 looked at finely, 2 exactly. */
export function takeCount(which: i32): f64 {
  const value = which == 0 ? scanned : which == 1 ? refined : exact;
  if (which == 0) scanned = 0;
  else if (which == 1) refined = 0;
  else exact = 0;
  return value;
}

/**
 * Scans the blocks that it can claim at `claims` (a counter shared by all who scan) for the first `searches` searches
 * of this worker's scratch.
 */
export function scan(gallery: u32, searches: u32, claims: usize): void {
  let position: i32 = 0;
  let block = gallery;
  while (block != 0) {
    const claimed = atomic.add<i32>(claims, 1);
    for (; position < claimed && block != 0; position++) block = next(block);
    if (block != 0) scanBlock(block, searches);
  }
}

function scanBlock(block: u32, searches: u32): void {
  const slots = used(block);
  if (slots == 0) return;
  // Pairs of groups; a block has an even number of them.
  const groups = ((slots + 7) / 8) * 2;
  for (let s: u32 = 0; s < searches; s++) {
    const search = searchAddress(s);
    const probes = probesOf(search);
    if (probes == 0) continue;
    scanned += <f64>slots;
    const close = closeBlocks(search);
    if (close > 0) {
      setCloseBlocks(search, close - 1);
      scanClosely(block, groups, search, probes);
      continue;
    }
    // Three probes at a time share the unpacking of the codes, whichever search they are of.
    for (let p: u32 = 0; p < probes; p++) {
      if (held == 0) first = search;
      else if (held == 1) second = search;
      else third = search;
      if (held == 0) firstProbe = p;
      else if (held == 1) secondProbe = p;
      else thirdProbe = p;
      if (++held == 3) scanCoarsely(block, groups, slots);
    }
  }
  if (held > 0) scanCoarsely(block, groups, slots);
}

/** Probes that are to be scanned together: how many, and of which searches. */
let held: u32 = 0;
let first: usize = 0;
let second: usize = 0;
let third: usize = 0;
let firstProbe: u32 = 0;
let secondProbe: u32 = 0;
let thirdProbe: u32 = 0;

function scanCoarsely(block: u32, groups: u32, slots: u32): void {
  const group = coarseAddress(block);
  const out = survivorsAddress();
  const table = tableOf(first, firstProbe);
  const terms = termsOf(first, firstProbe);
  const table2 = tableOf(second, secondProbe);
  const terms2 = termsOf(second, secondProbe);
  const count = held;
  held = 0;
  let end: usize;
  if (count == 1) end = coarse1(group, groups, table, terms, out);
  else if (count == 2) end = coarse2(group, groups, table, terms, table2, terms2, out);
  else {
    const table3 = tableOf(third, thirdProbe);
    const terms3 = termsOf(third, thirdProbe);
    end = coarse3(group, groups, table, terms, table2, terms2, table3, terms3, out);
  }
  if (end == out) return;
  const isMany = <u32>((end - out) / 4) * CLOSE_ONE_IN > slots;
  refine(block, first, out, end, isMany);
  if (count > 1 && second != first) refine(block, second, out, end, isMany);
  if (count > 2 && third != second) refine(block, third, out, end, isMany);
}

function refine(block: u32, search: usize, begin: usize, end: usize, isMany: bool): void {
  refined += <f64>((end - begin) / 4);
  if (isMany) setCloseBlocks(search, CLOSE_BLOCKS);
  examine(block, search, probesOf(search), begin, end, false);
}

/** Both codes of every slot at once: cheaper than a second look when too many pass the coarse bound. */
function scanClosely(block: u32, groups: u32, search: usize, probes: u32): void {
  const out = survivorsAddress();
  for (let p: u32 = 0; p < probes; p++) {
    const end = fine1(
      coarseAddress(block),
      fineAddress(block),
      groups,
      tableOf(search, p),
      termsOf(search, p),
      out,
    );
    if (end != out) examine(block, search, probes, out, end, true);
  }
  refined += <f64>groups * 4;
}

/** Looks at the listed slots: by their fine codes unless that is done, then exactly, four at a time. */
function examine(block: u32, search: usize, probes: u32, begin: usize, end: usize, isClose: bool): void {
  const waiting = search + WAITING;
  let count: u32 = 0;
  for (let at = begin; at < end; at += 4) {
    const index = load<u32>(at);
    // The user last: it lies elsewhere in memory, and hardly anybody gets so far.
    if (!(isClose || mayMatter(block, index, search, probes)) || user(block, index) == 0) continue;
    store<u32>(waiting + <usize>count * 4, index);
    if (++count == 4) {
      considerSome(block, search, probes, waiting, 4);
      count = 0;
    }
  }
  if (count > 0) considerSome(block, search, probes, waiting, count);
}

function mayMatter(block: u32, index: u32, search: usize, probes: u32): bool {
  const group = <usize>(index / 4);
  const coarse = coarseAddress(block) + group * COARSE_BYTES;
  const fine = fineAddress(block) + group * FINE_BYTES;
  const bit = 1 << (index % 4);
  for (let p: u32 = 0; p < probes; p++) {
    if ((i32x4.bitmask(near(coarse, fine, tableOf(search, p), termsOf(search, p))) & bit) != 0) return true;
  }
  return false;
}

/** Exact distances of 1 to 4 listed slots over all probes. */
function considerSome(block: u32, search: usize, probes: u32, listed: usize, count: u32): void {
  const state = search + STATE;
  const before = cutoff(state);
  const out = state + DISTANCES;
  for (let i: usize = 0; i < 4; i++) store<f64>(out + i * 8, Infinity);
  // Places that are not filled repeat the first.
  const a = vectorAddress(block, load<u32>(listed));
  const b = count > 1 ? vectorAddress(block, load<u32>(listed, 4)) : a;
  const c = count > 2 ? vectorAddress(block, load<u32>(listed, 8)) : a;
  const d = count > 3 ? vectorAddress(block, load<u32>(listed, 12)) : a;
  for (let p: u32 = 0; p < probes; p++) exact4(a, b, c, d, search + UNIT + <usize>p * VECTOR_BYTES, out);
  exact += <f64>count;
  for (let i: u32 = 0; i < count; i++) {
    const index = load<u32>(listed + <usize>i * 4);
    consider(state, slotOf(block, index), user(block, index), load<f64>(out + <usize>i * 8));
  }
  const now = cutoff(state);
  if (now == before) return;
  lower(search, probes);
  // Far fewer will pass from now on.
  if (before - now > CLOSE_AGAIN) setCloseBlocks(search, 0);
}
