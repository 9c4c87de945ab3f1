/**
 * Bookkeeping of galleries: which blocks belong to which gallery, which slots are in use, and the order in which
 * templates were stored. A gallery's handle is its first block. Invariant: a block is in its gallery's open list
 * exactly if it has a free slot. Refused: a slot of another gallery, a free slot, and a template whose norm is not 1.
 * Held by test/matcher/memory.test.ts and test/matcher/ties.test.ts.
 */
import { ensure, giveBack, take } from './blocks';
import { adapt, beginCoding, count, forget } from './coding';
import { encode, eraseCodes } from './encode';
import {
  blockOf,
  free,
  indexOf,
  last,
  next,
  nextOrder,
  open,
  openNext,
  order,
  owner,
  pages,
  pagesOfSize,
  pagesUntil,
  setFree,
  setLast,
  setNext,
  setNextOrder,
  setOpen,
  setOpenNext,
  setOwner,
  setPages,
  setSlot,
  setTemplates,
  setUsed,
  SIZES,
  slotOf,
  slots,
  slotsOfSize,
  templateAddress,
  templates,
  used,
  user,
  VECTOR_BYTES,
  vectorAddress,
} from './layout';
import { turn } from './rotate';

/** Allowed difference of a template's squared norm from 1; rounding to float32 moves it by at most 1.3e-7. */
const NORM_TOLERANCE: f64 = 1e-6;

/** Creates an empty gallery. 0: no memory left. */
export function create(): u32 {
  if (!ensure(0, 1)) return 0;
  const gallery = take(0);
  setOwner(gallery, gallery);
  setLast(gallery, gallery);
  setOpen(gallery, gallery);
  setPages(gallery, 1);
  beginCoding(gallery);
  return gallery;
}

/** Makes room for `wanted` more templates, and grows if necessary. False: no memory left. */
export function reserve(gallery: u32, wanted: u32): bool {
  const spare = spareSlots(gallery);
  let missing = wanted - min(wanted, spare);
  let held = pages(gallery);
  while (missing > 0) {
    const size = sizeFor(held);
    const allowed = (pagesUntil(size) - held) / pagesOfSize(size);
    const count = min(allowed, (missing - 1) / slotsOfSize(size) + 1);
    if (!ensure(size, count)) return false;
    missing -= min(missing, count * slotsOfSize(size));
    held += count * pagesOfSize(size);
  }
  return true;
}

/** Free slots in the gallery's blocks. A gallery takes blocks in the order of their sizes. */
function spareSlots(gallery: u32): u32 {
  let held = pages(gallery);
  let all: u32 = 0;
  let before: u32 = 0;
  for (let size: u32 = 0; size < SIZES && held > 0; size++) {
    const count = min(held, pagesUntil(size) - before) / pagesOfSize(size);
    all += count * slotsOfSize(size);
    held -= count * pagesOfSize(size);
    before = pagesUntil(size);
  }
  return all - templates(gallery);
}

/** Size of the next block for a gallery with `held` pages. */
function sizeFor(held: u32): u32 {
  let size: u32 = 0;
  while (held >= pagesUntil(size)) size++;
  return size;
}

/** Whether the numbers in the scratch are finite and have norm 1; the bounds of the scan depend on it. */
export function checkTemplate(): bool {
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  for (let at = templateAddress(); at < templateAddress() + VECTOR_BYTES; at += 16) {
    const a = f64x2.promote_low_f32x4(v128.load64_zero(at));
    const b = f64x2.promote_low_f32x4(v128.load64_zero(at, 8));
    even = f64x2.add(even, f64x2.mul(a, a));
    odd = f64x2.add(odd, f64x2.mul(b, b));
  }
  const sums = f64x2.add(even, odd);
  return abs(f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1) - 1) <= NORM_TOLERANCE;
}

/**
 * Stores the template in the scratch for user number `userNumber` (not 0). Returns its slot, or 0 if memory is full.
 */
export function add(gallery: u32, userNumber: u32): u32 {
  const order = nextOrder(gallery);
  // There are no more order numbers: the gallery must be loaded again.
  if (order == u32.MAX_VALUE) return 0;
  const block = open(gallery) || append(gallery);
  if (block == 0) return 0;
  const index = claim(block);
  if (free(block) == 0 && used(block) == slots(block)) setOpen(gallery, openNext(block));
  setNextOrder(gallery, order + 1);
  setTemplates(gallery, templates(gallery) + 1);
  setSlot(block, index, userNumber, order);
  memory.copy(vectorAddress(block, index), templateAddress(), VECTOR_BYTES);
  turn(templateAddress());
  count(gallery, 1);
  encode(gallery, block, index);
  if (adapt(gallery)) encodeAll(gallery);
  return slotOf(block, index);
}

/** Zeroes a slot and frees it. Returns its user number, or 0 if the slot holds no template of this gallery. */
export function remove(gallery: u32, slot: u32): u32 {
  const block = blockOf(slot);
  const index = indexOf(slot);
  if (owner(block) != gallery || index >= used(block)) return 0;
  const userNumber = user(block, index);
  if (userNumber == 0) return 0;
  if (free(block) == 0 && used(block) == slots(block)) {
    setOpenNext(block, open(gallery));
    setOpen(gallery, block);
  }
  const vector = vectorAddress(block, index);
  turn(vector);
  count(gallery, -1);
  memory.fill(vector, 0, VECTOR_BYTES);
  eraseCodes(block, index);
  setSlot(block, index, 0, free(block));
  setFree(block, index + 1);
  setTemplates(gallery, templates(gallery) - 1);
  if (templates(gallery) == 0) forget(gallery);
  return userNumber;
}

/** Zeroes all blocks of a gallery and frees them. */
export function drop(gallery: u32): void {
  giveBack(gallery);
}

/** Order number of the template in an occupied slot: smaller means stored earlier, within one gallery. */
export function orderOf(slot: u32): u32 {
  return order(blockOf(slot), indexOf(slot));
}

/** Adds a block to the gallery. */
function append(gallery: u32): u32 {
  const size = sizeFor(pages(gallery));
  if (!ensure(size, 1)) return 0;
  const block = take(size);
  setOwner(block, gallery);
  setNext(last(gallery), block);
  setLast(gallery, block);
  setOpenNext(block, open(gallery));
  setOpen(gallery, block);
  setPages(gallery, pages(gallery) + pagesOfSize(size));
  return block;
}

/** Takes a free slot: the one freed last, or else the first unused one. */
function claim(block: u32): u32 {
  const freed = free(block);
  if (freed != 0) {
    setFree(block, order(block, freed - 1));
    return freed - 1;
  }
  const index = used(block);
  setUsed(block, index + 1);
  return index;
}

/** Codes every template again, after the coding has changed. */
function encodeAll(gallery: u32): void {
  for (let block = gallery; block != 0; block = next(block)) {
    for (let index: u32 = 0; index < used(block); index++) {
      if (user(block, index) == 0) continue;
      turn(vectorAddress(block, index));
      encode(gallery, block, index);
    }
  }
}
