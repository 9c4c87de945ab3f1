/** Turns of engines that run on this thread: each search is a function call, timed from outside. */
import type { Answer, Timed, Turn } from '../engines.ts';
import { median } from '../measure.ts';
import type { Asked } from '../search/expected.ts';

/** Larger than the caches available to one core; walking through it evicts the whole gallery. */
const EVICT_BYTES = 96 * 2 ** 20;
const LINE = 64;
let evictor: Uint8Array | undefined;

export function evictCaches(): void {
  evictor ??= new Uint8Array(EVICT_BYTES);
  for (let i = 0; i < evictor.length; i += LINE) evictor[i] = ((evictor[i] as number) + 1) & 255;
}

/**
 * @param prepare converts a query into the engine's own format; done once per query and not timed
 * @param answerOf converts its result into an answer; not timed either
 */
export function inProcess<T, R>(
  prepare: (query: Asked) => T,
  search: (probes: T) => R,
  answerOf: (result: R) => Answer,
) {
  const prepared = new WeakMap<Asked, T>();
  const of = (query: Asked): T => {
    const made = prepared.get(query) ?? prepare(query);
    prepared.set(query, made);
    return made;
  };
  return async ({ queries, warmUp, order, cold }: Turn): Promise<Timed[]> => {
    const probes = order.map(i => of(queries[i] as Asked));
    for (const i of warmUp) search(of(queries[i] as Asked));
    return probes.map(one => {
      if (cold) evictCaches();
      const start = performance.now();
      const result = search(one);
      return { ms: performance.now() - start, answer: answerOf(result) };
    });
  };
}

/** For engines whose result already is an answer. */
export const asItIs = (answer: Answer) => answer;

/** Neighbours of a probe that are sure to include another user's, which a decision needs. */
export function neighboursIn(users: Uint32Array): number {
  const templates = new Map<number, number>();
  for (const user of users) templates.set(user, (templates.get(user) ?? 0) + 1);
  return templates.values().reduce((most, count) => Math.max(most, count)) + 1;
}

/** The nearest of the answers to single probes, for engines that search one probe at a time. */
export function nearestOf(answers: readonly Answer[]): Answer {
  return answers.reduce((a, b) => (b.distance < a.distance ? b : a));
}

/** Median microseconds to add `count` templates one by one, then to remove them in the same order. */
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
