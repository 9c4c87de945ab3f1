/** Turns of engines that run on this thread: a search is a function call, timed from outside. */
import type { Answer, Timed, Turn } from '../engines.ts';
import { median } from '../measure.ts';
import type { Query } from '../search/expected.ts';

/** More than any cache of one core's share holds; walking through it leaves nothing of a gallery behind. */
const EVICT_BYTES = 96 * 2 ** 20;
const LINE = 64;
let walked: Uint8Array | undefined;

export function evictCaches(): void {
  walked ??= new Uint8Array(EVICT_BYTES);
  for (let i = 0; i < walked.length; i += LINE) walked[i] = ((walked[i] as number) + 1) & 255;
}

/**
 * @param prepare what the engine wants its probes to look like; made once and not timed
 * @param answerOf what the trial wants of its result; not timed either
 */
export function inProcess<T, R>(
  prepare: (query: Query) => T,
  search: (probes: T) => R,
  answerOf: (result: R) => Answer,
) {
  const prepared = new WeakMap<Query, T>();
  const of = (query: Query): T => {
    const made = prepared.get(query) ?? prepare(query);
    prepared.set(query, made);
    return made;
  };
  return async ({ queries, before, order, cold }: Turn): Promise<Timed[]> => {
    const probes = order.map(i => of(queries[i] as Query));
    for (const i of before) search(of(queries[i] as Query));
    return probes.map(one => {
      if (cold) evictCaches();
      const start = performance.now();
      const result = search(one);
      return { ms: performance.now() - start, answer: answerOf(result) };
    });
  };
}

/** For engines whose result is the answer. */
export const asItIs = (answer: Answer) => answer;

/** The nearest of the answers to single probes, for engines that know no searches with several. */
export function nearestOf(answers: readonly Answer[]): Answer {
  return answers.reduce((a, b) => (b.distance < a.distance ? b : a));
}

/** Median microseconds of adding `count` templates one by one, then of removing them in the same order. */
export function upkeepOf(count: number, add: (i: number) => void, remove?: (i: number) => void) {
  const timed = (work: (i: number) => void) =>
    median(
      Array.from({ length: count }, (_, i) => {
        const start = performance.now();
        work(i);
        return (performance.now() - start) * 1000;
      }),
    );
  const add_us = timed(add);
  return remove === undefined ? { add_us } : { add_us, remove_us: timed(remove) };
}

export async function timed<T>(work: () => T | Promise<T>): Promise<{ seconds: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}
