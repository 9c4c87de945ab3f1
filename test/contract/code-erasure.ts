/**
 * Tier 4, erasure of codes and of what an account has changed: rows and bytes go with the user, the app or the time.
 * Every marker must be found before it is missed.
 */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import { seeded } from '../support/random.ts';
import type { Suite } from '../support/suite.ts';
import { confirmed, failuresOf, LIFETIME, newChange, newCode, tried, wide } from './code-fixtures.ts';
import { contractOn, count, type Engine, everything, type TestDatabase } from './engine.ts';
import {
  deleteUser,
  enrolled,
  FIRST,
  LIVE,
  NOW,
  OTHER,
  SECOND,
  TEST,
  takeWindow,
  vector,
} from './fixtures.ts';

async function found(db: TestDatabase, markers: readonly (string | Uint8Array)[]): Promise<string[]> {
  const bytes = await db.bytes();
  return markers.filter(marker => bytes.includes(marker)).map(String);
}

/** Somebody with a code and a change pending, and the markers of both. */
async function pending(store: Store, who: string, gallery = LIVE) {
  const { user } = await enrolled(store, { gallery, email: `old-${who}@mail.example`, name: `name-${who}` });
  const code = newCode(user.id, { gallery, id: `code-${who}`, hash: `hash-${who}` });
  const address = `Pending-${who}@mail.example`;
  const change = newChange(user.id, address, {
    gallery,
    id: `change-${who}`,
    hash: `change-hash-${who}`,
    lockoutKey: `lockout-${who}`,
  });
  assert.is(await store.putCode(code), 'stored');
  assert.is(await store.putCode(change), 'stored');
  return {
    user,
    code,
    change,
    markers: [code.id, code.hash, change.id, change.hash, change.lockoutKey],
  };
}

export function codeErasure(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  wiped('a deleted user’s codes leave no byte, the address to be included', async ({ db, store }) => {
    const [gone, kept] = [await pending(store, 'gone'), await pending(store, 'kept')];
    assert.equal(await found(db, gone.markers), gone.markers, 'found before');
    assert.is(await deleteUser(store, LIVE, gone.user.id, NOW), 1);
    assert.equal(await found(db, gone.markers), []);
    assert.equal(await found(db, kept.markers), kept.markers);
    assert.is(await count(db, 'email_codes'), 2);
    assert.is(await tried(store, kept.user.id, kept.code.hash), 'signed_in');
    await store.retireCode(gone.code.id);
  });

  wiped('users erased by a job lose their codes alike', async ({ db, store }) => {
    const people = [await pending(store, 'one'), await pending(store, 'two', TEST)];
    const markers = people.flatMap(one => one.markers);
    assert.equal(await found(db, markers), markers, 'found before');
    const places = [
      { gallery: LIVE, id: people[0]?.user.id ?? '' },
      { gallery: TEST, id: people[1]?.user.id ?? '' },
    ];
    assert.is(await store.deleteUsers(places, NOW), 2);
    assert.equal(await found(db, markers), []);
    assert.is(await count(db, 'email_codes'), 0);
  });

  wiped('a deleted app’s codes leave no byte in either mode, another app’s stay', async ({ db, store }) => {
    const people = [await pending(store, 'live'), await pending(store, 'test', TEST)];
    const kept = await pending(store, 'other', OTHER);
    const markers = people.flatMap(one => one.markers);
    assert.equal(await found(db, markers), markers, 'found before');
    assert.is(await store.deleteApp(FIRST, NOW), true);
    assert.equal(await found(db, markers), []);
    assert.equal(await found(db, kept.markers), kept.markers);
    assert.is(await count(db, 'email_codes', `app_id = '${SECOND}'`), 2);
    assert.is(await count(db, 'email_codes'), 2);
  });

  wiped('addresses, names and templates of former times go with their user', async ({ db, store }) => {
    const { user, change, markers } = await pending(store, 'ana');
    assert.is(await confirmed(store, user.id, change.hash), 'applied');
    await store.updateUser(LIVE, user.id, { name: 'second-name-of-ana' });
    await store.updateUser(LIVE, user.id, { name: 'n' });
    const retired = newChange(user.id, 'retired-of-ana@mail.example');
    await store.putCode(retired);
    await store.retireCode(retired.id);
    const sealed: Buffer[] = [];
    for (let i = 0; i < 12; i++) {
      const { sequence } = await store.galleryState(LIVE);
      const templates = [{ id: `learned_of_ana_${i}`, vector: vector(700 + i) }];
      const origin = { ip: 'ip-of-lesson', userAgent: 'agent-of-lesson', liveness: undefined };
      const of = { gallery: LIVE, userId: user.id, at: NOW, encoder: null, origin, most: 10 };
      assert.is((await store.addTemplates({ ...of, templates, sequence })).outcome, 'stored');
      const rows = await db.rows<{ sealed: Uint8Array }>(
        `SELECT sealed FROM templates WHERE id = 'learned_of_ana_${i}'`,
      );
      for (const row of rows)
        sealed.push(...[0, 200, 400].map(at => Buffer.from(row.sealed).subarray(at, at + 16)));
    }
    assert.is(sealed.length, 36);
    const bytes = await db.bytes();
    // Those that the user has; what was dropped for them may be gone already, or not.
    assert.ok(
      sealed.slice(-24).every(part => bytes.includes(part)),
      'found before',
    );
    await deleteUser(store, LIVE, user.id, NOW);
    const words = [
      'old-ana',
      'name-ana',
      'second-name-of-ana',
      'retired-of-ana',
      'ip-of-lesson',
      'agent-of-lesson',
    ];
    assert.equal(await found(db, [...words, ...markers.slice(2, 4), ...sealed]), []);
  });

  wiped(
    'of many accounts that changed again and again, those deleted leave no byte',
    async ({ db, store }) => {
      // Lengths in no order, so that rows grow out of their pages and pages are put in order anew.
      const random = seeded(58);
      const word = () => random.bytes(4).readUInt32BE().toString(36).padStart(7, '0');
      const long = () => Array.from({ length: 1 + (random.bytes(1)[0] ?? 0) / 12 }, word).join('');
      // Of each user: what was stored of them, from time to time, as it is sealed.
      const held = new Map<string, string[]>();
      const remember = async () => {
        const rows = await db.rows<{ id: string; sealed: Uint8Array }>(
          `SELECT id, sealed FROM users UNION ALL SELECT user_id, sealed FROM email_codes WHERE sealed IS NOT NULL`,
        );
        for (const { id, sealed } of rows)
          held.set(id, [...(held.get(id) ?? []), Buffer.from(sealed).toString('latin1', 9, 32)]);
      };
      for (let i = 0; i < 120; i++)
        await enrolled(store, { id: `usr_${i}`, email: `${word()}@mail.example`, name: '', templates: [] });
      await remember();
      for (let turn = 0; turn < 3; turn++) {
        for (const [place, id] of [...held.keys()].entries()) {
          await store.updateUser(LIVE, id, { name: long() });
          const change = newChange(id, `${word()}${'x'.repeat(turn * 9)}@mail.example`);
          await store.putCode(change);
          if (place % 3) assert.is(await confirmed(store, id, change.hash), 'applied');
          await store.putCode(newCode(id));
        }
        await remember();
      }
      const gone = [...held].filter((_, i) => i % 3 === 0);
      const before = (await db.bytes()).toString('latin1');
      assert.ok(
        gone.every(([, words]) => words.slice(-1).every(one => before.includes(one))),
        'found before',
      );
      for (const [id] of gone) assert.is(await deleteUser(store, LIVE, id, NOW), 1);
      const text = (await db.bytes()).toString('latin1');
      const left = gone.flatMap(([id, words]) =>
        words.filter(one => text.includes(one)).map(one => `${id}: ${one}`),
      );
      assert.equal(left, []);
      const newest = [...held].filter((_, i) => i % 3 > 0).map(([, words]) => words.at(-1) ?? '');
      assert.ok(
        newest.every(one => text.includes(one)),
        'what the others have is there',
      );
    },
  );

  check('codes go when they have expired, at the moment of their end', async ({ db, store }) => {
    const first = await pending(store, 'first');
    const { user } = await enrolled(store);
    await store.putCode(newCode(user.id, { expiresAt: NOW + LIFETIME + 1 }));
    assert.is(await store.prune('expired', NOW + LIFETIME - 1, 1_000), 0);
    assert.is(await count(db, 'email_codes'), 3);
    assert.is(await store.prune('expired', NOW + LIFETIME, 1_000), 2);
    assert.is(await count(db, 'email_codes', `user_id = '${first.user.id}'`), 0);
    assert.is(await store.prune('expired', NOW + LIFETIME + 1, 1_000), 1);
    assert.is(await store.prune('expired', NOW + LIFETIME + 1, 1_000), 0);
    assert.ok(await store.findUser(LIVE, { id: first.user.id }), 'the user stays');
  });

  check('a window of no app outlives every app, and ends with its time', async ({ db, store }) => {
    const window = failuresOf('an address over all apps', { limit: 3, length: 1_000 });
    const own = failuresOf('an address of one app');
    assert.equal(await takeWindow(store, null, window, NOW), { taken: true, endsAt: NOW + 1_000 });
    await takeWindow(store, FIRST, own, NOW);
    for (const id of [FIRST, SECOND]) assert.is(await store.deleteApp(id, NOW), true);
    assert.is(await store.peekWindow(own.key, NOW), null);
    assert.equal(await store.peekWindow(window.key, NOW), { count: 1, endsAt: NOW + 1_000 });
    for (const taken of [true, true, false])
      assert.equal(await takeWindow(store, null, window, NOW + 9), { taken, endsAt: NOW + 1_000 });
    assert.is(await store.prune('expired', NOW + 1_000, 1_000), 1);
    assert.is(await count(db, 'windows'), 0);
  });

  check(
    'a window of no app is opened where there is none, and refused ones change nothing',
    async ({ db, store }) => {
      const window = failuresOf('an address over all apps', { limit: 1 });
      for (const id of [FIRST, SECOND]) await store.deleteApp(id, NOW);
      assert.is((await takeWindow(store, null, window, NOW)).taken, true);
      const before = await everything(db);
      assert.is((await takeWindow(store, null, window, NOW + 1)).taken, false);
      assert.is((await takeWindow(store, null, failuresOf('other', { limit: 0 }), NOW)).taken, false);
      assert.equal(await everything(db), before);
      assert.is((await tried(store, null, 'any', { lockout: wide() })) === 'signed_in', false);
    },
  );
}
