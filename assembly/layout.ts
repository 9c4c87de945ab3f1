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
/** Most rows of a group, and most half bytes of a template. */
export const MAX_ROWS: u32 = 32;
export const MAX_HALVES: u32 = 2 * MAX_ROWS;
/** Bytes of a row: one for each template of the group. */
export const ROW_BYTES: usize = <usize>GROUP_SLOTS;
/** Bytes of the words behind the rows of a group: four for each template. */
export const WORDS_BYTES: usize = 4 * <usize>GROUP_SLOTS;
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
@unmanaged
export class Entry {
  slot: u32;
  /** What was compared with the floor. */
  score: i32;
  /** The word behind the coarse codes. */
  word: u32;
  /** Addresses of the TERMS of the probe, and of the fine code. */
  terms: u32;
  fine: u32;
}
/** Up to three probes may each list all slots of the run that reaches the limit. */
const MAX_LISTED: u32 = ENOUGH_LISTED + 3 * RUN_SLOTS;

// The scratch of one worker.
/** In: one template to check or add, 128 f32. */
const TEMPLATE: usize = <usize>MAX_SEARCHES * SEARCH_BYTES;
/** The vector that is being turned, 128 f32. */
export const TURNED: usize = TEMPLATE + VECTOR_BYTES;
/** What one step computes: tables of 16 u16, or rows of 128 numbers. */
export const WORK: usize = TURNED + VECTOR_BYTES;
/** Addresses of the TERMS of probes that are scanned together, three u32. */
export const HELD: usize = WORK + <usize>MAX_HALVES * 32;
/** The entries that wait for a second look. */
export const LISTED: usize = HELD + 16;
const FREE_LISTS: usize = LISTED + <usize>MAX_LISTED * ENTRY_BYTES;
const JOB: usize = FREE_LISTS + <usize>SIZES * 8;
export const SCRATCH_BYTES: usize = JOB + 32 + <usize>(MAX_HELPERS * MAX_SEARCHES) * STATE_BYTES + 8;
/** Pages that the host reserves for the scratch of each worker. */
export const SCRATCH_PAGES: u32 = 3;

let scratch: usize = 0;

/** Call once, before anything else. */
export function setScratch(address: usize): void {
  scratch = address;
}
/** A part of the scratch: TURNED, WORK, HELD or LISTED. */
export function scratchAt(part: usize): usize {
  return scratch + part;
}
/** Erases all probes and templates from the scratch. */
export function wipe(): void {
  memory.fill(scratch, 0, FREE_LISTS);
}
/** Record of search number `n`. */
export function searchAddress(n: u32): usize {
  return scratch + <usize>n * SEARCH_BYTES;
}
export function probesOf(search: usize): u32 {
  return load<u32>(search, PROBES);
}
export function setProbes(search: usize, count: u32): void {
  store<u32>(search, count, PROBES);
}
export function templateAddress(): usize {
  return scratch + TEMPLATE;
}
/** Free blocks of a size: the first, u32, and their number, u32. */
export function freeList(size: u32): usize {
  return scratch + FREE_LISTS + <usize>size * 8;
}
/** i32: batches of calls that the owner of a scratch has answered. In the last 8 bytes; the host reads it too. */
export function batchesAddress(scratchOfOwner: usize): usize {
  return scratchOfOwner + ((<usize>SCRATCH_PAGES) << 16) - 8;
}
/** What helpers need to know about a pass, in the scratch of the worker that asks for help; see help.ts. */
export function jobAddress(scratchOfOwner: usize): usize {
  return scratchOfOwner + JOB;
}

/** Head of a block. Page 0 belongs to the compiler, so block 0 means "none". */
@unmanaged
export class Head {
  /** Next block of the gallery, or next free block. */
  next: u32;
  /** Next block of the gallery that has a free slot. */
  openNext: u32;
  /** The gallery; 0 in a free block. */
  owner: u32;
  slots: u32;
  /** Slots that held a template at any time since the block was taken. */
  used: u32;
  /** Index + 1 of the first freed slot; 0: none. */
  free: u32;
  /** Which of the gallery's two codings the first slots have, and how many they are; the others have the other one. */
  coded: u32;
  codedUntil: u32;
}
const HEAD: usize = 64;

/** A gallery's handle is the page number of its first block. Its record follows the last slot of that block. */
@unmanaged
export class Gallery {
  /** Last block in the chain. */
  last: u32;
  /** First block with a free slot. */
  open: u32;
  /** Pages of all blocks. */
  pages: u32;
  /** Slots in use. */
  templates: u32;
  /** Order number of the next template. It only grows during the life of the gallery, and it decides ties. */
  nextOrder: u32;
  /** The coding that new blocks get, 0 or 1. */
  current: u32;
  /** Number of templates at which axes are learned next, and at which they were learned last; 0: never. */
  learnAt: u32;
  learnedFrom: u32;
  /** Templates removed since then, and added that the coding does not suit. */
  removed: u32;
  strays: u32;
}
const RECORD: usize = HEAD + <usize>SMALL_SLOTS * 588;
/** Two codings, see coding.ts: 64 bytes for single fields, 4 rows of 128 f32, 128 bytes. */
const CODINGS: usize = RECORD + 64;
export const CODING_BYTES: usize = 64 + 4 * VECTOR_BYTES + DIMENSIONS;

export function headOf(block: u32): Head {
  return changetype<Head>(addressOf(block));
}
export function recordOf(gallery: u32): Gallery {
  return changetype<Gallery>(addressOf(gallery) + RECORD);
}

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

/** The coarse codes of a group of slots, with so many rows in each group. */
export function groupAddress(block: u32, group: u32, rows: u32): usize {
  return slotsAddress(block) + <usize>group * groupBytes(rows);
}
export function groupBytes(rows: u32): usize {
  return <usize>rows * ROW_BYTES + WORDS_BYTES;
}
function slotsAddress(block: u32): usize {
  return addressOf(block) + HEAD;
}
/** Position of a slot's byte in each row of its group, chosen so that kernels get scores in slot order. */
export function byteOf(index: u32): usize {
  const i = <usize>index;
  return (i & 16) + (i & 3) * 2 + (((i >> 2) & 1) << 3) + ((i >> 3) & 1);
}
/** The fine code of the template in a slot. */
export function fineAddress(block: u32, index: u32): usize {
  return slotsAddress(block) + <usize>headOf(block).slots * 36 + <usize>index * FINE_BYTES;
}
function usersAddress(block: u32): usize {
  return slotsAddress(block) + <usize>headOf(block).slots * 68;
}
function ordersAddress(block: u32): usize {
  return slotsAddress(block) + <usize>headOf(block).slots * 72;
}
/** The template in a slot: 128 f32. */
export function vectorAddress(block: u32, index: u32): usize {
  return slotsAddress(block) + <usize>headOf(block).slots * 76 + <usize>index * VECTOR_BYTES;
}

export function sizeOf(block: u32): u32 {
  const count = headOf(block).slots;
  return count == SMALL_SLOTS ? 0 : count == LARGE_SLOTS ? 1 : 2;
}

/** One of the gallery's two codings. Only while templates are being coded again are both in use. */
export function codingAddress(gallery: u32, which: u32): usize {
  return addressOf(gallery) + CODINGS + <usize>which * CODING_BYTES;
}

/** The first slots, before `until`, have coding `which` of the gallery, the others the other one. */
export function setCoded(block: u32, which: u32, until: u32): void {
  headOf(block).coded = which;
  headOf(block).codedUntil = until;
}
/** The coding of a slot. */
export function codingOf(block: u32, index: u32): usize {
  const which = headOf(block).coded;
  return codingAddress(headOf(block).owner, index < headOf(block).codedUntil ? which : 1 - which);
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
