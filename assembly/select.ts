/**
 * What a search has found so far, and the decision. It takes exact distances only, so nothing here depends on how the
 * scan came by its candidates. The best template is the one of smallest distance, on equal distances the one stored
 * first; "other" is the smallest distance of any other user than the best one's. Threshold and margin come from the
 * host. Held by test/matcher/oracle.test.ts, ties.test.ts and verdict.test.ts.
 */
import { orderOf } from './gallery';
import { EPSILON } from './kernels';
import { RESULT } from './layout';

const NONE: u32 = 0;
const NEAR: u32 = 1;
const AMBIGUOUS: u32 = 2;
const MATCH: u32 = 3;

let threshold: f64 = 0;
let margin: f64 = 0;

let best: f64 = Infinity;
let bestUser: u32 = 0;
let bestSlot: u32 = 0;
let other: f64 = Infinity;

export function decideBy(newThreshold: f64, newMargin: f64): void {
  threshold = newThreshold;
  margin = newMargin;
}

export function begin(): void {
  best = Infinity;
  other = Infinity;
  bestUser = 0;
  bestSlot = 0;
}

/**
 * A float32 score below this floor cannot change the outcome any more: its exact distance is larger than `other`,
 * hence also than `best`. It only rises during a search; -Infinity until two users were seen.
 */
export function floor(): f32 {
  return <f32>(1 - other - EPSILON);
}

/** Takes the exact distance of an occupied slot. Slots may come in any order and more than once. */
export function consider(slot: u32, user: u32, distance: f64): void {
  const better = distance < best || (distance == best && orderOf(slot) < orderOf(bestSlot));
  if (user == bestUser) {
    if (better) {
      best = distance;
      bestSlot = slot;
    }
  } else if (better) {
    other = best;
    best = distance;
    bestUser = user;
    bestSlot = slot;
  } else if (distance < other) {
    other = distance;
  }
}

/** Writes what was found, and the decision on it, to RESULT. */
export function finish(): void {
  store<f64>(RESULT, best);
  store<f64>(RESULT + 8, other);
  store<u32>(RESULT + 16, bestSlot);
  store<u32>(RESULT + 20, verdict());
}

function verdict(): u32 {
  if (bestSlot == 0) return NONE;
  if (best < threshold) return other - best >= margin ? MATCH : AMBIGUOUS;
  return best < threshold + margin ? NEAR : NONE;
}
