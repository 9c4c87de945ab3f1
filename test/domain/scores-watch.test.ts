/** The watch over scores: which galleries it looks at and when, what it tells once, and what it forgets. */
import * as assert from 'uvu/assert';
import { sampleUsers } from '../../src/domain/scores/watch.ts';
import { random, vectors } from '../matcher/data.ts';
import { suite } from '../support/suite.ts';
import { Harness, key } from './scores-galleries.ts';

const test = suite('scores: watch');

test('a gallery is looked at from twenty templates on, and again when it has grown or shrunk by a tenth', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const reads: number[] = [];
  const counts: number[] = [];
  for (const users of [19, 20, 20, 21, 22, 23, 21, 20]) {
    harness.fill('a', users);
    harness.reads.length = 0;
    harness.counts = 0;
    await watch.look();
    reads.push(harness.reads.length);
    counts.push(harness.counts);
    const [finding] = watch.findings();
    assert.is(finding?.safety.users ?? null, users === 19 ? null : users);
  }
  assert.equal(reads, [0, 1, 0, 0, 0, 1, 0, 1]);
  assert.equal(counts, [0, 1, 0, 1, 1, 1, 1, 1], 'users are counted whenever templates come or go');
});

test('a gallery that shrinks below twenty users is unknown again', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const state = () => watch.findings()[0]?.safety.state;
  harness.fill('a', 40, 1, 2.5);
  await watch.look();
  assert.is(state(), 'unsafe');
  harness.fill('a', 19, 1, 2.5);
  await watch.look();
  assert.equal([state(), watch.findings()[0]?.estimate], ['unknown', null]);
});

/** People who resemble each other so much that they are safe for about 50 of them. */
function likeness(harness: Harness, users: number): void {
  const next = random(9);
  const number = () => next() + next() + next() + next() - 2;
  const rows = Array.from({ length: users }, (_, n) => {
    const v = Array.from({ length: 128 }, (_, i) => number() * Math.exp(-i / DECAY));
    const norm = Math.hypot(...v);
    return { user: n + 1, vector: Float32Array.from(v, x => x / norm) };
  });
  harness.galleries.set('a', rows);
}
/** Energy of the vectors lies in about so many directions. */
const DECAY = 36;

test('more users than is safe: warned once when it is sure, and again only after it was safe', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const at = async (users: number) => {
    likeness(harness, users);
    await watch.look();
    const { state, safeUsers } = watch.findings()[0]?.safety ?? { state: 'unknown', safeUsers: null };
    return { state, safeUsers, reported: harness.reported.length };
  };
  const small = await at(25);
  assert.equal([small.state, small.reported], ['safe', 0]);
  const grown = await at(290);
  assert.equal([grown.state, grown.reported], ['unsafe', 1]);
  assert.ok((grown.safeUsers ?? 0) > 10 && (grown.safeUsers ?? 0) < 150, `${grown.safeUsers}`);
  for (const users of [291, 295, 288])
    assert.equal((await at(users)).reported, 1, 'not for every enrollment');
  assert.equal([(await at(25)).state, (await at(290)).reported], ['safe', 2], 'another crossing');
});

test('between the estimate and its lower end nothing is claimed, and a warning stays given', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const seen = new Map<string, number>();
  for (let users = 290; users >= 20; users -= 10) {
    likeness(harness, users);
    await watch.look();
    const state = watch.findings()[0]?.safety.state ?? '';
    if (!seen.has(state)) seen.set(state, users);
  }
  assert.equal([...seen.keys()], ['unsafe', 'unclear', 'safe']);
  const unclear = seen.get('unclear') ?? 0;
  for (const users of [290, unclear, 290]) {
    likeness(harness, users);
    await watch.look();
  }
  assert.is(harness.reported.length, 2, 'unsafe, unclear and unsafe is one warning');
});

test('more users than the table says, where the faces leave doubt: warned once, until a tenth fewer or another encoder', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const at = async (users: number, appId = 'a') => {
    // So much in common that the estimate is safe, but not surely.
    harness.fill(appId, users, 1, 0.45);
    await watch.look();
    const finding = watch.findings().find(({ gallery }) => gallery.appId === appId);
    return [finding?.safety.state, finding?.size?.state ?? null, harness.reported.length];
  };
  assert.equal(await at(95), ['safe', 'fits', 0]);
  assert.equal(await at(101), ['safe', 'outgrown', 1]);
  assert.equal(harness.reported, [['a', 'size']]);
  for (const users of [99, 102, 95, 103])
    assert.is((await at(users))[2], 1, `${users}: about the limit, and once is enough`);
  assert.equal(await at(90), ['safe', 'fits', 1]);
  assert.equal(await at(101), ['safe', 'outgrown', 2], 'another crossing');
  harness.encoder = 'network-1';
  await watch.look();
  assert.is(watch.findings()[0]?.size?.state, 'other_encoder', 'its operator names another encoder');
  harness.encoder = null;
  assert.equal(await at(150, 'test'), ['safe', null, 2], 'test mode is not judged');
});

test('about the number that its own faces carry surely, an app is warned of once, not for every user', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  const all = vectors(random(7), 300, 0.38).map((vector, n) => ({ user: n + 1, vector }));
  const at = async (users: number) => {
    harness.galleries.set('a', all.slice(0, users));
    await watch.look();
    return watch.findings()[0];
  };
  const carried = Math.floor((await at(300))?.safety.safeUsersLow ?? 0);
  for (let n = 0; n < 3; n++)
    for (const [users, state] of [
      [carried, 'measured'],
      [carried + 1, 'outgrown'],
    ] as const)
      assert.is((await at(users))?.size?.state, state);
  assert.equal(harness.reported, [['a', 'size']]);
});

test('the gallery that waited longest is next, however busy another one is', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  harness.fill('busy', 40);
  harness.fill('quiet', 30);
  for (let users = 40; users < 44; users++) {
    harness.fill('busy', users);
    await watch.look();
  }
  assert.is(watch.findings().find(({ gallery }) => gallery.appId === 'quiet')?.safety.users, 30);
});

test('one gallery a look, each in its turn; unsafe ones are reported once', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  harness.fill('good', 40);
  harness.fill('raw', 40, 1, 2.5);
  harness.fill('small', 10, 1, 2.5);
  for (let n = 0; n < 5; n++) await watch.look();
  assert.is(harness.reads.length, 2);
  assert.equal(harness.reported, [['raw', 'scores']]);
  const findings = new Map(watch.findings().map(finding => [finding.gallery.appId, finding]));
  assert.equal(findings.get('raw')?.unsafe, ['scores']);
  assert.equal([findings.get('good')?.unsafe, findings.get('good')?.safety.state], [[], 'safe']);
  assert.is(findings.get('small')?.estimate, null);
  harness.fill('raw', 60, 1, 2.5);
  await watch.look();
  assert.is(harness.reported.length, 1, 'still so');
  harness.fill('raw', 30);
  await watch.look();
  harness.fill('raw', 60, 1, 2.5);
  await watch.look();
  assert.is(harness.reported.length, 2, 'again after it was well');
});

test('twenty templates of few users are too few', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  harness.fill('a', 8, 5, 2.5);
  await watch.look();
  assert.equal([watch.findings()[0]?.estimate, watch.findings()[0]?.unsafe], [null, []]);
});

test('one pair of look-alikes is an estimate above the mark, but not sure', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  harness.fill('a', 40);
  const rows = harness.galleries.get('a') ?? [];
  const [one, two] = rows.map(({ vector }) => vector) as [Float32Array, Float32Array];
  const norm = Math.hypot(...one.map((x, i) => x + (two[i] as number)));
  rows.push({ user: 99, vector: one.map((x, i) => (x + (two[i] as number)) / norm) });
  await watch.look();
  const [finding] = watch.findings();
  assert.ok((finding?.estimate?.fmr ?? 0) > 0.001 && (finding?.estimate?.low ?? 1) < 0.001);
  assert.is(finding?.safety.state, 'unclear');
  assert.equal([finding?.unsafe, harness.reported], [[], []]);
});

test('an erased gallery is forgotten, one that is only not loaded is not', async () => {
  const harness = new Harness();
  const watch = harness.watch();
  harness.fill('a', 40);
  harness.fill('b', 40);
  await watch.look();
  const stats = harness.matcher.stats;
  harness.matcher.stats = () => ({ bytes: 0, galleries: [] });
  await watch.look();
  assert.is(watch.findings().length, 2);
  harness.galleries.delete('a');
  await watch.look();
  assert.equal(
    watch.findings().map(({ gallery }) => gallery.appId),
    ['b'],
  );
  harness.matcher.stats = stats;
});

test('enrolments refused as known faces: surely more than half of ten or more', () => {
  const harness = new Harness();
  const watch = harness.watch();
  const enrol = (appId: string, known: boolean, times = 1) => {
    for (let n = 0; n < times; n++) watch.enrolment(key(appId), known);
  };
  enrol('raw', true, 9);
  assert.equal(harness.reported, []);
  enrol('raw', true);
  assert.equal(harness.reported, [['raw', 'enrolments']]);
  enrol('raw', true, 50);
  assert.is(harness.reported.length, 1, 'once');
  enrol('shop', false, 40);
  enrol('shop', true, 40);
  assert.is(harness.reported.length, 1, 'half of them is not surely more');
  enrol('club', false, 900);
  enrol('club', true, 2_000);
  assert.equal(harness.reported.at(-1), ['club', 'enrolments'], 'older ones count less');
  const { seen, refused } = watch.findings().find(({ gallery }) => gallery.appId === 'club')?.enrolments ?? {
    seen: 0,
    refused: 0,
  };
  assert.ok(seen <= 1_001 && refused <= seen);
});

test('a sample: each user once, all of a small gallery, three hundred at most', async () => {
  const harness = new Harness();
  harness.fill('a', 30, 4);
  assert.is((await sampleUsers(harness.store, key('a'))).length, 30);
  assert.is(harness.reads.length, 1);
  harness.fill('a', 900);
  assert.is((await sampleUsers(harness.store, key('a'))).length, 300);
  assert.is((await sampleUsers(harness.store, key('none'))).length, 0);
});

test('a large gallery: short pages from all over it, the same ones at the same sequence', async () => {
  const harness = new Harness();
  harness.fill('a', 6_000, 5);
  harness.reads.length = 0;
  const sample = await sampleUsers(harness.store, key('a'));
  assert.ok(sample.length > 150 && sample.length <= 300, `${sample.length}`);
  assert.is(harness.reads.length, 64);
  for (const [n, { since, limit }] of harness.reads.entries()) {
    assert.is(limit, 16);
    assert.ok(Math.abs(since - (n + 0.5) * (30_000 / 64)) <= 30_000 / 128 + 1, `${n}: ${since}`);
  }
  const all = harness.galleries.get('a') ?? [];
  const users = sample.map(vector => all.find(row => row.vector.every((x, i) => x === vector[i]))?.user);
  assert.is(new Set(users).size, sample.length, 'each of another user');
  assert.equal(await sampleUsers(harness.store, key('a')), sample);
});

test.run();
