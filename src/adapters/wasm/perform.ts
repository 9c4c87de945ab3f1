/**
 * What a worker does with one batch: its calls in their order, one answer, and nothing left behind. Probes and vectors
 * are erased from the message that brought them and from the core's scratch before anyone can see the answer.
 * Held by test/matcher/perform.test.ts.
 */
import type { Core } from './core.ts';
import type { Holdings } from './holdings.ts';
import { type Answer, type Batch, NUMBERS, type Outcome } from './wire.ts';

export function perform(core: Core, holdings: Holdings, batch: Batch): Answer {
  const { calls, probes, changes } = batch;
  const searches = calls.length / 2 - changes.length;
  const numbers = new Float64Array(searches * NUMBERS);
  const units = new Float32Array(probes.length);
  const names: string[] = [];
  const outcomes: Outcome[] = [];
  let at = 0;
  let row = 0;
  for (let i = 0; i < calls.length; i += 2) {
    const gallery = calls[i] as number;
    const count = calls[i + 1] as number;
    if (count === 0) {
      const change = changes[outcomes.length] as Batch['changes'][number];
      outcomes.push(change === 'drop' ? holdings.drop(gallery) : holdings.apply(gallery, change));
      if (change !== 'drop') change.vectors.fill(0);
      continue;
    }
    const refused = core.search(holdings.handle(gallery), probes, units, row, count);
    const { slot, verdict, distance, otherDistance } = core.found;
    numbers.set([refused, holdings.sequence(gallery), verdict, distance, otherDistance], at);
    names.push(...holdings.names(gallery, refused === 0 ? slot : 0));
    at += NUMBERS;
    row += count;
  }
  core.wipe();
  probes.fill(0);
  return { numbers, names, units, outcomes };
}
