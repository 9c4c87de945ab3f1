/**
 * Searches of large galleries, which several workers make together: answers are the reference's whoever took part,
 * helpers do take part, and the end of a helper or of the one who is helped hangs nobody. Fails when a helper's finds
 * are forgotten or merged wrongly, when a block is left out, when a gallery changes while a helper reads it, or when a
 * worker waits for one that has ended.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import { loadBuild } from '../../src/adapters/wasm/module.ts';
import { MIN_TEMPLATES_FOR_HELP } from '../../src/adapters/wasm/perform.ts';
import { createMatcher, type MatcherOptions } from '../../src/adapters/wasm/pool.ts';
import type { GalleryKey, Matcher, SearchResult } from '../../src/ports/matcher.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { BUILDS, rows, Side } from './both.ts';
import { below, capture, facesLike, pick, type Random, random } from './data.ts';
import { FlatReference } from './flat.ts';
import { codedAs } from './frame.ts';
import { same, template } from './harness.ts';
import { named, numberOf, pack } from './names.ts';
import { MARGIN, normalise, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher help among workers');
const SETTINGS = { threshold: THRESHOLD, margin: MARGIN };
const LARGE = MIN_TEMPLATES_FOR_HELP + 600;
const [A, B, C] = ['a', 'b', 'c'].map(appId => ({ appId, mode: 'live' })) as [
  GalleryKey,
  GalleryKey,
  GalleryKey,
];

/** People by the ten thousand; every tenth has a twin under another name, so that answers are ambiguous too. */
function people(next: Random, count: number, prefix: string): StoredTemplate[] {
  const faces: Float32Array[] = [];
  for (let i = 0; i < count; i++) {
    const twin = faces[i - 5];
    faces.push(twin !== undefined && i % 10 === 9 ? nearly(next, twin) : face(next));
  }
  return faces.map((vector, i) => template(`${prefix}${i}`, `${prefix}u${i}`, vector));
}

function face(next: Random): Float32Array {
  const v = new Float64Array(128).map(() => next() + next() - 1);
  return scaled(v);
}

function nearly(next: Random, vector: Float32Array): Float32Array {
  return scaled(Float64Array.from(vector, x => x + (next() - 0.5) * 0.12));
}

function scaled(v: Float64Array): Float32Array {
  const norm = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(v, x => x / norm);
}

/** Made once: every gallery here holds the first ones of them. */
const CROWD = people(random(600), LARGE + 2000, 't');

function asked(next: Random, stored: readonly StoredTemplate[]): number[][] {
  const someone = pick(next, stored).vector;
  return Array.from({ length: 1 + below(next, 3) }, () =>
    next() < 0.75 ? capture(next, someone, 0.58 + 0.42 * next()) : Array.from(face(next)),
  );
}

for (const build of BUILDS) {
  for (const helpers of [1, 3]) {
    test(`${helpers} helping on one memory take part, and every answer is right: ${build}`, async () => {
      const next = random(601 + helpers);
      const side = new Side(build, SETTINGS);
      const { core, holdings } = side;
      const stored = facesLike(next, 6000, { length: 12 }).map((vector, i) =>
        template(`t${i}`, `u${i}`, vector),
      );
      holdings.apply(1, { from: 0, to: 1, removed: [], added: pack(stored) });
      const module = await loadBuild(build);
      const workerData = { module, settings: SETTINGS, memory: side.memory, batches: 1 };
      const url = new URL('./helper.ts', import.meta.url);
      const workers = Array.from({ length: helpers }, () => new Worker(url, { workerData }));
      await Promise.all(workers.map(worker => once(worker, 'message')));
      const joined = Promise.all(workers.map(worker => once(worker, 'message')));
      try {
        manyPasses(next, side, stored);
        core.endBatch();
        const counts = (await joined).map(([count]) => Number(count));
        assert.ok(counts.reduce((a, b) => a + b, 0) >= 5, `took part in ${counts} passes`);
      } finally {
        await Promise.all(workers.map(worker => worker.terminate()));
      }
    });
  }
}

/** Searches in passes that others may join, while the gallery changes and is coded again between them. */
function manyPasses(next: Random, side: Side, stored: readonly StoredTemplate[]): void {
  const { core, holdings } = side;
  let mixed = 0;
  const isMixed = () => codedAs(side.memory.buffer, holdings.handle(1)).mixed !== null;
  // Up to where the first codes are made again.
  while (core.tend(holdings.handle(1)) && !isMixed());
  const reference = new FlatReference();
  reference.change(stored);
  for (let round = 0; round < 25; round++) {
    const searches = Array.from({ length: 1 + below(next, 8) }, () => asked(next, stored));
    const expected = searches.map(probes => reference.expected(probes.map(normalise), SETTINGS));
    for (let again = 0; again < 12; again++) {
      for (const [n, probes] of searches.entries())
        core.ask(n, rows(probes), new Float32Array(640), 0, probes.length);
      core.answer(holdings.handle(1), searches.length, true);
      for (const [n, outcome] of expected.entries()) same(side.reported(n), outcome, `round ${round}`);
    }
    if (isMixed()) mixed++;
    for (let step = 0; step < 6; step++) core.tend(holdings.handle(1));
    const removed = reference.ids.filter(() => next() < 0.01);
    const added = people(next, 50, `r${round}.`);
    const from = holdings.sequence(1);
    holdings.apply(1, { from, to: from + 1, removed: removed.map(numberOf), added: pack(added) });
    reference.change(added, removed);
  }
  assert.ok(mixed > 10, `${mixed} rounds with both codings in a block`);
}

async function using(
  options: Omit<MatcherOptions, 'threshold' | 'margin'>,
  run: (matcher: Matcher) => Promise<void>,
): Promise<void> {
  await using matcher = closing(await createMatcher({ ...SETTINGS, ...options }));
  await run(matcher);
}

/** A gallery, what is in it, and the changes that were made but not replayed on the reference yet. */
interface Model {
  readonly key: GalleryKey;
  readonly stored: StoredTemplate[];
  readonly reference: FlatReference;
  readonly pending: { to: number; added: StoredTemplate[]; removed: string[] }[];
  sequence: number;
}

async function loaded(matcher: Matcher, key: GalleryKey, size: number): Promise<Model> {
  const stored = CROWD.slice(0, size);
  const reference = new FlatReference();
  reference.change(stored);
  await matcher.apply(key, { from: 0, to: 1, removed: [], added: pack(stored) });
  return { key, stored, reference, pending: [], sequence: 1 };
}

/** Calls that are made without waiting; the answers are compared with the gallery as it was at each. */
async function exercise(
  next: Random,
  matcher: Matcher,
  models: readonly Model[],
  calls: number,
): Promise<void> {
  const made: { model: Model; sequence: number; answer: Promise<SearchResult> }[] = [];
  const changes: Promise<void>[] = [];
  for (let call = 0; call < calls; call++) {
    const model = pick(next, models);
    if (next() < 0.2) {
      const added = people(next, 1 + below(next, 30), `${model.key.appId}${call}.`);
      const removed = Array.from({ length: below(next, 30) }, () => pick(next, model.stored).id);
      const [from, to] = [model.sequence, model.sequence + 1];
      const change = { from, to, removed: removed.map(numberOf), added: pack(added) };
      changes.push(matcher.apply(model.key, change));
      model.pending.push({ to: ++model.sequence, added, removed });
    } else {
      const answer = matcher.search(model.key, asked(next, model.stored));
      // When an earlier answer is wrong, nobody waits for this one any more.
      answer.catch(() => undefined);
      made.push({ model, sequence: model.sequence, answer });
    }
    // Some calls share a turn, some come while others are under way.
    if (next() < 0.2) await delay(below(next, 4));
  }
  await Promise.all(changes);
  for (const { model, sequence, answer } of made) {
    const found = await answer;
    assert.is(found.sequence, sequence);
    while ((model.pending[0]?.to ?? Infinity) <= sequence) {
      const { added, removed } = model.pending.shift() as Model['pending'][number];
      model.reference.change(added, removed);
    }
    same(named(found), model.reference.expected(found.normalised, SETTINGS), `gallery ${model.key.appId}`);
  }
}

const SIMD = new URL('../../dist/core/matcher.wasm', import.meta.url);
for (const [threads, modulePath] of [[1], [2], [3], [4], [3, SIMD]] as [number, URL?][]) {
  const build = modulePath ? ' of the plain build' : '';
  test(`${threads} threads${build} answer like the reference while large galleries change`, () =>
    using({ threads, ...(modulePath && { modulePath }) }, async matcher => {
      const next = random(620 + threads);
      const models = [
        await loaded(matcher, A, LARGE),
        await loaded(matcher, B, 300),
        await loaded(matcher, C, LARGE + 2000),
      ];
      await exercise(next, matcher, models, 60);
    }));
}

/** Fails when a promise has not settled in time. */
async function settled<T>(what: string, promise: Promise<T>, ms: number): Promise<PromiseSettledResult<T>> {
  const late = delay(ms, undefined, { ref: false }).then(() =>
    assert.unreachable(`${what}: no end after ${ms} ms`),
  );
  const [outcome] = await Promise.race([Promise.allSettled([promise]), late as Promise<never>]);
  return outcome;
}

/** Ends a worker while a large gallery of the first one is searched with the help of the others. */
async function death(which: number, afterMs: number, threads: number): Promise<void> {
  const workers: Worker[] = [];
  await using({ threads, onWorker: worker => workers.push(worker) }, async matcher => {
    const next = random(640 + which + afterMs);
    const large = await loaded(matcher, A, LARGE);
    const small = await loaded(matcher, B, 200);
    // One long batch: the others are in the middle of helping when the end comes.
    const count = 700;
    const searches = Array.from({ length: count }, () => matcher.search(A, asked(next, large.stored)));
    await delay(afterMs);
    await workers[which]?.terminate();
    // Who joined and ended is waited for, but not for ever.
    const outcomes = await Promise.all(searches.map(answer => settled('a search', answer, 20_000)));
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') assert.match(outcome.reason.message, /loaded again/);
      else if (i % 20 === 0)
        same(
          named(outcome.value),
          large.reference.expected(outcome.value.normalised, SETTINGS),
          'before the death',
        );
    }
    for (const { key, stored, reference } of [large, small]) {
      if (matcher.sequence(key) !== 0) continue;
      const reload = matcher.apply(key, { from: 0, to: 1, removed: [], added: pack(stored) });
      assert.is((await settled('a reload', reload, 5000)).status, 'fulfilled');
      reference.clear();
      reference.change(stored);
    }
    for (const model of [large, small, large]) {
      const outcome = await settled(
        `a search of ${model.key.appId}`,
        matcher.search(model.key, asked(next, model.stored)),
        5000,
      );
      if (outcome.status === 'rejected') throw outcome.reason;
      same(
        named(outcome.value),
        model.reference.expected(outcome.value.normalised, SETTINGS),
        'after the death',
      );
    }
    const more = exercise(next, matcher, [large, small], 20);
    assert.is((await settled('more calls', more, 10_000)).status, 'fulfilled');
  });
}

test('a helper that ends in the middle stops nobody for long, and later answers are right', () =>
  Promise.all([5, 20].map(ms => death(1, ms, 2))));

test('helpers of a worker that ends go on with their own galleries', () =>
  Promise.all([10, 30].map(ms => death(0, ms, 2))));

test('of three workers the owner ends, the others go on', () => death(0, 20, 3));

test.run();
