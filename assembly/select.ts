/**
 * What a search has found so far, and its decision. It uses exact distances only, so the result does not depend on how
 * the scan found its candidates. The best template has the smallest distance; of equal distances, the template stored
 * first wins. "Other" is the smallest distance of any user except the best one's. The host sets the threshold once, and
 * the margin with every search. Held by test/matcher/oracle.test.ts, ties.test.ts, verdict.test.ts and margin.test.ts.
 */
import { orderOf } from './gallery';
import { MARGIN, STATE } from './layout';

const NONE: u32 = 0;
const NEAR: u32 = 1;
const AMBIGUOUS: u32 = 2;
const MATCH: u32 = 3;

// Fields of a search's STATE. The host reads BEST to ORDER.
const BEST: usize = 0; // f64
const OTHER: usize = 8; // f64: smallest distance of any other user
const SLOT: usize = 16; // u32: 0: none
const VERDICT: usize = 20; // u32
const ORDER: usize = 24; // u32: of the best template
const USER: usize = 28; // u32: of the best template
/** Beyond the STATE: set before the search, and kept during it. */
const MARGIN_BEHIND: usize = MARGIN - STATE;

let threshold: f64 = 0;
const USUAL_MARGIN: f64 = 0.04;

export function decideBy(newThreshold: f64): void {
  threshold = newThreshold;
}

/** About the smallest product that can matter to a search that has found nobody. */
export function decidesFrom(): f64 {
  return 1 - threshold - USUAL_MARGIN;
}

export function setMargin(state: usize, margin: f64): void {
  store<f64>(state, margin, MARGIN_BEHIND);
}

/** Forgets what was found, but keeps the margin. */
export function begin(state: usize): void {
  store<f64>(state, Infinity, BEST);
  store<f64>(state, Infinity, OTHER);
  store<u32>(state, 0, SLOT);
  store<u32>(state, NONE, VERDICT);
  store<u32>(state, 0, ORDER);
  store<u32>(state, 0, USER);
}

/**
 * A larger distance than this cannot change the outcome: at or above threshold + margin a template is neither a match
 * nor near, at or above best + margin another user does not make the match ambiguous, and a distance above `other` is
 * neither best nor other. The cutoff only falls.
 */
export function cutoff(state: usize): f64 {
  const best = load<f64>(state, BEST);
  const margin = load<f64>(state, MARGIN_BEHIND);
  return min(min(threshold + margin, best + margin), load<f64>(state, OTHER));
}

/** Records the exact distance of an occupied slot. Slots may come in any order and more than once. */
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
    // The loser of the two belongs to a user other than the best one, and no other user was nearer so far.
    store<f64>(state, better ? best : distance, OTHER);
  }
  if (better) {
    store<f64>(state, distance, BEST);
    store<u32>(state, slot, SLOT);
    store<u32>(state, order, ORDER);
    store<u32>(state, user, USER);
  }
}

/** Merges what another worker found in its part of the same gallery. */
export function merge(state: usize, found: usize): void {
  const slot = load<u32>(found, SLOT);
  if (slot == 0) return;
  const user = load<u32>(found, USER);
  consider(state, slot, user, load<f64>(found, BEST));
  // Its `other` belongs to a user other than its best. If that one lost, `consider` has recorded an `other` as near.
  if (user == load<u32>(state, USER))
    store<f64>(state, min(load<f64>(state, OTHER), load<f64>(found, OTHER)), OTHER);
}

/**
 * Decides, and forgets all that the decision does not depend on, because it may depend on how the gallery was scanned.
 */
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
