/**
 * Performs one batch in a worker: runs its calls in order and returns one answer. Searches of one gallery between two
 * changes share one pass over it. Probes and vectors are erased from the message and from the core's scratch before the
 * answer is sent. Held by test/matcher/perform.test.ts.
 */
import type { Core } from './core.ts';
import type { Holdings } from './holdings.ts';
import { type Answer, type Batch, NUMBERS, type Outcome } from './wire.ts';

/** In a smaller gallery, a pass ends before a helper has woken up. */
export const MIN_TEMPLATES_FOR_HELP = 20_000;

/** A search of the batch: its number, and the rows of its probes. */
interface Asked {
  readonly search: number;
  readonly row: number;
  readonly count: number;
}

export function perform(core: Core, holdings: Holdings, batch: Batch): Answer {
  const { calls, probes, changes, margins } = batch;
  const searches = calls.length / 2 - changes.length;
  const numbers = new Float64Array(searches * NUMBERS);
  const units = new Float32Array(probes.length);
  const outcomes: Outcome[] = [];
  /** Searches since the last change, by gallery. */
  const waiting = new Map<number, Asked[]>();

  const answer = () => {
    for (const [gallery, asked] of waiting) {
      for (let i = 0; i < asked.length; i += core.maxSearches)
        answerSome(gallery, asked.slice(i, i + core.maxSearches));
    }
    waiting.clear();
  };
  const answerSome = (gallery: number, asked: readonly Asked[]) => {
    const handle = holdings.handle(gallery);
    const refused = asked.map(({ search, row, count }, n) =>
      core.ask(n, probes, units, row, count, margins?.[search] ?? undefined),
    );
    core.answer(handle, asked.length, batch.helped && holdings.size(gallery) >= MIN_TEMPLATES_FOR_HELP);
    for (const [n, { search }] of asked.entries()) {
      const { user, verdict, distance, otherDistance } = core.read(n);
      const sequence = holdings.sequence(gallery);
      numbers.set([refused[n] as number, sequence, verdict, distance, otherDistance, user], search * NUMBERS);
    }
  };

  let row = 0;
  let search = 0;
  for (let i = 0; i < calls.length; i += 2) {
    const gallery = calls[i] as number;
    const count = calls[i + 1] as number;
    if (count > 0) {
      const asked = waiting.get(gallery);
      if (asked) asked.push({ search, row, count });
      else waiting.set(gallery, [{ search, row, count }]);
      search++;
      row += count;
      continue;
    }
    answer();
    const change = changes[outcomes.length] as Batch['changes'][number];
    outcomes.push(change === 'drop' ? holdings.drop(gallery) : holdings.apply(gallery, change));
    if (change !== 'drop') change.added.vectors.fill(0);
  }
  answer();
  core.wipe();
  probes.fill(0);
  return { numbers, units, outcomes };
}
