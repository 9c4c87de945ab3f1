/**
 * Blocks of three sizes, kept in free lists, for all galleries of this worker. Blocks never move, so growing copies no
 * template. A freed block is zeroed except for its link, and any gallery may take it; it is split if only smaller
 * blocks are needed. WebAssembly cannot return pages to the system. At the host's limit, functions report failure and
 * do not trap. Other workers grow the same memory: pages belong to the worker whose `memory.grow` returned them. Held
 * by test/matcher/memory.test.ts.
 */
import { addressOf, freeList, headOf, PAGE, pagesOfSize, sizeOf, SIZES, slotsOfSize } from './layout';

/** Pages added at a time. Growing is rare, because the host then needs new views; but a small service stays small. */
const GROWTH: u32 = 16;

/** Pages that this worker may still add. */
let allowance: u32 = 65536;

/** @param pages most pages for the blocks of this worker */
export function limitTo(pages: u32): void {
  allowance = pages;
}

// Fields of a free list.
const FIRST: usize = 0; // u32
const COUNT: usize = 4; // u32

/** Makes sure that `count` blocks of a size can be taken. False, with nothing lost: no memory left. */
export function ensure(size: u32, count: u32): bool {
  while (load<u32>(freeList(size), COUNT) < count) {
    if (split(size)) continue;
    const missing = count - load<u32>(freeList(size), COUNT);
    // If the system refuses many pages, the few that are needed may still fit.
    if (size == 0 && grow(size, max(GROWTH, missing))) continue;
    if (!grow(size, 1)) return false;
  }
  return true;
}

/** Splits a block of the next size, which may itself be split off a larger one. False: there is none. */
function split(size: u32): bool {
  const from = size + 1;
  if (from == SIZES || (load<u32>(freeList(from), FIRST) == 0 && !split(from))) return false;
  free(size, unlink(from), pagesOfSize(from) / pagesOfSize(size));
  return true;
}

/** Adds memory for `count` blocks of a size, or as many as are allowed. False: none. */
function grow(size: u32, count: u32): bool {
  const allowed = min(count, allowance / pagesOfSize(size));
  if (allowed == 0) return false;
  const pages = allowed * pagesOfSize(size);
  const page = memory.grow(pages);
  if (page < 0) return false;
  allowance -= pages;
  free(size, page, allowed);
  return true;
}

/** Frees `count` consecutive blocks. Lower pages are taken first, so a gallery loaded at once has consecutive pages. */
function free(size: u32, page: u32, count: u32): void {
  const list = freeList(size);
  for (let i = count; i > 0; i--) {
    const block = page + (i - 1) * pagesOfSize(size);
    headOf(block).slots = 0;
    headOf(block).next = load<u32>(list, FIRST);
    store<u32>(list, block, FIRST);
  }
  store<u32>(list, load<u32>(list, COUNT) + count, COUNT);
}

function unlink(size: u32): u32 {
  const list = freeList(size);
  const block = load<u32>(list, FIRST);
  store<u32>(list, headOf(block).next, FIRST);
  store<u32>(list, load<u32>(list, COUNT) - 1, COUNT);
  headOf(block).next = 0;
  return block;
}

/** Takes a block: all zeros except for its number of slots. The caller has made sure that there is one. */
export function take(size: u32): u32 {
  const block = unlink(size);
  headOf(block).slots = slotsOfSize(size);
  return block;
}

/** Takes a page for numbers, all zeros; 0: no memory left. */
export function takePage(): u32 {
  if (!ensure(0, 1)) return 0;
  const page = take(0);
  headOf(page).slots = 0;
  return page;
}

/** Zeroes and frees such a page; 0: nothing. */
export function givePage(page: u32): void {
  if (page == 0) return;
  memory.fill(addressOf(page), 0, PAGE);
  free(0, page, 1);
}

/** Zeroes and frees all blocks of a gallery. */
export function giveBack(gallery: u32): void {
  for (let block = gallery; block != 0; ) {
    const following = headOf(block).next;
    const size = sizeOf(block);
    memory.fill(addressOf(block), 0, <usize>pagesOfSize(size) * PAGE);
    free(size, block, 1);
    block = following;
  }
}
