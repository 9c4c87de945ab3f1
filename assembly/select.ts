/**
 * What a search has found so far, and the decision. It takes exact distances only, so nothing here depends on how the
 * scan came by its candidates. The best template is the one of smallest distance, on equal distances the one stored
 * first; "other" is the smallest distance of any other user than the best one's. Threshold and margin come from the
 * host: the threshold once, the margin with every search. Held by test/matcher/oracle.test.ts, ties.test.ts,
 * verdict.test.ts and margin.test.ts.
 */
import { orderOf } from './gallery';
import { MARGIN, STATE } from './layout';

const NONE: u32 = 0;
const NEAR: u32 = 1;
const AMBIGUOUS: u32 = 2;
const MATCH: u32 = 3;

// Fields of a search's STATE. The host reads BEST to ORDER.
const BEST: usize = 0; // f64
const OTHER: usize = 8; // f64: of the best user who is not the best one
const SLOT: usize = 16; // u32: 0: none
const VERDICT: usize = 20; // u32
const ORDER: usize = 24; // u32: of the best template
const USER: usize = 28; // u32: of the best template
/** Behind the STATE: set before the search, and kept through it. */
const MARGIN_BEHIND: usize = MARGIN - STATE;

let threshold: f64 = 0;

export function decideBy(newThreshold: f64): void {
  threshold = newThreshold;
}

export function setMargin(state: usize, margin: f64): void {
  store<f64>(state, margin, MARGIN_BEHIND);
}

/** Forgets what was found; the margin stays. */
export function begin(state: usize): void {
  store<f64>(state, Infinity, BEST);
  store<f64>(state, Infinity, OTHER);
  store<u32>(state, 0, SLOT);
  store<u32>(state, NONE, VERDICT);
  store<u32>(state, 0, ORDER);
  store<u32>(state, 0, USER);
}

/**
 * A distance above this cannot change the outcome any more. At or above threshold + margin nobody matches and nobody
 * is near; at or above best + margin another user is no hindrance; and above `other` lies neither. It only falls.
 */
export function cutoff(state: usize): f64 {
  const best = load<f64>(state, BEST);
  const margin = load<f64>(state, MARGIN_BEHIND);
  return min(min(threshold + margin, best + margin), load<f64>(state, OTHER));
}

/** Takes the exact distance of an occupied slot. Slots may come in any order and more than once. */
export function consider(state: usize, slot: u32, user: u32, distance: f64): void {
  const best = load<f64>(state, BEST);
  if (distance > best) {
    if (user != load<u32>(state, USER) && distance < load<f64>(state, OTHER))
      store<f64>(state, distance, OTHER);
    return;
  }
  const order = orderOf(slot);
  const better = distance < best || load<u32>(state, SLOT) == 0 || order < load<u32>(state, ORDER);
  if (user != load<u32>(state, USER)) {
    // One of the two is another user than the best one now, and not farther than any other so far.
    store<f64>(state, better ? best : distance, OTHER);
  }
  if (better) {
    store<f64>(state, distance, BEST);
    store<u32>(state, slot, SLOT);
    store<u32>(state, order, ORDER);
    store<u32>(state, user, USER);
  }
}

/** Takes what another worker found in its part of the same gallery. */
export function merge(state: usize, found: usize): void {
  const slot = load<u32>(found, SLOT);
  if (slot == 0) return;
  const user = load<u32>(found, USER);
  consider(state, slot, user, load<f64>(found, BEST));
  // Its `other` is of somebody else than its best user; if that is not the best user of all, the line above has said it.
  if (user == load<u32>(state, USER))
    store<f64>(state, min(load<f64>(state, OTHER), load<f64>(found, OTHER)), OTHER);
}

/** Decides, and forgets what the decision does not rest on: it may depend on how the gallery was scanned. */
export function finish(state: usize): void {
  const best = load<f64>(state, BEST);
  const margin = load<f64>(state, MARGIN_BEHIND);
  if (load<u32>(state, SLOT) == 0 || !(best < threshold + margin)) {
    begin(state);
    return;
  }
  const ambiguous = best < threshold && !(load<f64>(state, OTHER) - best >= margin);
  if (!ambiguous) store<f64>(state, Infinity, OTHER);
  store<u32>(state, best < threshold ? (ambiguous ? AMBIGUOUS : MATCH) : NEAR, VERDICT);
}
