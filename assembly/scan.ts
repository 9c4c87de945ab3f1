/**
 * One pass over a gallery: every group gets float32 scores for all probes while it is in the cache, and those groups
 * that could still change the outcome get exact distances at once. It decides nothing (select.ts does) and never
 * reports a free slot: their zeros score 0, which is why users are looked at before anything is considered.
 * Held by test/matcher/oracle.test.ts and memory.test.ts.
 */
import { exact, score1, score2, score3 } from './kernels';
import {
  DIMENSIONS,
  DISTANCES,
  DOTS,
  GROUP_SLOTS,
  groupAddress,
  next,
  occupied,
  slotOf,
  UNIT,
  user,
} from './layout';
import { begin, consider, finish, floor } from './select';

const PROBE: usize = DIMENSIONS * 4;

/** Searches with the first `probes` (1 to 5) rows at UNIT; `gallery` 0 is an empty one. The outcome is at RESULT. */
export function scan(gallery: u32, probes: u32): void {
  begin();
  let lanes = f32x4.splat(floor());
  for (let block = gallery; block != 0; block = next(block)) {
    const groups = groupsInUse(block);
    for (let g: u32 = 0; g < groups; g++) {
      const scores = scoreGroup(groupAddress(block, g), probes);
      if (!v128.any_true(f32x4.ge(scores, lanes))) continue;
      considerGroup(block, g, probes);
      lanes = f32x4.splat(floor());
    }
  }
  finish();
}

function scoreGroup(group: usize, probes: u32): v128 {
  switch (probes) {
    case 1:
      return score1(group, UNIT);
    case 2:
      return score2(group, UNIT);
    case 3:
      return score3(group, UNIT);
    case 4:
      return f32x4.pmax(score2(group, UNIT), score2(group, UNIT + 2 * PROBE));
    default:
      return f32x4.pmax(score3(group, UNIT), score2(group, UNIT + 3 * PROBE));
  }
}

function considerGroup(block: u32, group: u32, probes: u32): void {
  for (let i: usize = 0; i < 8; i++) store<f64>(DISTANCES + i * 8, Infinity);
  for (let p: usize = 0; p < <usize>probes; p++) {
    exact(groupAddress(block, group), UNIT + p * PROBE, DOTS);
    for (let i: usize = 0; i < 8; i++) {
      const distance = 1 - load<f64>(DOTS + i * 8);
      store<f64>(DISTANCES + i * 8, min(load<f64>(DISTANCES + i * 8), distance));
    }
  }
  for (let lane: u32 = 0; lane < GROUP_SLOTS; lane++) {
    const index = group * GROUP_SLOTS + lane;
    const userNumber = user(block, index);
    if (userNumber == 0) continue;
    consider(slotOf(block, index), userNumber, load<f64>(DISTANCES + <usize>lane * 8));
  }
}

/** Groups up to the last occupied slot of a block. */
function groupsInUse(block: u32): u32 {
  const high = occupied(block, 1);
  const slots = high != 0 ? 128 - <u32>clz(high) : 64 - <u32>clz(occupied(block, 0));
  return (slots + GROUP_SLOTS - 1) / GROUP_SLOTS;
}
