/** The watch over scores: which galleries it looks at and when, what it tells once, and what it forgets. */
import * as assert from 'uvu/assert';
import { sampleUsers } from '../../src/domain/scores/sample.ts';
import { createScoreWatch, type Finding, type Reason } from '../../src/domain/scores/watch.ts';
import type { GalleryKey, Matcher } from '../../src/ports/matcher.ts';
import type { Store } from '../../src/ports/store.ts';
import { packTemplates } from '../../src/ports/template-rows.ts';
import { random, vectors } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';

const test = suite('scores: watch');
const key = (appId: string): GalleryKey => ({ appId, mode: 'live' });

/** Templates of one gallery after another; every user has as many in a row. */
class World {
  readonly galleries = new Map<string, { userId: string; vector: Float32Array }[]>();
  readonly reads: { since: number; limit: number }[] = [];
  readonly told: [string, Reason][] = [];

  fill(appId: string, users: number, each = 1, mean = 0): void {
    const all = vectors(random(users), users * each, mean);
    this.galleries.set(
      appId,
      all.map((vector, n) => ({ userId: `u${Math.floor(n / each)}`, vector })),
    );
  }

  readonly store = {
    gallerySequence: async ({ appId }: GalleryKey) => this.galleries.get(appId)?.length ?? 0,
    galleryChanges: async ({ appId }: GalleryKey, since: number, limit: number) => {
      this.reads.push({ since, limit });
      const rows = (this.galleries.get(appId) ?? []).slice(since, since + limit);
      const added = packTemplates(rows.map((row, i) => ({ id: `t${since + i}`, ...row })));
      return { from: since, to: since + rows.length, removed: [], added };
    },
  } as unknown as Store;

  readonly matcher = {
    stats: () => ({
      bytes: 0,
      galleries: [...this.galleries].map(([appId, { length }]) => ({
        key: key(appId),
        templates: length,
        bytes: 0,
      })),
    }),
  } as unknown as Matcher;

  watch() {
    return createScoreWatch(this.store, this.matcher, 0.35, ({ gallery }: Finding, reason) =>
      this.told.push([gallery.appId, reason]),
    );
  }
}

test('a gallery is looked at from twenty templates on, and again when it has grown or shrunk by a tenth', async () => {
  const world = new World();
  const watch = world.watch();
  const reads: number[] = [];
  for (const users of [19, 20, 20, 21, 22, 23, 21, 20]) {
    world.fill('a', users);
    world.reads.length = 0;
    await watch.look();
    reads.push(world.reads.length);
  }
  assert.equal(reads, [0, 1, 0, 0, 0, 1, 0, 1]);
});

test('one gallery a look, each in its turn; unsafe ones are told once', async () => {
  const world = new World();
  const watch = world.watch();
  world.fill('good', 40);
  world.fill('raw', 40, 1, 2.5);
  world.fill('small', 10, 1, 2.5);
  for (let n = 0; n < 5; n++) await watch.look();
  assert.is(world.reads.length, 2);
  assert.equal(world.told, [['raw', 'scores']]);
  const findings = new Map(watch.findings().map(finding => [finding.gallery.appId, finding]));
  assert.equal(findings.get('raw')?.unsafe, ['scores']);
  assert.equal([findings.get('good')?.unsafe, findings.get('good')?.estimate?.fmr], [[], 0]);
  assert.is(findings.get('small')?.estimate, null);
  world.fill('raw', 60, 1, 2.5);
  await watch.look();
  assert.is(world.told.length, 1, 'still so');
  world.fill('raw', 30);
  await watch.look();
  world.fill('raw', 60, 1, 2.5);
  await watch.look();
  assert.is(world.told.length, 2, 'again after it was well');
});

test('twenty templates of few users are too few', async () => {
  const world = new World();
  const watch = world.watch();
  world.fill('a', 8, 5, 2.5);
  await watch.look();
  assert.equal([watch.findings()[0]?.estimate, watch.findings()[0]?.unsafe], [null, []]);
});

test('one pair of look-alikes is an estimate above the mark, but not surely', async () => {
  const world = new World();
  const watch = world.watch();
  world.fill('a', 40);
  const rows = world.galleries.get('a') ?? [];
  const [one, two] = rows.map(({ vector }) => vector) as [Float32Array, Float32Array];
  const norm = Math.hypot(...one.map((x, i) => x + (two[i] as number)));
  rows.push({ userId: 'between', vector: one.map((x, i) => (x + (two[i] as number)) / norm) });
  await watch.look();
  const [finding] = watch.findings();
  assert.ok((finding?.estimate?.fmr ?? 0) > 0.001 && (finding?.estimate?.low ?? 1) < 0.001);
  assert.equal([finding?.unsafe, world.told], [[], []]);
});

test('an erased gallery is forgotten, one that is only not loaded is not', async () => {
  const world = new World();
  const watch = world.watch();
  world.fill('a', 40);
  world.fill('b', 40);
  await watch.look();
  const stats = world.matcher.stats;
  world.matcher.stats = () => ({ bytes: 0, galleries: [] });
  await watch.look();
  assert.is(watch.findings().length, 2);
  world.galleries.delete('a');
  await watch.look();
  assert.equal(
    watch.findings().map(({ gallery }) => gallery.appId),
    ['b'],
  );
  world.matcher.stats = stats;
});

test('enrolments refused as known faces: surely more than half of ten or more', () => {
  const world = new World();
  const watch = world.watch();
  const enrol = (appId: string, known: boolean, times = 1) => {
    for (let n = 0; n < times; n++) watch.enrolment(key(appId), known);
  };
  enrol('raw', true, 9);
  assert.equal(world.told, []);
  enrol('raw', true);
  assert.equal(world.told, [['raw', 'enrolments']]);
  enrol('raw', true, 50);
  assert.is(world.told.length, 1, 'once');
  enrol('shop', false, 40);
  enrol('shop', true, 40);
  assert.is(world.told.length, 1, 'half of them is not surely more');
  enrol('club', false, 900);
  enrol('club', true, 2_000);
  assert.equal(world.told.at(-1), ['club', 'enrolments'], 'older ones count less');
  const { seen, refused } = watch.findings().find(({ gallery }) => gallery.appId === 'club')?.enrolments ?? {
    seen: 0,
    refused: 0,
  };
  assert.ok(seen <= 1_001 && refused <= seen);
});

test('a sample: each user once, all of a small gallery, three hundred at most', async () => {
  const world = new World();
  world.fill('a', 30, 4);
  assert.is((await sampleUsers(world.store, key('a'))).length, 30);
  assert.is(world.reads.length, 1);
  world.fill('a', 900);
  assert.is((await sampleUsers(world.store, key('a'))).length, 300);
  assert.is((await sampleUsers(world.store, key('none'))).length, 0);
});

test('a large gallery: short pages from all over it, the same ones at the same sequence', async () => {
  const world = new World();
  world.fill('a', 6_000, 5);
  world.reads.length = 0;
  const sample = await sampleUsers(world.store, key('a'));
  assert.ok(sample.length > 150 && sample.length <= 300, `${sample.length}`);
  assert.is(world.reads.length, 64);
  for (const [n, { since, limit }] of world.reads.entries()) {
    assert.is(limit, 16);
    assert.ok(Math.abs(since - (n + 0.5) * (30_000 / 64)) <= 30_000 / 128 + 1, `${n}: ${since}`);
  }
  const all = world.galleries.get('a') ?? [];
  const users = sample.map(vector => all.find(row => row.vector.every((x, i) => x === vector[i]))?.userId);
  assert.is(new Set(users).size, sample.length, 'each of another user');
  assert.equal(await sampleUsers(world.store, key('a')), sample);
});

test.run();
