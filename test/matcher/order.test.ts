/**
 * Calls take effect in the order in which they were made, without anyone waiting for anyone. A model of what the
 * gallery holds after each call predicts every answer. Fails when a search overtakes a change, when a refused change
 * moves the sequence, or when failed changes leave the sequence of the caller's side wrong.
 */
import * as assert from 'uvu/assert';
import { createMatcher } from '../../src/adapters/wasm/pool.ts';
import type { GalleryKey, Matcher } from '../../src/ports/matcher.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { below, capture, pick, random, vectors } from './data.ts';
import { same, template } from './harness.ts';
import { named, nameOf, numberOf, pack } from './names.ts';
import { MARGIN, reference, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher order');
const next = random(81);
const faces = vectors(next, 400);
const KEY: GalleryKey = { appId: 'app', mode: 'live' };

async function using(run: (matcher: Matcher) => Promise<void>, maxBlocks = 65536): Promise<void> {
  await using matcher = closing(
    await createMatcher({ threads: 2, threshold: THRESHOLD, margin: MARGIN, maxBlocks }),
  );
  await run(matcher);
}

test('2,000 mixed calls on three galleries, none awaited, give what their order says', () =>
  using(async matcher => {
    const keys: GalleryKey[] = ['a', 'b', 'c'].map(appId => ({ appId, mode: 'test' }));
    const model = keys.map(() => ({ sequence: 0, stored: [] as StoredTemplate[] }));
    const checks: Promise<void>[] = [];
    for (let step = 0; step < 2000; step++) {
      const which = below(next, 3);
      const key = keys[which] as GalleryKey;
      const gallery = model[which] as (typeof model)[number];
      const kind = next();
      if (kind < 0.02) {
        checks.push(matcher.drop(key));
        gallery.sequence = 0;
        gallery.stored = [];
      } else if (kind < 0.3) {
        const to = gallery.sequence + 1 + below(next, 3);
        const leaving = gallery.stored.filter(() => next() < 0.1).map(({ id }) => id);
        const added = Array.from({ length: below(next, 8) }, (_, i) =>
          template(`t${step}.${i}`, `u${below(next, 60)}`, pick(next, faces)),
        );
        checks.push(
          matcher.apply(key, {
            from: gallery.sequence,
            to,
            removed: leaving.map(numberOf),
            added: pack(added),
          }),
        );
        gallery.sequence = to;
        gallery.stored = [...gallery.stored.filter(({ id }) => !leaving.includes(id)), ...added];
      } else {
        const { stored, sequence } = gallery;
        const probes = [capture(next, pick(next, faces))];
        checks.push(
          matcher.search(key, probes).then(found => {
            assert.is(found.sequence, sequence);
            same(named(found), reference(stored, found.normalised));
          }),
        );
      }
      assert.is(matcher.sequence(key), gallery.sequence);
      if (next() < 0.05) await new Promise(setImmediate);
    }
    await Promise.all(checks);
  }));

test('a stale change rejects and changes nothing', () =>
  using(async matcher => {
    const [a, b] = faces as [Float32Array, Float32Array];
    await matcher.apply(KEY, { from: 0, to: 4, removed: [], added: pack([template('a', 'u', a)]) });
    for (const from of [0, 3, 5]) {
      const stale = matcher.apply(KEY, {
        from,
        to: 9,
        removed: [numberOf('a')],
        added: pack([template('b', 'v', b)]),
      });
      assert.is(matcher.sequence(KEY), 4);
      const error = await stale.catch((reason: Error) => reason);
      assert.match(error instanceof Error ? error.message : 'resolved', /sequence/);
    }
    const found = await matcher.search(KEY, [Array.from(a)]);
    assert.is(found.sequence, 4);
    assert.is(nameOf(found.best?.user), 'u');
  }));

test('after a change that failed in the worker the sequence is told right, and the next change counts', () =>
  using(async matcher => {
    const added = faces.map((vector, i) => template(`t${i}`, `u${i}`, vector));
    await matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack(added.slice(0, 10)) });
    // No memory for the second; the third builds on it and must fail with it; the fourth is built on the truth.
    const second = matcher.apply(KEY, { from: 1, to: 2, removed: [], added: pack(added.slice(10)) });
    // The third travels in a message of its own, so that its failure is told later than that of the second.
    await new Promise(setImmediate);
    const third = matcher.apply(KEY, { from: 2, to: 3, removed: [numberOf('t0')], added: pack([]) });
    assert.is(matcher.sequence(KEY), 3);
    await second.then(
      () => assert.unreachable(),
      error => assert.match(error.message, /no memory/),
    );
    assert.is(matcher.sequence(KEY), 1);
    const fourth = matcher.apply(KEY, { from: 1, to: 7, removed: [numberOf('t1')], added: pack([]) });
    await third.then(
      () => assert.unreachable(),
      error => assert.match(error.message, /sequence/),
    );
    await fourth;
    assert.is(matcher.sequence(KEY), 7);
    const found = await matcher.search(KEY, [Array.from(faces[0] as Float32Array)]);
    assert.is(nameOf(found.best?.user), 'u0');
    assert.is(found.sequence, 7);
  }, 3));

test('a gallery whose first change failed was never there', () =>
  using(async matcher => {
    const added = faces.map((vector, i) => template(`t${i}`, `u${i}`, vector));
    await matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack(added) }).then(
      () => assert.unreachable(),
      error => assert.match(error.message, /no memory/),
    );
    assert.is(matcher.sequence(KEY), 0);
    assert.equal(matcher.stats().galleries, []);
    await matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack(added.slice(0, 5)) });
    assert.is(matcher.stats().galleries[0]?.templates, 5);
  }, 3));

test.run();
