/**
 * Codes the templates of a gallery again, a group at a time, after its coding has changed. Until the last one is done
 * the gallery has two codings, and searches use both. Groups may change their length: in each block they go from the
 * first to the last if they become shorter, else from the last to the first, so that no code is overwritten that is
 * still in use. Held by test/matcher/axes.long.test.ts.
 */
import { givePage } from './blocks';
import { fieldsOf } from './coding';
import { encode } from './encode';
import * as layout from './layout';

let block: u32 = 0;

/** From here on new blocks have the other coding. */
export function beginRecoding(gallery: u32): void {
  layout.recordOf(gallery).current = 1 - layout.recordOf(gallery).current;
  block = gallery;
}

/** Codes the next group. @returns what that cost, in templates; 0: all was done, and the old axes are gone */
export function recodeNext(gallery: u32): i32 {
  const target = layout.recordOf(gallery).current;
  const old = fieldsOf(layout.codingAddress(gallery, 1 - target));
  while (
    block != 0 &&
    layout.headOf(block).coded == target &&
    layout.headOf(block).codedUntil == layout.headOf(block).slots
  )
    block = layout.headOf(block).next;
  if (block == 0) {
    givePage(old.axes);
    memory.fill(layout.codingAddress(gallery, 1 - target), 0, layout.CODING_BYTES);
    return 0;
  }
  const isForward = fieldsOf(layout.codingAddress(gallery, target)).rows <= old.rows;
  if (isForward && layout.headOf(block).coded != target) layout.setCoded(block, target, 0);
  const until = layout.headOf(block).codedUntil;
  const from = isForward ? until : until - layout.GROUP_SLOTS;
  memory.fill(
    layout.groupAddress(block, from / layout.GROUP_SLOTS, old.rows),
    0,
    layout.groupBytes(old.rows),
  );
  if (isForward) layout.setCoded(block, target, from + layout.GROUP_SLOTS);
  else if (from == 0) layout.setCoded(block, target, layout.headOf(block).slots);
  else layout.setCoded(block, 1 - target, from);
  let cost: i32 = 1;
  for (let i = from; i < from + layout.GROUP_SLOTS; i++) {
    if (layout.user(block, i) == 0) continue;
    encode(block, i);
    cost++;
  }
  return cost;
}
