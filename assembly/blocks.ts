/**
 * Blocks of 64 KiB from one free list, for all galleries of this instance. Blocks never move, so growth copies no
 * template. What is given back is zero but for its link, and serves other galleries. Pages are never returned to the
 * system (WebAssembly cannot); memory past the host's limit is refused, never trapped on.
 * Held by test/matcher/memory.test.ts.
 */
import { addressOf, BLOCK_BYTES, last, next, setNext } from './layout';

/** Pages added at a time: growing costs the host new views, so it should be rare, but a small service stays small. */
const GROWTH: u32 = 16;

let free: u32 = 0;
let freeCount: u32 = 0;
let limit: u32 = 65536;

/** @param pages most pages that this instance may have, page 0 included */
export function limitTo(pages: u32): void {
  limit = pages;
}

/** Sees to it that `count` blocks can be taken. False, with nothing lost, when memory ends. */
export function ensure(count: u32): bool {
  while (freeCount < count) {
    // A refusal of many pages may still leave room for the few that are needed.
    if (!grow(max(GROWTH, count - freeCount)) && !grow(1)) return false;
  }
  return true;
}

function grow(wanted: u32): bool {
  const pages = <u32>memory.size();
  const granted = min(wanted, limit > pages ? limit - pages : 0);
  if (granted == 0 || memory.grow(granted) < 0) return false;
  // Linked so that lower pages are taken first: a gallery loaded at once lies in one run.
  for (let page = pages + granted - 1; page >= pages; page--) {
    setNext(page, free);
    free = page;
  }
  freeCount += granted;
  return true;
}

/** A block of zeros; the caller has made sure that there is one. */
export function take(): u32 {
  const block = free;
  free = next(block);
  freeCount--;
  setNext(block, 0);
  return block;
}

/** Zeroes the chain of blocks of a gallery and puts it in front of the free list, in its order. */
export function giveBack(gallery: u32): void {
  const tail = last(gallery);
  for (let block = gallery; block != 0; ) {
    const following = next(block);
    memory.fill(addressOf(block), 0, BLOCK_BYTES);
    setNext(block, following);
    freeCount++;
    block = following;
  }
  setNext(tail, free);
  free = gallery;
}
