/**
 * Bookkeeping of galleries: which blocks belong to which gallery, which slots are in use, and the order in which
 * templates were stored. A gallery's handle is its first block. Invariant: a block is in its gallery's open list
 * exactly if it has a free slot. Refused: a slot of another gallery, a free slot, and a template whose norm is not 1.
 * Held by test/matcher/memory.test.ts and test/matcher/ties.test.ts.
 */
import { ensure, giveBack, take } from './blocks';
import { dot, fieldsOf } from './coding';
import { encode, eraseCodes } from './encode';
import { beginCodings, forget, noteAdded, releaseAxes } from './learn';
import * as layout from './layout';

/** Allowed difference of a template's squared norm from 1; rounding to float32 moves it by at most 1.3e-7. */
const NORM_TOLERANCE: f64 = 1e-6;

/** Creates an empty gallery. 0: no memory left. */
export function create(): u32 {
  if (!ensure(0, 1)) return 0;
  const gallery = take(0);
  layout.headOf(gallery).owner = gallery;
  layout.recordOf(gallery).last = gallery;
  layout.recordOf(gallery).open = gallery;
  layout.recordOf(gallery).pages = 1;
  beginCodings(gallery);
  return gallery;
}

/** Makes room for `wanted` more templates, and grows if necessary. False: no memory left. */
export function reserve(gallery: u32, wanted: u32): bool {
  const spare = spareSlots(gallery);
  let missing = wanted - min(wanted, spare);
  let held = layout.recordOf(gallery).pages;
  while (missing > 0) {
    const size = sizeFor(held);
    const allowed = (layout.pagesUntil(size) - held) / layout.pagesOfSize(size);
    const count = min(allowed, (missing - 1) / layout.slotsOfSize(size) + 1);
    if (!ensure(size, count)) return false;
    missing -= min(missing, count * layout.slotsOfSize(size));
    held += count * layout.pagesOfSize(size);
  }
  return true;
}

/** Free slots in the gallery's blocks. A gallery takes blocks in the order of their sizes. */
function spareSlots(gallery: u32): u32 {
  let held = layout.recordOf(gallery).pages;
  let all: u32 = 0;
  let before: u32 = 0;
  for (let size: u32 = 0; size < layout.SIZES && held > 0; size++) {
    const count = min(held, layout.pagesUntil(size) - before) / layout.pagesOfSize(size);
    all += count * layout.slotsOfSize(size);
    held -= count * layout.pagesOfSize(size);
    before = layout.pagesUntil(size);
  }
  return all - layout.recordOf(gallery).templates;
}

/** Size of the next block for a gallery with `held` pages. */
function sizeFor(held: u32): u32 {
  let size: u32 = 0;
  while (held >= layout.pagesUntil(size)) size++;
  return size;
}

/** Whether the numbers in the scratch are finite and have norm 1; the bounds of the scan depend on it. */
export function checkTemplate(): bool {
  return abs(dot(layout.templateAddress(), layout.templateAddress()) - 1) <= NORM_TOLERANCE;
}

/**
 * Stores the template in the scratch for user number `userNumber` (not 0). Returns its slot, or 0 if memory is full.
 */
export function add(gallery: u32, userNumber: u32): u32 {
  const record = layout.recordOf(gallery);
  const order = record.nextOrder;
  // There are no more order numbers: the gallery must be loaded again.
  if (order == u32.MAX_VALUE) return 0;
  const block = record.open || append(gallery);
  if (block == 0) return 0;
  const index = claim(block);
  if (isFull(block)) record.open = layout.headOf(block).openNext;
  record.nextOrder = order + 1;
  record.templates++;
  layout.setSlot(block, index, userNumber, order);
  memory.copy(layout.vectorAddress(block, index), layout.templateAddress(), layout.VECTOR_BYTES);
  noteAdded(gallery, encode(block, index));
  return layout.slotOf(block, index);
}

/** Zeroes a slot and frees it. Returns its user number, or 0 if the slot holds no template of this gallery. */
export function remove(gallery: u32, slot: u32): u32 {
  const block = layout.blockOf(slot);
  const index = layout.indexOf(slot);
  const head = layout.headOf(block);
  const record = layout.recordOf(gallery);
  if (head.owner != gallery || index >= head.used) return 0;
  const userNumber = layout.user(block, index);
  if (userNumber == 0) return 0;
  if (isFull(block)) {
    head.openNext = record.open;
    record.open = block;
  }
  memory.fill(layout.vectorAddress(block, index), 0, layout.VECTOR_BYTES);
  eraseCodes(block, index);
  layout.setSlot(block, index, 0, head.free);
  head.free = index + 1;
  record.removed++;
  if (--record.templates == 0) forget(gallery);
  return userNumber;
}

function isFull(block: u32): bool {
  const head = layout.headOf(block);
  return head.free == 0 && head.used == head.slots;
}

/** Zeroes all memory of a gallery and frees it. */
export function drop(gallery: u32): void {
  releaseAxes(gallery);
  giveBack(gallery);
}

/** All pages of a gallery, with those of its axes. */
export function pagesHeld(gallery: u32): u32 {
  let count = layout.recordOf(gallery).pages;
  for (let which: u32 = 0; which < 2; which++)
    if (fieldsOf(layout.codingAddress(gallery, which)).axes != 0) count++;
  return count;
}

/** Order number of the template in an occupied slot: smaller means stored earlier, within one gallery. */
export function orderOf(slot: u32): u32 {
  return layout.order(layout.blockOf(slot), layout.indexOf(slot));
}

/** Adds a block to the gallery. */
function append(gallery: u32): u32 {
  const size = sizeFor(layout.recordOf(gallery).pages);
  if (!ensure(size, 1)) return 0;
  const block = take(size);
  layout.headOf(block).owner = gallery;
  layout.setCoded(block, layout.recordOf(gallery).current, layout.headOf(block).slots);
  layout.headOf(layout.recordOf(gallery).last).next = block;
  layout.recordOf(gallery).last = block;
  layout.headOf(block).openNext = layout.recordOf(gallery).open;
  layout.recordOf(gallery).open = block;
  layout.recordOf(gallery).pages = layout.recordOf(gallery).pages + layout.pagesOfSize(size);
  return block;
}

/** Takes a free slot: the one freed last, or else the first unused one. */
function claim(block: u32): u32 {
  const freed = layout.headOf(block).free;
  if (freed != 0) {
    layout.headOf(block).free = layout.order(block, freed - 1);
    return freed - 1;
  }
  const index = layout.headOf(block).used;
  layout.headOf(block).used = index + 1;
  return index;
}
