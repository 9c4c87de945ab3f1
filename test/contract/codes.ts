/**
 * Tier 1, codes to sign in and codes of changes of address: who has one, what a right one of a change does, and when they
 * go. What single calls answer is held over HTTP.
 */
import * as assert from 'uvu/assert';
import { seeded } from '../support/random.ts';
import type { Suite } from '../support/suite.ts';
import {
  attempt,
  confirmed,
  failuresOf,
  LIFETIME,
  newChange,
  newCode,
  tried,
  WINDOW,
  wide,
} from './code-fixtures.ts';
import { contractOn, count, type Engine, everything } from './engine.ts';
import { deleteUser, enrolled, FIRST, GALLERIES, LIVE, NOW, SECOND, takeWindow } from './fixtures.ts';

const NEW = 'New@Example.com';

export function codes(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  check('a code is stored for a user of the gallery; for nobody else nothing is', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const before = await everything(db);
    assert.is(await store.putCode(newCode('usr_none')), 'user_gone');
    for (const gallery of GALLERIES.slice(1))
      assert.is(await store.putCode(newCode(user.id, { gallery })), 'user_gone');
    assert.equal(await everything(db), before);
    assert.is(await store.putCode(newCode(user.id)), 'stored');
    assert.is(await count(db, 'email_codes'), 1);
    const { email_codes: _, ...rest } = await everything(db);
    const { email_codes: __, ...restBefore } = before;
    assert.equal(rest, restBefore, 'nothing else');
  });

  check('retiring takes that code alone, of either kind', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const [older, newer, change] = [
      newCode(user.id),
      newCode(user.id),
      newChange(user.id, 'new@example.com'),
    ];
    await store.putCode(older);
    await store.putCode(newer);
    await store.putCode(change);
    const before = await everything(db);
    await store.retireCode(older.id);
    await store.retireCode('code_none');
    assert.equal(await everything(db), before, 'a newer one stays');
    await store.retireCode(change.id);
    assert.equal(await db.rows('SELECT id FROM email_codes'), [{ id: newer.id }]);
    await store.retireCode(newer.id);
    assert.is(await count(db, 'email_codes'), 0);
    assert.is(await tried(store, user.id, newer.hash), 'wrong');
  });

  check('nothing is left of a code that is tried when its app is erased', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await store.putCode(code);
    await store.deleteApp(FIRST, NOW);
    const before = await everything(db);
    assert.is(await store.putCode(newCode(user.id)), 'user_gone');
    assert.is(await store.putCode(newChange(user.id, 'new@example.com')), 'user_gone');
    for (const userId of [user.id, null])
      assert.is(await tried(store, userId, code.hash), 'app_gone', String(userId));
    assert.equal(await everything(db), before, 'no event with an address, no window');
  });

  check('a right code makes the new address the user’s, verified', async ({ db, store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    const [code, change] = [newCode(user.id), newChange(user.id, NEW)];
    await store.putCode(code);
    await store.putCode(change);
    const usage = await db.rows('SELECT * FROM usage');
    const applied = await store.confirmEmailChange({ ...attempt(change.hash), userId: user.id });
    const now = {
      ...user,
      email: NEW,
      emailVerified: true,
      faceInQuestion: false,
      createdAt: NOW,
      lastSignInAt: null,
    };
    assert.equal(applied, { outcome: 'applied', user: now, before: 'ana@example.com' });
    assert.equal(await store.findUser(LIVE, { id: user.id }), now);
    assert.equal(await store.findUser(LIVE, { email: 'new@example.com' }), now);
    assert.is(await store.findUser(LIVE, { email: 'ana@example.com' }), null);
    assert.is(await store.enrolBlocker(LIVE, 'NEW@example.com', null), 'email_taken');
    assert.is(await store.enrolBlocker(LIVE, 'ana@example.com', null), null, 'the old address is free');
    assert.is(await count(db, 'email_codes'), 0, 'codes to the old address are retired');
    assert.is(await tried(store, user.id, code.hash), 'wrong');
    assert.is(await confirmed(store, user.id, change.hash), 'wrong', 'used');
    assert.equal(await db.rows('SELECT * FROM usage'), usage, 'no auth');
    assert.is(await count(db, 'auth_events', `type = 'email_changed' AND user_id = '${user.id}'`), 1);
  });

  check('codes of others stay when an address changes', async ({ db, store }) => {
    const [ana, ben] = [(await enrolled(store)).user.id, (await enrolled(store)).user.id];
    const change = newChange(ana, NEW);
    await store.putCode(change);
    await store.putCode(newCode(ben));
    await store.putCode(newChange(ben, 'bens@example.com'));
    assert.is(await confirmed(store, ana, change.hash), 'applied');
    assert.is(await count(db, 'email_codes', `user_id = '${ben}'`), 2);
  });

  check('a change of a user who is gone or of another gallery stores nothing', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const before = await everything(db);
    assert.is(await store.putCode(newChange('usr_none', NEW)), 'user_gone');
    for (const gallery of GALLERIES.slice(1)) {
      assert.is(await store.putCode(newChange(user.id, NEW, { gallery })), 'user_gone');
      assert.is(await confirmed(store, user.id, 'any', { gallery }), 'user_gone');
    }
    assert.is(await confirmed(store, 'usr_none', 'any'), 'user_gone');
    assert.equal(await everything(db), before);
  });

  check('an address taken meanwhile is refused, and the change waits', async ({ db, store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    const change = newChange(user.id, NEW);
    await store.putCode(change);
    const rival = await enrolled(store, { email: NEW });
    const before = await everything(db);
    assert.is(await confirmed(store, user.id, change.hash), 'email_taken');
    assert.equal(await everything(db), before);
    await deleteUser(store, LIVE, rival.user.id, NOW);
    assert.is(await confirmed(store, user.id, change.hash), 'applied');
  });

  // Failures of the old address and of the new one, with the moment of the first, and what there is afterwards.
  const merges: [
    name: string,
    old: [number, number],
    fresh: [number, number],
    after: [number, number] | null,
  ][] = [
    ['of both addresses are added up, to the later end', [3, 0], [2, 50], [5, 50 + WINDOW]],
    ['of the old address alone pass to the new one', [3, 10], [0, 0], [3, 10 + WINDOW]],
    ['of the new address alone stay', [0, 0], [2, 20], [2, 20 + WINDOW]],
    ['that are over are not added', [4, -WINDOW], [1, 60], [1, 60 + WINDOW]],
    ['of nobody leave no window', [0, 0], [0, 0], null],
  ];
  for (const [name, old, fresh, after] of merges)
    check(`when an address changes, failures ${name}`, async ({ store }) => {
      const { user } = await enrolled(store);
      const change = newChange(user.id, NEW);
      for (const [whose, [failures, since]] of [
        ['ana', old],
        [NEW, fresh],
      ] as const)
        for (let i = 0; i < failures; i++) await takeWindow(store, FIRST, failuresOf(whose), NOW + since);
      await store.putCode(change);
      assert.is(await confirmed(store, user.id, change.hash, { at: NOW + 100 }), 'applied');
      const state = after && { count: after[0], endsAt: NOW + after[1] };
      assert.equal(await store.peekWindow(failuresOf(NEW).key, NOW + 100), state);
      if (old[1] >= 0)
        assert.is(await store.peekWindow(failuresOf('ana').key, NOW + 100), null, 'counted in one place');
      if (after && after[0] >= 5) {
        const locked = { lockout: failuresOf(NEW), at: NOW + 100 };
        assert.is(await tried(store, user.id, 'any', locked), 'locked', 'the user is not free of them');
      }
    });

  check('failures are not doubled by a change of spelling', async ({ store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    const change = newChange(user.id, 'Ana@Example.com', { lockoutKey: failuresOf('ana').key });
    await store.putCode(change);
    for (let i = 0; i < 2; i++) await confirmed(store, user.id, 'wrong', { at: NOW });
    assert.is(await confirmed(store, user.id, change.hash, { at: NOW }), 'applied');
    assert.equal(await store.peekWindow(failuresOf('ana').key, NOW), { count: 2, endsAt: NOW + WINDOW });
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
    const first = await enrolled(store);
    assert.is(await store.putCode(newCode(first.user.id)), 'stored');
    assert.is(await store.putCode(newChange(first.user.id, NEW)), 'stored');
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
