/**
 * Blocks of 1 or 22 pages from two free lists, for all galleries of this worker. Blocks never move, so growth copies
 * no template. What is given back is zero but for its link, and serves other galleries; a large block is split when
 * only small ones are wanted. Pages are never returned to the system (WebAssembly cannot); memory past the host's
 * limit is refused, never trapped on. Other workers grow the same memory: pages belong to whom growing gave them.
 * Held by test/matcher/memory.test.ts.
 */
import {
  addressOf,
  LARGE_PAGES,
  LARGE_SLOTS,
  next,
  PAGE,
  pagesOf,
  setNext,
  setSlots,
  SMALL_SLOTS,
} from './layout';

/** Pages added at a time: growing costs the host new views, so it should be rare, but a small service stays small. */
const GROWTH: u32 = 16;

let freeSmall: u32 = 0;
let freeLarge: u32 = 0;
let smallCount: u32 = 0;
let largeCount: u32 = 0;
/** Pages that this worker may still add. */
let allowance: u32 = 65536;

/** @param pages most pages for the blocks of this worker */
export function limitTo(pages: u32): void {
  allowance = pages;
}

/** Sees to it that `count` small blocks can be taken. False, with nothing lost, when memory ends. */
export function ensureSmall(count: u32): bool {
  while (smallCount < count) {
    if (freeLarge != 0) split();
    // A refusal of many pages may still leave room for the few that are needed.
    else if (!growSmall(max(GROWTH, count - smallCount)) && !growSmall(1)) return false;
  }
  return true;
}

/** The same for large ones. */
export function ensureLarge(count: u32): bool {
  while (largeCount < count) {
    const page = grow(LARGE_PAGES);
    if (page == 0) return false;
    freeAsLarge(page);
  }
  return true;
}

/** First of `count` new pages, 0 when there are none. */
function grow(count: u32): u32 {
  if (count > allowance) return 0;
  const page = memory.grow(count);
  if (page < 0) return 0;
  allowance -= count;
  return <u32>page;
}

function growSmall(wanted: u32): bool {
  const count = min(wanted, allowance);
  const page = count == 0 ? 0 : grow(count);
  if (page == 0) return false;
  freeAsSmall(page, count);
  return true;
}

function split(): void {
  const page = freeLarge;
  freeLarge = next(page);
  largeCount--;
  freeAsSmall(page, LARGE_PAGES);
}

/** Linked so that lower pages are taken first: a gallery loaded at once lies in one run. */
function freeAsSmall(page: u32, count: u32): void {
  for (let block = page + count - 1; block >= page; block--) {
    setSlots(block, 0);
    setNext(block, freeSmall);
    freeSmall = block;
  }
  smallCount += count;
}

function freeAsLarge(block: u32): void {
  setNext(block, freeLarge);
  freeLarge = block;
  largeCount++;
}

/** A block of zeros but for its number of slots; the caller has made sure that there is one. */
export function take(large: bool): u32 {
  const block = large ? freeLarge : freeSmall;
  if (large) {
    freeLarge = next(block);
    largeCount--;
  } else {
    freeSmall = next(block);
    smallCount--;
  }
  setNext(block, 0);
  setSlots(block, large ? LARGE_SLOTS : SMALL_SLOTS);
  return block;
}

/** Zeroes the chain of blocks of a gallery and frees them. */
export function giveBack(gallery: u32): void {
  for (let block = gallery; block != 0; ) {
    const following = next(block);
    const count = pagesOf(block);
    memory.fill(addressOf(block), 0, <usize>count * PAGE);
    if (count == 1) freeAsSmall(block, 1);
    else freeAsLarge(block);
    block = following;
  }
}
