/**
 * The Matcher port over worker threads: what callers get, what they are refused, and that apps and modes are apart.
 * Fails when calls of one turn get each other's answers, when a key is mixed up, when arrays are shared between
 * callers, when a missing core is not said plainly, or when a closed matcher keeps the process alive.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { createMatcher } from '../../src/adapters/wasm/pool.ts';
import type { GalleryKey, Matcher } from '../../src/ports/matcher.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { below, capture, direction, facesLike, pick, random, vectors } from './data.ts';
import { same, template } from './harness.ts';
import { named, nameOf, pack } from './names.ts';
import { MARGIN, reference, type StoredTemplate, THRESHOLD } from './reference.ts';

const test = suite('matcher pool');
const next = random(71);
const settings = { threads: 2, threshold: THRESHOLD, margin: MARGIN };

async function using(run: (matcher: Matcher) => Promise<void>, options = settings): Promise<void> {
  await using matcher = closing(await createMatcher(options));
  await run(matcher);
}

async function rejects(promise: Promise<unknown>, message: RegExp): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(`must reject with ${message}`);
  assert.match(error.message, message);
  return error;
}

function people(count: number, prefix = 't'): StoredTemplate[] {
  return vectors(next, count).map((vector, i) => template(`${prefix}${i}`, `u${i >> 1}`, vector));
}

const KEY: GalleryKey = { appId: 'app', mode: 'live' };

test('hundreds of searches of one turn each get their own answer', () =>
  using(async matcher => {
    const keys: GalleryKey[] = ['a', 'b', 'c'].map(appId => ({ appId, mode: 'live' }));
    const galleries = keys.map(({ appId }) => people(100 + below(next, 200), appId));
    await Promise.all(
      keys.map((key, i) =>
        matcher.apply(key, { from: 0, to: i + 5, removed: [], added: pack(galleries[i] ?? []) }),
      ),
    );
    const searches = Array.from({ length: 400 }, () => {
      const which = below(next, 3);
      const stored = galleries[which] as StoredTemplate[];
      const someone = pick(next, stored).vector;
      const probes = Array.from({ length: 1 + below(next, 5) }, () => capture(next, someone).map(x => x * 3));
      return { which, stored, probes, answer: matcher.search(keys[which] as GalleryKey, probes) };
    });
    for (const { which, stored, probes, answer } of searches) {
      const found = await answer;
      same(named(found), reference(stored, found.normalised));
      assert.is(found.sequence, which + 5);
      assert.is(found.normalised.length, probes.length);
      found.normalised.forEach((unit, i) => {
        assert.ok(Math.abs((unit[9] as number) * 3 - (probes[i]?.[9] as number)) < 1e-6, 'its own probes');
      });
    }
  }));

test('apps and modes are apart, whatever their ids look like', () =>
  using(async matcher => {
    const keys: GalleryKey[] = ['a', 'b', 'live a', '', ' a', 'a\0'].flatMap(appId => [
      { appId, mode: 'live' },
      { appId, mode: 'test' },
    ]);
    const faces = vectors(next, keys.length);
    for (const [i, key] of keys.entries()) {
      const vector = faces[i] as Float32Array;
      await matcher.apply(key, {
        from: 0,
        to: 1,
        removed: [],
        added: pack([template(`t${i}`, `u${i}`, vector)]),
      });
    }
    for (const [i, key] of keys.entries()) {
      for (const [j, face] of faces.entries()) {
        const { verdict, best, otherDistance } = await matcher.search(key, [Array.from(face)]);
        assert.is(verdict === 'match', i === j);
        assert.is(nameOf(best?.user), i === j ? `u${i}` : '');
        assert.is(otherDistance, null);
      }
    }
    await matcher.drop(keys[0] as GalleryKey);
    assert.is(matcher.sequence(keys[0] as GalleryKey), 0);
    assert.is(matcher.sequence(keys[1] as GalleryKey), 1);
    assert.is((await matcher.search(keys[0] as GalleryKey, [direction(next)])).best, null);
  }));

test('a gallery that is not loaded is an empty one with sequence 0', () =>
  using(async matcher => {
    const found = await matcher.search(KEY, [direction(next), direction(next)]);
    const { normalised, ...rest } = found;
    assert.equal(rest, { sequence: 0, verdict: 'none', best: null, otherDistance: null });
    assert.is(normalised.length, 2);
    await matcher.drop(KEY);
    assert.is(matcher.sequence(KEY), 0);
    assert.equal(matcher.stats(), { bytes: 0, galleries: [] });
  }));

test('results share no memory with each other or with the caller', () =>
  using(async matcher => {
    const probe = direction(next);
    const added = people(4);
    const vector = (added[0] as StoredTemplate).vector;
    const kept = vector.slice();
    const applied = matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack(added) });
    const search = matcher.search(KEY, [probe, probe]);
    // Both calls were made; what happens to the arrays now must not matter.
    probe.fill(Number.NaN);
    vector.fill(0);
    await applied;
    const { normalised } = await search;
    for (const unit of normalised) assert.is(unit.buffer.byteLength, 512);
    assert.is.not(normalised[0]?.buffer, normalised[1]?.buffer);
    assert.is(nameOf((await matcher.search(KEY, [Array.from(kept)])).best?.user), 'u0');
  }));

test('wrong input is refused, and only for its caller', () =>
  using(async matcher => {
    const good = direction(next);
    const bad = [...good.slice(1), Number.NaN];
    const calls = [
      matcher.search(KEY, [good]),
      matcher.search(KEY, [good, bad]),
      matcher.search(KEY, [good]),
    ];
    const settled = await Promise.allSettled(calls);
    assert.equal(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await rejects(calls[1] as Promise<unknown>, /probe 2/);
    await rejects(matcher.search(KEY, []), /1 to 5/);
    await rejects(matcher.search(KEY, new Array(6).fill(good)), /1 to 5/);
    await rejects(matcher.search(KEY, [good.slice(1)]), /128 numbers/);
    const added = { ...pack(people(1)), vectors: new Float32Array(127) };
    await rejects(matcher.apply(KEY, { from: 0, to: 1, removed: [], added }), /128 numbers/);
    await rejects(matcher.apply(KEY, { from: 0, to: 0, removed: [], added: pack([]) }), /higher sequence/);
    assert.is(matcher.sequence(KEY), 0);
    assert.equal(matcher.stats().galleries, []);
  }));

test('sizes are reported per gallery, and galleries spread over the workers', () => {
  let threads = 0;
  const onWorker = () => {
    threads++;
  };
  return using(
    async matcher => {
      assert.is(threads, 2);
      const keys: GalleryKey[] = ['a', 'b'].map(appId => ({ appId, mode: 'test' }));
      await Promise.all(
        keys.map(key => matcher.apply(key, { from: 0, to: 1, removed: [], added: pack(people(240)) })),
      );
      const { bytes, galleries } = matcher.stats();
      // Each worker has room for one of them only.
      assert.equal(
        galleries.map(({ key, templates }) => ({ key, templates })),
        keys.map(key => ({ key, templates: 240 })),
      );
      for (const gallery of galleries) assert.ok(gallery.bytes > 3 * 65536 && gallery.bytes < 4 * 65536);
      assert.is(
        bytes,
        galleries.reduce((sum, gallery) => sum + gallery.bytes, 0),
      );
    },
    { ...settings, maxBlocks: 4, onWorker } as typeof settings,
  );
});

test('workers tend galleries between messages, and searches go on', () =>
  using(async matcher => {
    const key: GalleryKey = { appId: 'a', mode: 'live' };
    const stored = facesLike(next, 600, { length: 12 }).map((vector, i) =>
      template(`t${i}`, `u${i}`, vector),
    );
    await matcher.apply(key, { from: 0, to: 1, removed: [], added: pack(stored.slice(0, 500)) });
    const before = matcher.stats().bytes;
    for (let i = 0; i < 100 && matcher.stats().bytes < before + 65536; i++) {
      const probe = capture(next, (stored[i] as StoredTemplate).vector, 0.9);
      const { verdict } = await matcher.search(key, [probe]);
      assert.is(verdict, 'match');
      await wait(10);
      const added = pack(stored.slice(500 + i, 501 + i));
      await matcher.apply(key, { from: i + 1, to: i + 2, removed: [], added });
    }
    assert.ok(matcher.stats().bytes >= before + 65536, 'it has axes, a page of them');
  }));

test('a core that is missing or broken is said in one line that names it and the remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matcher-'));
  const modulePath = join(folder, 'core.wasm');
  const missing = await rejects(
    createMatcher({ ...settings, modulePath }),
    /core\.wasm cannot be read.*npm run build/,
  );
  await writeFile(modulePath, 'not WebAssembly');
  const broken = await rejects(
    createMatcher({ ...settings, modulePath }),
    /core\.wasm does not compile.*npm run build/,
  );
  for (const { message } of [missing, broken]) assert.not(message.includes('\n'));
  await rm(folder, { recursive: true });
});

test('closing rejects what is under way and what comes later', async () => {
  const matcher = await createMatcher(settings);
  await matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack(people(10)) });
  const calls = [matcher.search(KEY, [direction(next)]), matcher.drop(KEY)];
  const outcomes = Promise.allSettled(calls);
  await matcher.close();
  for (const { status } of await outcomes) assert.is(status, 'rejected');
  await rejects(matcher.search(KEY, [direction(next)]), /closed/);
  await rejects(matcher.apply(KEY, { from: 0, to: 1, removed: [], added: pack([]) }), /closed/);
  assert.is(matcher.sequence(KEY), 0);
  await matcher.close();
});

test('a process that has closed its matcher ends by itself', async () => {
  const pool = new URL('../../src/adapters/wasm/pool.ts', import.meta.url).href;
  const script = `
    import { createMatcher } from ${JSON.stringify(pool)};
    const matcher = await createMatcher(${JSON.stringify(settings)});
    await matcher.search({ appId: 'a', mode: 'live' }, [new Array(128).fill(1)]);
    await matcher.close();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const timer = setTimeout(() => child.kill(), 10_000);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  assert.is(code, 0);
});

test('searches of one turn share a pass, and how many they were is reported', async () => {
  const passes: number[] = [];
  const settings = { threads: 1, threshold: THRESHOLD, margin: MARGIN };
  const matcher = await createMatcher({ ...settings, onPass: count => void passes.push(count) });
  const key = { appId: 'app', mode: 'live' } as const;
  const probe = Array.from({ length: 128 }, () => 1);
  passes.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => matcher.search(key, [probe, probe])));
  await matcher.search(key, [probe]);
  await matcher.apply(key, { from: 0, to: 1, removed: [], added: pack([]) });
  assert.equal(passes, [5, 1], 'a change is no search');
  await matcher.close();
});

test.run();
