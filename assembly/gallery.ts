/**
 * The books of galleries: which blocks are whose, which slots are in use, and in which order templates were stored.
 * A gallery is named by its first block. Invariant: a block is in its gallery's open list exactly when it has a free
 * slot. It refuses what is not its own: a slot of another gallery, a free slot, a template whose norm is not 1.
 * Held by test/matcher/memory.test.ts and test/matcher/ties.test.ts.
 */
import { ensure, giveBack, take } from './blocks';
import {
  BLOCK_SLOTS,
  blockOf,
  blocks,
  DIMENSIONS,
  indexOf,
  laneAddress,
  last,
  occupied,
  open,
  openNext,
  order,
  owner,
  ROW,
  setBlocks,
  setLast,
  setNext,
  setOccupied,
  setOpen,
  setOpenNext,
  setOwner,
  setSlot,
  setTemplates,
  slotOf,
  takeOrder,
  templates,
  TEMPLATE,
} from './layout';

/** How far the squared norm of a template may lie from 1: rounding to float32 moves it by at most 1.3e-7. */
const NORM_TOLERANCE: f64 = 1e-6;
/** Occupancy of a full block: 64 slots in the first word, the rest in the second. */
const FULL_LOW: u64 = u64.MAX_VALUE;
const FULL_HIGH: u64 = ((<u64>1) << (BLOCK_SLOTS - 64)) - 1;

/** A new empty gallery, or 0 when memory ends. */
export function create(): u32 {
  if (!ensure(1)) return 0;
  const gallery = take();
  setOwner(gallery, gallery);
  setLast(gallery, gallery);
  setOpen(gallery, gallery);
  setBlocks(gallery, 1);
  return gallery;
}

/** Whether `count` more templates surely find room in a gallery, after growing if need be. */
export function reserve(gallery: u32, count: u32): bool {
  const spare = blocks(gallery) * BLOCK_SLOTS - templates(gallery);
  return count <= spare || ensure((count - spare + BLOCK_SLOTS - 1) / BLOCK_SLOTS);
}

/** Whether the numbers at TEMPLATE are finite and have norm 1: the error bound of the scan rests on it. */
export function checkTemplate(): bool {
  let sum: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const x = <f64>load<f32>(TEMPLATE + i * 4);
    sum += x * x;
  }
  return abs(sum - 1) <= NORM_TOLERANCE;
}

/** Stores the template at TEMPLATE for user number `userNumber` (not 0). Returns its slot, or 0 when memory ends. */
export function add(gallery: u32, userNumber: u32): u32 {
  const block = open(gallery) || append(gallery);
  if (block == 0) return 0;
  const index = claim(block);
  if (isFull(block)) setOpen(gallery, openNext(block));
  setTemplates(gallery, templates(gallery) + 1);
  setSlot(block, index, userNumber, takeOrder(gallery));
  const lane = laneAddress(block, index);
  for (let i: usize = 0; i < DIMENSIONS; i++) store<f32>(lane + i * ROW, load<f32>(TEMPLATE + i * 4));
  return slotOf(block, index);
}

/** Zeroes a slot and frees it for reuse. False when it does not hold a template of this gallery. */
export function remove(gallery: u32, slot: u32): bool {
  const block = blockOf(slot);
  const index = indexOf(slot);
  const bit = (<u64>1) << (index & 63);
  if (owner(block) != gallery || (occupied(block, index >> 6) & bit) == 0) return false;
  if (isFull(block)) {
    setOpenNext(block, open(gallery));
    setOpen(gallery, block);
  }
  setOccupied(block, index >> 6, occupied(block, index >> 6) & ~bit);
  setTemplates(gallery, templates(gallery) - 1);
  setSlot(block, index, 0, 0);
  const lane = laneAddress(block, index);
  for (let i: usize = 0; i < DIMENSIONS; i++) store<f32>(lane + i * ROW, 0);
  return true;
}

/** Zeroes all blocks of a gallery and frees them for other galleries. */
export function drop(gallery: u32): void {
  giveBack(gallery);
}

/** When the template in an occupied slot was stored, compared with others of its gallery. */
export function orderOf(slot: u32): u64 {
  return order(blockOf(slot), indexOf(slot));
}

function append(gallery: u32): u32 {
  if (!ensure(1)) return 0;
  const block = take();
  setOwner(block, gallery);
  setNext(last(gallery), block);
  setLast(gallery, block);
  setOpenNext(block, open(gallery));
  setOpen(gallery, block);
  setBlocks(gallery, blocks(gallery) + 1);
  return block;
}

/** Marks the lowest free slot as used: groups at the end stay empty, and the scan skips them. */
function claim(block: u32): u32 {
  const half: u32 = occupied(block, 0) == FULL_LOW ? 1 : 0;
  const bits = occupied(block, half);
  setOccupied(block, half, bits | (bits + 1));
  return half * 64 + <u32>ctz(~bits);
}

function isFull(block: u32): bool {
  return occupied(block, 0) == FULL_LOW && occupied(block, 1) == FULL_HIGH;
}
