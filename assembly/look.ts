/**
 * The second look at listed slots: by fine code, then exactly if they still pass. The slots are scattered in memory, so
 * each step first touches everything it will read: the processor then fetches many of them at once instead of one after
 * the other. It decides nothing (select.ts does) and never considers a free slot.
 * Held by test/matcher/oracle.test.ts and bound.long.test.ts.
 */
import {
  blockOf,
  ENTRY_BYTES,
  ENTRY_FINE,
  ENTRY_SCORE,
  ENTRY_SLOT,
  ENTRY_TERMS,
  ENTRY_WORD,
  indexOf,
  listedAddress,
  probesOf,
  STATE,
  UNIT,
  user,
  VECTOR_BYTES,
  vectorAddress,
  WAITING,
} from './layout';
import { FACTORS, FINE_FLOOR, FINE_TABLE, FLOOR, lower, searchOf, THREES } from './probe';
import { exact4, fineSum } from './refine';
import { consider, cutoff } from './select';

/** In a search's STATE: where `exact4` writes distances. */
const DISTANCES: usize = 32;
/** Mask of the fine distance in an entry's word, and its unit in units of the coarse distance. */
const FINE_DISTANCE: u32 = 0x7f;
const FINE_UNIT_BITS: i32 = 8;
/** One unit of a fine sum is a quarter of a quantum; a quantum is 65,536 units of scores. */
const FINE_BITS: i32 = 14;

/** Templates compared by fine code and exactly since the counts were last read. */
let refined: f64 = 0;
let exact: f64 = 0;
/** Keeps the engine from removing loads whose values are not used. */
let touched: u32 = 0;

export function takeRefined(): f64 {
  const count = refined;
  refined = 0;
  return count;
}
export function takeExact(): f64 {
  const count = exact;
  exact = 0;
  return count;
}

/** Clears a search's waiting slots, for a record copied while another worker was looking. Every look ends like this. */
export function beginLook(search: usize): void {
  store<u32>(search, 0, WAITING);
}

/** Looks at the entries from `listedAddress()` to `end`. */
export function look(end: usize): void {
  const begin = listedAddress();
  for (let at = begin; at < end; at += ENTRY_BYTES) touched += load<u32>(<usize>load<u32>(at, ENTRY_FINE));
  // Entries that pass move to the front of the list, with their fine score.
  let passed = begin;
  let count: u32 = 0;
  for (let at = begin; at < end; at += ENTRY_BYTES) {
    const terms = <usize>load<u32>(at, ENTRY_TERMS);
    if (load<i32>(at, ENTRY_SCORE) <= load<i32>(terms, FLOOR)) continue;
    count++;
    const score = fineScore(at, terms);
    if (score <= load<i32>(terms, FINE_FLOOR)) continue;
    store<u32>(passed, load<u32>(at, ENTRY_SLOT), ENTRY_SLOT);
    store<i32>(passed, score, ENTRY_SCORE);
    store<u32>(passed, <u32>terms, ENTRY_TERMS);
    passed += ENTRY_BYTES;
  }
  refined += <f64>count;
  for (let at = begin; at < passed; at += ENTRY_BYTES) {
    const slot = load<u32>(at, ENTRY_SLOT);
    touched += user(blockOf(slot), indexOf(slot));
    const vector = vectorOf(slot);
    for (let line: usize = 0; line < VECTOR_BYTES; line += 64) touched += load<u32>(vector + line);
  }
  for (let at = begin; at < passed; at += ENTRY_BYTES) {
    const terms = <usize>load<u32>(at, ENTRY_TERMS);
    if (load<i32>(at, ENTRY_SCORE) > load<i32>(terms, FINE_FLOOR))
      wait(load<u32>(at, ENTRY_SLOT), searchOf(terms));
  }
  for (let at = begin; at < passed; at += ENTRY_BYTES)
    lookExactly(searchOf(<usize>load<u32>(at, ENTRY_TERMS)));
}

/** The coarse score plus the fine code's sum, with the fine distance instead of the coarse one. */
function fineScore(entry: usize, terms: usize): i32 {
  const word = load<u32>(entry, ENTRY_WORD);
  const sum = fineSum(<usize>load<u32>(entry, ENTRY_FINE), terms + FINE_TABLE, terms + THREES);
  const nearer = <i32>((word >> 16) & FINE_DISTANCE) * (1 << FINE_UNIT_BITS) - <i32>(word >> 16);
  return load<i32>(entry, ENTRY_SCORE) + (sum << FINE_BITS) + nearer * (load<i32>(terms, FACTORS) >> 16);
}

/** Queues a slot: exact comparisons run on four slots at a time. */
function wait(slot: u32, search: usize): void {
  const count = load<u32>(search, WAITING);
  // Several probes may have listed the slot.
  for (let i: u32 = 0; i < count; i++) if (waiting(search, i) == slot) return;
  if (user(blockOf(slot), indexOf(slot)) == 0) return;
  store<u32>(search + <usize>count * 4, slot, WAITING + 4);
  store<u32>(search, count + 1, WAITING);
  if (count == 3) lookExactly(search);
}

function waiting(search: usize, i: u32): u32 {
  return load<u32>(search + <usize>i * 4, WAITING + 4);
}

/** Computes the exact distances of a search's waiting slots, over all its probes. */
function lookExactly(search: usize): void {
  const count = load<u32>(search, WAITING);
  if (count == 0) return;
  store<u32>(search, 0, WAITING);
  const state = search + STATE;
  const before = cutoff(state);
  const out = state + DISTANCES;
  for (let i: usize = 0; i < 4; i++) store<f64>(out + i * 8, Infinity);
  // Unused places repeat the first slot.
  const a = vectorOf(waiting(search, 0));
  const b = count > 1 ? vectorOf(waiting(search, 1)) : a;
  const c = count > 2 ? vectorOf(waiting(search, 2)) : a;
  const d = count > 3 ? vectorOf(waiting(search, 3)) : a;
  const probes = probesOf(search);
  for (let p: u32 = 0; p < probes; p++) exact4(a, b, c, d, search + UNIT + <usize>p * VECTOR_BYTES, out);
  exact += <f64>count;
  for (let i: u32 = 0; i < count; i++) {
    const slot = waiting(search, i);
    consider(state, slot, user(blockOf(slot), indexOf(slot)), load<f64>(out + <usize>i * 8));
  }
  if (cutoff(state) != before) lower(search, probes);
}

function vectorOf(slot: u32): usize {
  return vectorAddress(blockOf(slot), indexOf(slot));
}
