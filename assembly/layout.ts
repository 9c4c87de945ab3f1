/**
 * Where everything lies in linear memory; README.md draws it. The only file that knows offsets, so that a new layout
 * is a change here and in the kernels. It reads and writes single fields and decides nothing.
 * Held by test/matcher/memory.test.ts.
 *
 * Page 0 is scratch that the host shares, at the addresses exported below. Every other 64 KiB page is one block: a
 * 4 KiB head (links, occupancy, user and order of each slot) and 15 groups of 8 templates. Inside a group the
 * templates are interleaved: the 8 values of dimension 0, then the 8 of dimension 1, and so on.
 */

/** Numbers in a template or probe. */
export const DIMENSIONS: usize = 128;
/** Probes that one search takes at most. */
export const MAX_PROBES: usize = 5;

/** In: probes as given, MAX_PROBES rows of 128 f64. */
export const RAW: usize = 1024;
/** Out: the same probes normalised, MAX_PROBES rows of 128 f32. The kernels read them here. */
export const UNIT: usize = RAW + MAX_PROBES * DIMENSIONS * 8;
/** In: one template to check or add, 128 f32. */
export const TEMPLATE: usize = UNIT + MAX_PROBES * DIMENSIONS * 4;
/** Out: f64 best distance, f64 distance of the best other user, u32 slot, u32 verdict. */
export const RESULT: usize = TEMPLATE + DIMENSIONS * 4;
/** Inside a scan: dot products of one probe with the 8 templates of a group, f64. */
export const DOTS: usize = RESULT + 24;
/** Inside a scan: the smallest distance of each of these templates over all probes, f64. */
export const DISTANCES: usize = DOTS + 64;
/** First byte after the scratch. */
export const SCRATCH_END: usize = DISTANCES + 64;

export const GROUP_SLOTS: u32 = 8;
/** Bytes from one dimension of a group to the next. */
export const ROW: usize = 32;
export const GROUP_BYTES: usize = DIMENSIONS * ROW;
export const BLOCK_GROUPS: u32 = 15;
export const BLOCK_SLOTS: u32 = BLOCK_GROUPS * GROUP_SLOTS;
export const BLOCK_BYTES: usize = 65536;

// Head of a block. A block is named by its page number, so 0 (the scratch page) means "none".
const NEXT: usize = 0; // u32: next block of the gallery, or next free block
const OPEN_NEXT: usize = 4; // u32: next block of the gallery that has a free slot
const OWNER: usize = 8; // u32: the gallery; 0 in a free block
const OCCUPIED: usize = 16; // two u64: one bit per slot
const USERS: usize = 64; // u32 per slot; 0 in a free slot
const ORDERS: usize = 576; // u64 per slot
const GROUPS: usize = 4096;
// Only in a gallery's first block, whose page number is the gallery's handle.
const LAST: usize = 32; // u32: last block in the chain
const OPEN: usize = 36; // u32: first block with a free slot
const NEXT_ORDER: usize = 40; // u64: templates stored so far
const BLOCKS: usize = 48; // u32: blocks in the chain
const TEMPLATES: usize = 52; // u32: occupied slots in all of them

export function addressOf(block: u32): usize {
  return (<usize>block) << 16;
}

// A slot is named by block and index at once: block << 7 | index.
export function slotOf(block: u32, index: u32): u32 {
  return (block << 7) | index;
}
export function blockOf(slot: u32): u32 {
  return slot >> 7;
}
export function indexOf(slot: u32): u32 {
  return slot & 127;
}

export function groupAddress(block: u32, group: u32): usize {
  return addressOf(block) + GROUPS + <usize>group * GROUP_BYTES;
}

/** Address of dimension 0 of a slot; dimension i lies i * ROW bytes farther. */
export function laneAddress(block: u32, index: u32): usize {
  return groupAddress(block, index / GROUP_SLOTS) + <usize>(index % GROUP_SLOTS) * 4;
}

export function next(block: u32): u32 {
  return load<u32>(addressOf(block), NEXT);
}
export function setNext(block: u32, value: u32): void {
  store<u32>(addressOf(block), value, NEXT);
}
export function openNext(block: u32): u32 {
  return load<u32>(addressOf(block), OPEN_NEXT);
}
export function setOpenNext(block: u32, value: u32): void {
  store<u32>(addressOf(block), value, OPEN_NEXT);
}
export function owner(block: u32): u32 {
  return load<u32>(addressOf(block), OWNER);
}
export function setOwner(block: u32, gallery: u32): void {
  store<u32>(addressOf(block), gallery, OWNER);
}

export function last(gallery: u32): u32 {
  return load<u32>(addressOf(gallery), LAST);
}
export function setLast(gallery: u32, block: u32): void {
  store<u32>(addressOf(gallery), block, LAST);
}
export function open(gallery: u32): u32 {
  return load<u32>(addressOf(gallery), OPEN);
}
export function setOpen(gallery: u32, block: u32): void {
  store<u32>(addressOf(gallery), block, OPEN);
}
/** Blocks that a gallery holds. */
export function blocks(gallery: u32): u32 {
  return load<u32>(addressOf(gallery), BLOCKS);
}
export function setBlocks(gallery: u32, count: u32): void {
  store<u32>(addressOf(gallery), count, BLOCKS);
}
export function templates(gallery: u32): u32 {
  return load<u32>(addressOf(gallery), TEMPLATES);
}
export function setTemplates(gallery: u32, count: u32): void {
  store<u32>(addressOf(gallery), count, TEMPLATES);
}
/** The order number of the template stored next; counts up for the life of the gallery, so that ties can be told. */
export function takeOrder(gallery: u32): u64 {
  const order = load<u64>(addressOf(gallery), NEXT_ORDER);
  store<u64>(addressOf(gallery), order + 1, NEXT_ORDER);
  return order;
}

export function user(block: u32, index: u32): u32 {
  return load<u32>(addressOf(block) + <usize>index * 4, USERS);
}
export function order(block: u32, index: u32): u64 {
  return load<u64>(addressOf(block) + <usize>index * 8, ORDERS);
}
export function setSlot(block: u32, index: u32, userNumber: u32, orderNumber: u64): void {
  store<u32>(addressOf(block) + <usize>index * 4, userNumber, USERS);
  store<u64>(addressOf(block) + <usize>index * 8, orderNumber, ORDERS);
}

/** Bit `half * 64 + n` of the two words is slot `half * 64 + n`. */
export function occupied(block: u32, half: u32): u64 {
  return load<u64>(addressOf(block) + <usize>half * 8, OCCUPIED);
}
export function setOccupied(block: u32, half: u32, bits: u64): void {
  store<u64>(addressOf(block) + <usize>half * 8, bits, OCCUPIED);
}
