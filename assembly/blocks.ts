/**
 * Blocks of three sizes from free lists, for all galleries of this worker. Blocks never move, so growth copies
 * no template. What is given back is zero but for its link, and serves other galleries; a block is split when only
 * smaller ones are wanted. Pages are never returned to the system (WebAssembly cannot); memory past the host's
 * limit is refused, never trapped on. Other workers grow the same memory: pages belong to whom growing gave them.
 * Held by test/matcher/memory.test.ts.
 */
import {
  addressOf,
  freeList,
  next,
  PAGE,
  pagesOfSize,
  SIZES,
  setNext,
  setSlots,
  sizeOf,
  slotsOfSize,
} from './layout';

/** Pages added at a time: growing costs the host new views, so it should be rare, but a small service stays small. */
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

/** Sees to it that `count` blocks of a size can be taken. False, with nothing lost, when memory ends. */
export function ensure(size: u32, count: u32): bool {
  while (load<u32>(freeList(size), COUNT) < count) {
    if (split(size)) continue;
    const missing = count - load<u32>(freeList(size), COUNT);
    // A refusal of many pages may still leave room for the few that are needed.
    if (size == 0 && grow(size, max(GROWTH, missing))) continue;
    if (!grow(size, 1)) return false;
  }
  return true;
}

/** Makes free blocks of a size out of one of the next size, which may be made in the same way. False when there is none. */
function split(size: u32): bool {
  const from = size + 1;
  if (from == SIZES || (load<u32>(freeList(from), FIRST) == 0 && !split(from))) return false;
  free(size, unlink(from), pagesOfSize(from) / pagesOfSize(size));
  return true;
}

/** Adds memory for `count` blocks of a size, or for as many as are allowed. False when there is none. */
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

/** Frees `count` blocks in a row, linked so that lower pages are taken first: a gallery loaded at once lies in one run. */
function free(size: u32, page: u32, count: u32): void {
  const list = freeList(size);
  for (let i = count; i > 0; i--) {
    const block = page + (i - 1) * pagesOfSize(size);
    setSlots(block, 0);
    setNext(block, load<u32>(list, FIRST));
    store<u32>(list, block, FIRST);
  }
  store<u32>(list, load<u32>(list, COUNT) + count, COUNT);
}

function unlink(size: u32): u32 {
  const list = freeList(size);
  const block = load<u32>(list, FIRST);
  store<u32>(list, next(block), FIRST);
  store<u32>(list, load<u32>(list, COUNT) - 1, COUNT);
  setNext(block, 0);
  return block;
}

/** A block of zeros but for its number of slots; the caller has made sure that there is one. */
export function take(size: u32): u32 {
  const block = unlink(size);
  setSlots(block, slotsOfSize(size));
  return block;
}

/** Zeroes the chain of blocks of a gallery and frees them. */
export function giveBack(gallery: u32): void {
  for (let block = gallery; block != 0; ) {
    const following = next(block);
    const size = sizeOf(block);
    memory.fill(addressOf(block), 0, <usize>pagesOfSize(size) * PAGE);
    free(size, block, 1);
    block = following;
  }
}
