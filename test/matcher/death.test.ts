/**
 * A worker that ends unexpectedly: what was under way rejects, its galleries are gone and say so, others stay, and a
 * new worker serves the reload. One that ends again and again is given up on. Fails when a call hangs, when a lost
 * gallery still claims a sequence, or when restarts never stop.
 */
import type { Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import { createMatcher } from '../../src/adapters/wasm/pool.ts';
import type { GalleryKey } from '../../src/ports/matcher.ts';
import { suite } from '../support/suite.ts';
import { direction, random, vectors } from './data.ts';
import { template } from './harness.ts';
import { pack } from './names.ts';
import { MARGIN, THRESHOLD } from './reference.ts';

const test = suite('matcher worker death');
const next = random(91);
const [face = new Float32Array(128)] = vectors(next, 1);
const added = [template('t', 'u', face)];
const [A, B, C] = ['a', 'b', 'c'].map(appId => ({ appId, mode: 'live' })) as [
  GalleryKey,
  GalleryKey,
  GalleryKey,
];

async function started(threads: number) {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker) => workers.push(worker);
  const matcher = await createMatcher({ threads, threshold: THRESHOLD, margin: MARGIN, onWorker });
  return { matcher, workers };
}

test('its galleries are gone, what was under way rejects, the others stay, and a reload works', async () => {
  const { matcher, workers } = await started(2);
  await matcher.apply(A, { from: 0, to: 3, removed: [], added: pack(added) });
  await matcher.apply(B, { from: 0, to: 4, removed: [], added: pack(added) });
  // C shares the worker of A, and nothing of it is under way.
  await matcher.apply(C, { from: 0, to: 5, removed: [], added: pack(added) });
  const underWay = Promise.allSettled([
    matcher.search(A, [direction(next)]),
    matcher.apply(A, { from: 3, to: 4, removed: [], added: pack([]) }),
  ]);
  const unharmed = matcher.search(B, [Array.from(face)]);
  await workers[0]?.terminate();
  for (const outcome of await underWay) {
    assert.is(outcome.status, 'rejected');
    if (outcome.status === 'rejected') assert.match(outcome.reason.message, /loaded again/);
  }
  assert.is((await unharmed).verdict, 'match');
  assert.is(matcher.sequence(A), 0);
  assert.is(matcher.sequence(B), 4);
  assert.is(matcher.sequence(C), 0);
  assert.equal(
    matcher.stats().galleries.map(({ key }) => key),
    [B],
  );
  assert.is((await matcher.search(A, [Array.from(face)])).best, null);
  await matcher.apply(A, { from: 0, to: 9, removed: [], added: pack(added) });
  const found = await matcher.search(A, [Array.from(face)]);
  assert.is(found.verdict, 'match');
  assert.is(found.sequence, 9);
  assert.is(workers.length, 3);
  await matcher.close();
});

test('calls made in the turn of the death reject too, they do not hang', async () => {
  const { matcher, workers } = await started(1);
  await matcher.apply(A, { from: 0, to: 3, removed: [], added: pack(added) });
  const calls = new Promise<PromiseSettledResult<unknown>[]>(resolve => {
    workers[0]?.prependListener('exit', () =>
      resolve(Promise.allSettled([matcher.search(A, [direction(next)])])),
    );
  });
  await workers[0]?.terminate();
  assert.is((await calls)[0]?.status, 'rejected');
  await matcher.close();
});

test('a worker that ends again and again is given up on, with a reason', async () => {
  const { matcher, workers } = await started(1);
  for (let deaths = 1; deaths <= 5; deaths++) {
    assert.is(workers.length, deaths);
    await workers.at(-1)?.terminate();
  }
  assert.is(workers.length, 5, 'no new one');
  for (const call of [
    matcher.search(A, [direction(next)]),
    matcher.apply(A, { from: 0, to: 1, removed: [], added: pack(added) }),
  ]) {
    const error: unknown = await call.catch(reason => reason);
    assert.match(error instanceof Error ? error.message : 'no error', /5 times/);
  }
  assert.is(matcher.sequence(A), 0);
  await matcher.close();
});

test('how the workers are: alive, ended, given up; and what waits at them', async () => {
  const { matcher, workers } = await started(2);
  assert.equal(matcher.work(), { alive: 2, workers: 2, deaths: 0, pending: 0 });
  const calls = [
    matcher.apply(A, { from: 0, to: 1, removed: [], added: pack(added) }),
    matcher.search(A, [direction(next)]),
    matcher.search(B, [direction(next), direction(next)]),
  ];
  assert.is(matcher.work().pending, 3, 'before they are sent');
  await new Promise(resolve => setImmediate(resolve));
  await Promise.all(calls);
  assert.is(matcher.work().pending, 0);
  const lost = matcher.search(A, [direction(next)]);
  await workers[0]?.terminate();
  await lost.catch(() => undefined);
  assert.equal(matcher.work(), { alive: 2, workers: 2, deaths: 1, pending: 0 });
  for (let more = 2; more <= 5; more++) await workers.at(-1)?.terminate();
  assert.equal(matcher.work(), { alive: 1, workers: 2, deaths: 5, pending: 0 });
  await matcher.close();
});

test('a worker that cannot start makes createMatcher reject', async () => {
  const workerPath = new URL('./no-such-worker.ts', import.meta.url);
  const error: unknown = await createMatcher({ threads: 1, threshold: 0.35, margin: 0.04, workerPath }).catch(
    reason => reason,
  );
  assert.match(error instanceof Error ? error.message : 'no error', /ended/);
});

test.run();
