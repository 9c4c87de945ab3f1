/**
 * The second look at listed slots: by fine code, then exactly if they still pass. The slots are scattered in memory, so
 * each step first touches everything it will read: the processor then fetches many of them at once instead of one after
 * the other. It decides nothing (select.ts does) and never considers a free slot.
 * Held by test/matcher/oracle.test.ts and bound.long.test.ts.
 */
import { SHARE_BITS } from './encode';
import * as layout from './layout';
import { FACTORS, FINE_FACTOR, FINE_FLOOR, FINE_TABLE, FLOOR, lower, searchOf, THREES } from './probe';
import { exact4, fineSum } from './refine';
import { consider, cutoff } from './select';

/** In a search's STATE: where `exact4` writes distances. */
const DISTANCES: usize = 32;
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
  store<u32>(search, 0, layout.WAITING);
}

/** Looks at the entries from `LISTED` to `end`. */
export function look(end: usize): void {
  const begin = layout.scratchAt(layout.LISTED);
  for (let at = begin; at < end; at += layout.ENTRY_BYTES)
    touched += load<u32>(<usize>changetype<layout.Entry>(at).fine);
  // Entries that pass move to the front of the list, with their fine score.
  let passed = begin;
  let count: u32 = 0;
  for (let at = begin; at < end; at += layout.ENTRY_BYTES) {
    const terms = <usize>changetype<layout.Entry>(at).terms;
    if (changetype<layout.Entry>(at).score <= load<i32>(terms, FLOOR)) continue;
    count++;
    const score = fineScore(at, terms);
    if (score <= load<i32>(terms, FINE_FLOOR)) continue;
    changetype<layout.Entry>(passed).slot = changetype<layout.Entry>(at).slot;
    changetype<layout.Entry>(passed).score = score;
    changetype<layout.Entry>(passed).terms = <u32>terms;
    passed += layout.ENTRY_BYTES;
  }
  refined += <f64>count;
  for (let at = begin; at < passed; at += layout.ENTRY_BYTES) {
    const slot = changetype<layout.Entry>(at).slot;
    touched += layout.user(layout.blockOf(slot), layout.indexOf(slot));
    const vector = vectorOf(slot);
    for (let line: usize = 0; line < layout.VECTOR_BYTES; line += 64) touched += load<u32>(vector + line);
  }
  for (let at = begin; at < passed; at += layout.ENTRY_BYTES) {
    const terms = <usize>changetype<layout.Entry>(at).terms;
    if (changetype<layout.Entry>(at).score > load<i32>(terms, FINE_FLOOR))
      wait(changetype<layout.Entry>(at).slot, searchOf(terms));
  }
  for (let at = begin; at < passed; at += layout.ENTRY_BYTES)
    lookExactly(searchOf(<usize>changetype<layout.Entry>(at).terms));
}

/** The coarse score plus the fine code's sum, with the fine distance instead of the coarse one. */
function fineScore(entry: usize, terms: usize): i32 {
  const distances = changetype<layout.Entry>(entry).word >> 16;
  const sum = fineSum(<usize>changetype<layout.Entry>(entry).fine, terms + FINE_TABLE, terms + THREES);
  const fine = (distances >> SHARE_BITS) * (distances & ((1 << SHARE_BITS) - 1));
  const nearer = <i32>fine - <i32>distances;
  return (
    changetype<layout.Entry>(entry).score +
    sum * load<i32>(terms, FINE_FACTOR) +
    nearer * (load<i32>(terms, FACTORS) >> 16)
  );
}

/** Queues a slot: exact comparisons run on four slots at a time. */
function wait(slot: u32, search: usize): void {
  const count = load<u32>(search, layout.WAITING);
  // Several probes may have listed the slot.
  for (let i: u32 = 0; i < count; i++) if (waiting(search, i) == slot) return;
  if (layout.user(layout.blockOf(slot), layout.indexOf(slot)) == 0) return;
  store<u32>(search + <usize>count * 4, slot, layout.WAITING + 4);
  store<u32>(search, count + 1, layout.WAITING);
  if (count == 3) lookExactly(search);
}

function waiting(search: usize, i: u32): u32 {
  return load<u32>(search + <usize>i * 4, layout.WAITING + 4);
}

/** Computes the exact distances of a search's waiting slots, over all its probes. */
function lookExactly(search: usize): void {
  const count = load<u32>(search, layout.WAITING);
  if (count == 0) return;
  store<u32>(search, 0, layout.WAITING);
  const state = search + layout.STATE;
  const before = cutoff(state);
  const out = state + DISTANCES;
  for (let i: usize = 0; i < 4; i++) store<f64>(out + i * 8, Infinity);
  // Unused places repeat the first slot.
  const a = vectorOf(waiting(search, 0));
  const b = count > 1 ? vectorOf(waiting(search, 1)) : a;
  const c = count > 2 ? vectorOf(waiting(search, 2)) : a;
  const d = count > 3 ? vectorOf(waiting(search, 3)) : a;
  const probes = layout.probesOf(search);
  for (let p: u32 = 0; p < probes; p++)
    exact4(a, b, c, d, search + layout.UNIT + <usize>p * layout.VECTOR_BYTES, out);
  exact += <f64>count;
  for (let i: u32 = 0; i < count; i++) {
    const slot = waiting(search, i);
    consider(
      state,
      slot,
      layout.user(layout.blockOf(slot), layout.indexOf(slot)),
      load<f64>(out + <usize>i * 8),
    );
  }
  if (cutoff(state) != before) lower(search, probes);
}

function vectorOf(slot: u32): usize {
  return layout.vectorAddress(layout.blockOf(slot), layout.indexOf(slot));
}
