/**
 * Where everything is in linear memory; README.md has a drawing. No other file knows the offsets of blocks and scratch,
 * so a new layout changes only this file. It reads and writes single fields and decides nothing.
 * Held by test/matcher/memory.test.ts.
 *
 * Each worker has its own memory, for its galleries and its scratch. A worker that helps another one joins that
 * worker's memory and gets a scratch there too; only the owner adds and removes blocks. Page 0 is the compiler's. A
 * block is 1 page of 64 KiB or, in larger galleries, 23 or 92 consecutive pages. Its first page is its name.
 */

/** Numbers in a template or probe. */
export const DIMENSIONS: usize = 128;
export const VECTOR_BYTES: usize = DIMENSIONS * 4;
/** Most probes in one search. */
export const MAX_PROBES: usize = 5;
/** Most searches in one pass over a gallery. */
export const MAX_SEARCHES: u32 = 8;
/** Most workers that may help with one pass. */
export const MAX_HELPERS: u32 = 8;

// Blocks. Their sizes are chosen so that whole groups nearly fill the pages, and a block splits evenly into smaller
// ones.
export const PAGE: usize = 65536;
/** Number of block sizes; size 0 is the smallest. */
export const SIZES: u32 = 3;
const SMALL_SLOTS: u32 = 96;
const LARGE_PAGES: u32 = 23;
const LARGE_SLOTS: u32 = 2560;
const HUGE_PAGES: u32 = 92;
const HUGE_SLOTS: u32 = 10240;
/** Pages up to which a gallery takes blocks of a size, so that no block is much larger than its gallery. */
const SMALL_UNTIL: u32 = LARGE_PAGES;
const LARGE_UNTIL: u32 = 7 * LARGE_PAGES;

export function slotsOfSize(size: u32): u32 {
  return size == 0 ? SMALL_SLOTS : size == 1 ? LARGE_SLOTS : HUGE_SLOTS;
}
export function pagesOfSize(size: u32): u32 {
  return size == 0 ? 1 : size == 1 ? LARGE_PAGES : HUGE_PAGES;
}
/** A gallery with this many pages takes no more blocks of the size. */
export function pagesUntil(size: u32): u32 {
  return size == 0 ? SMALL_UNTIL : size == 1 ? LARGE_UNTIL : u32.MAX_VALUE;
}

/** Templates whose coarse codes are interleaved. A row of their codes is two vectors, with one byte per template. */
export const GROUP_SLOTS: u32 = 32;
/** Bytes of coarse codes of one group: 32 rows with one byte per template, then four bytes per template. */
export const COARSE_BYTES: usize = 1152;
export const COARSE_TERMS: usize = 1024;
/** Bytes of the fine code of one template. Fine codes are not interleaved, so a second look reads one cache line. */
export const FINE_BYTES: usize = 32;

// One search: offsets inside its record. The host knows RAW, UNIT and STATE.
/** In: probes as given, MAX_PROBES rows of 128 f64. */
export const RAW: usize = 0;
/** Out: the same probes normalised, MAX_PROBES rows of 128 f32. */
export const UNIT: usize = RAW + MAX_PROBES * DIMENSIONS * 8;
/** What the kernels read of each probe: its tables and the terms of its bound, see probe.ts. */
export const TERMS: usize = UNIT + MAX_PROBES * VECTOR_BYTES;
export const TERMS_BYTES: usize = 1296;
/** What was found so far, see select.ts; at the end, the outcome for the host. */
export const STATE: usize = TERMS + MAX_PROBES * TERMS_BYTES;
export const STATE_BYTES: usize = 64;
const PROBES: usize = STATE + STATE_BYTES; // u32: probes of the search; 0: it was refused
/** Number of slots that wait for an exact comparison (at most four), u32, then the slots, u32 each. */
export const WAITING: usize = PROBES + 4;
/** In: the margin of the search, f64. */
export const MARGIN: usize = PROBES + 24;
export const SEARCH_BYTES: usize = PROBES + 32;

// Slots that passed the coarse bound of a probe and wait for a second look, one entry each.
/** Most slots that one call of a kernel scans: an even number of groups. */
export const RUN_SLOTS: u32 = 512;
/** The second look begins with this many entries: enough to wait for memory once instead of for each. */
export const ENOUGH_LISTED: u32 = 384;
export const ENTRY_BYTES: usize = 20;
export const ENTRY_SLOT: usize = 0; // u32
export const ENTRY_SCORE: usize = 4; // i32: what was compared with the floor
export const ENTRY_WORD: usize = 8; // u32: the word behind the coarse codes
export const ENTRY_TERMS: usize = 12; // u32: address of the TERMS of the probe
export const ENTRY_FINE: usize = 16; // u32: address of the fine code
/** Up to three probes may each list all slots of the run that reaches the limit. */
const MAX_LISTED: u32 = ENOUGH_LISTED + 3 * RUN_SLOTS;

const FREE_LIST_BYTES: usize = 8;

// The scratch of one worker.
const SEARCHES: usize = 0;
const TEMPLATE: usize = SEARCHES + <usize>MAX_SEARCHES * SEARCH_BYTES;
const TURNED: usize = TEMPLATE + VECTOR_BYTES;
const LISTED: usize = TURNED + VECTOR_BYTES;
const SIGNS: usize = LISTED + <usize>MAX_LISTED * ENTRY_BYTES;
const FREE_LISTS: usize = SIGNS + 2 * VECTOR_BYTES;
const JOB: usize = FREE_LISTS + <usize>SIZES * FREE_LIST_BYTES;
const JOB_BYTES: usize = 32 + <usize>(MAX_HELPERS * MAX_SEARCHES) * STATE_BYTES;
export const SCRATCH_BYTES: usize = JOB + JOB_BYTES + 8;
/** Pages that the host reserves for the scratch of each worker. */
export const SCRATCH_PAGES: u32 = 3;

let scratch: usize = 0;

/** Call once, before anything else. */
export function setScratch(address: usize): void {
  scratch = address;
}
export function scratchAddress(): usize {
  return scratch;
}
/** Record of search number `n`. */
export function searchAddress(n: u32): usize {
  return scratch + SEARCHES + <usize>n * SEARCH_BYTES;
}
export function probesOf(search: usize): u32 {
  return load<u32>(search, PROBES);
}
export function setProbes(search: usize, count: u32): void {
  store<u32>(search, count, PROBES);
}
/** In: one template to check or add, 128 f32. */
export function templateAddress(): usize {
  return scratch + TEMPLATE;
}
/** The vector that is being turned, 128 f32. */
export function turnedAddress(): usize {
  return scratch + TURNED;
}
/** Two rows of 128 sign bits, see rotate.ts. */
export function signsAddress(): usize {
  return scratch + SIGNS;
}
/** Free blocks of a size: the first, u32, and their number, u32. */
export function freeList(size: u32): usize {
  return scratch + FREE_LISTS + <usize>size * FREE_LIST_BYTES;
}
/** The entries that wait for a second look. */
export function listedAddress(): usize {
  return scratch + LISTED;
}
/** i32: batches of calls that the owner of a scratch has answered. In the last 8 bytes; the host reads it too. */
export function batchesAddress(scratchOfOwner: usize): usize {
  return scratchOfOwner + ((<usize>SCRATCH_PAGES) << 16) - 8;
}
/** What helpers need to know about a pass, in the scratch of the worker that asks for help; see help.ts. */
export function jobAddress(scratchOfOwner: usize): usize {
  return scratchOfOwner + JOB;
}

// Head of a block. Page 0 belongs to the compiler, so block 0 means "none".
const NEXT: usize = 0; // u32: next block of the gallery, or next free block
const OPEN_NEXT: usize = 4; // u32: next block of the gallery that has a free slot
const OWNER: usize = 8; // u32: the gallery; 0 in a free block
const SLOTS: usize = 12; // u32: slots of the block
const USED: usize = 16; // u32: slots that held a template at any time since the block was taken
const FREE: usize = 20; // u32: index + 1 of the first freed slot; 0: none
const HEAD: usize = 64;
// A gallery's handle is the page number of its first block. Its record follows the last slot of that block.
const RECORD: usize = HEAD + <usize>SMALL_SLOTS * 588;
const LAST: usize = 0; // u32: last block in the chain
const OPEN: usize = 4; // u32: first block with a free slot
const PAGES: usize = 8; // u32: pages of all blocks
const TEMPLATES: usize = 12; // u32: slots in use
const NEXT_ORDER: usize = 16; // u32: templates stored so far
const CODING: usize = 64; // see coding.ts

export function addressOf(block: u32): usize {
  return (<usize>block) << 16;
}

// A slot number holds block and index.
export function slotOf(block: u32, index: u32): u32 {
  return (block << 14) | index;
}
export function blockOf(slot: u32): u32 {
  return slot >> 14;
}
export function indexOf(slot: u32): u32 {
  return slot & 16383;
}

/** Coarse codes of a block: groups of COARSE_BYTES. */
export function coarseAddress(block: u32): usize {
  return addressOf(block) + HEAD;
}
/** Position of a slot's byte in each row of its group, chosen so that kernels get scores in slot order. */
export function byteOf(index: u32): usize {
  const i = <usize>index;
  return (i & 16) + (i & 3) * 2 + (((i >> 2) & 1) << 3) + ((i >> 3) & 1);
}
/** The fine code of the template in a slot. */
export function fineAddress(block: u32, index: u32): usize {
  return coarseAddress(block) + <usize>slots(block) * 36 + <usize>index * FINE_BYTES;
}
function usersAddress(block: u32): usize {
  return coarseAddress(block) + <usize>slots(block) * 68;
}
function ordersAddress(block: u32): usize {
  return coarseAddress(block) + <usize>slots(block) * 72;
}
/** The template in a slot: 128 f32. */
export function vectorAddress(block: u32, index: u32): usize {
  return coarseAddress(block) + <usize>slots(block) * 76 + <usize>index * VECTOR_BYTES;
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
export function slots(block: u32): u32 {
  return load<u32>(addressOf(block), SLOTS);
}
export function setSlots(block: u32, count: u32): void {
  store<u32>(addressOf(block), count, SLOTS);
}
export function used(block: u32): u32 {
  return load<u32>(addressOf(block), USED);
}
export function setUsed(block: u32, count: u32): void {
  store<u32>(addressOf(block), count, USED);
}
export function free(block: u32): u32 {
  return load<u32>(addressOf(block), FREE);
}
export function setFree(block: u32, index: u32): void {
  store<u32>(addressOf(block), index, FREE);
}
export function sizeOf(block: u32): u32 {
  const count = slots(block);
  return count == SMALL_SLOTS ? 0 : count == LARGE_SLOTS ? 1 : 2;
}

function record(gallery: u32): usize {
  return addressOf(gallery) + RECORD;
}
export function last(gallery: u32): u32 {
  return load<u32>(record(gallery), LAST);
}
export function setLast(gallery: u32, block: u32): void {
  store<u32>(record(gallery), block, LAST);
}
export function open(gallery: u32): u32 {
  return load<u32>(record(gallery), OPEN);
}
export function setOpen(gallery: u32, block: u32): void {
  store<u32>(record(gallery), block, OPEN);
}
/** Pages that a gallery holds. */
export function pages(gallery: u32): u32 {
  return load<u32>(record(gallery), PAGES);
}
export function setPages(gallery: u32, count: u32): void {
  store<u32>(record(gallery), count, PAGES);
}
export function templates(gallery: u32): u32 {
  return load<u32>(record(gallery), TEMPLATES);
}
export function setTemplates(gallery: u32, count: u32): void {
  store<u32>(record(gallery), count, TEMPLATES);
}
/** Order number of the next template. It only grows during the life of the gallery, and it decides ties. */
export function nextOrder(gallery: u32): u32 {
  return load<u32>(record(gallery), NEXT_ORDER);
}
export function setNextOrder(gallery: u32, order: u32): void {
  store<u32>(record(gallery), order, NEXT_ORDER);
}
export function codingAddress(gallery: u32): usize {
  return record(gallery) + CODING;
}

/** 0 in a free slot. */
export function user(block: u32, index: u32): u32 {
  return load<u32>(usersAddress(block) + <usize>index * 4);
}
/** In a free slot: index + 1 of the next free slot of the block, 0 for none. */
export function order(block: u32, index: u32): u32 {
  return load<u32>(ordersAddress(block) + <usize>index * 4);
}
export function setSlot(block: u32, index: u32, userNumber: u32, orderNumber: u32): void {
  store<u32>(usersAddress(block) + <usize>index * 4, userNumber);
  store<u32>(ordersAddress(block) + <usize>index * 4, orderNumber);
}
