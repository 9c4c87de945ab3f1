/** Tier 1, changes of address: pending beside the old one, applied by a right code, with failures following it. */
import * as assert from 'uvu/assert';
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
import {
  authsOf,
  deleteUser,
  enrolled,
  FIRST,
  GALLERIES,
  LIVE,
  NOW,
  OTHER,
  TEST,
  takeWindow,
} from './fixtures.ts';

const NEW = 'New@Example.com';

export function emailChanges(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a pending change leaves the address as it is', async ({ store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    assert.is(await store.putCode(newChange(user.id, NEW)), 'stored');
    assert.is((await store.findUser(LIVE, { id: user.id }))?.email, 'ana@example.com');
    assert.is(await store.findUser(LIVE, { email: NEW }), null);
    assert.is(await store.enrolBlocker(LIVE, NEW, null), null, 'the address is free for others');
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

  check('the own address in another spelling is not taken', async ({ store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    const change = newChange(user.id, 'ANA@Example.com');
    assert.is(await store.putCode(change), 'stored');
    assert.is(await confirmed(store, user.id, change.hash), 'applied');
    assert.is((await store.findUser(LIVE, { email: 'ana@example.com' }))?.email, 'ANA@Example.com');
  });

  check('an address that another user of the gallery has is refused', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const pending = newChange(user.id, 'free@example.com');
    await store.putCode(pending);
    await enrolled(store, { email: 'taken@example.com' });
    const before = await everything(db);
    for (const email of ['taken@example.com', 'TAKEN@Example.com'])
      assert.is(await store.putCode(newChange(user.id, email)), 'email_taken');
    assert.equal(await everything(db), before, 'the older change is still pending');
    for (const gallery of GALLERIES.slice(1)) {
      await enrolled(store, { gallery, email: 'elsewhere@example.com' });
      assert.is(await store.putCode(newChange(user.id, 'elsewhere@example.com')), 'stored');
    }
    assert.is(await confirmed(store, user.id, pending.hash), 'wrong', 'a newer one took its place');
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

  check('a wrong code counts, with a change pending and without', async ({ db, store }) => {
    const { user } = await enrolled(store);
    assert.is(await confirmed(store, user.id, 'wrong'), 'wrong');
    const change = newChange(user.id, NEW);
    await store.putCode(change);
    assert.is(await confirmed(store, user.id, 'wrong'), 'wrong');
    assert.is((await store.peekWindow(failuresOf('ana').key, NOW + 1))?.count, 2);
    assert.is(await count(db, 'auth_events', `type = 'email_change_failed' AND user_id = '${user.id}'`), 2);
    assert.is(await authsOf(store), 1);
  });

  check('the fifth wrong code ends the change, the fourth does not', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const change = newChange(user.id, NEW);
    for (const wrong of [5, 4]) {
      await store.putCode(change);
      for (let i = 0; i < wrong; i++)
        assert.is(await confirmed(store, user.id, `wrong ${i}`, { lockout: wide() }), 'wrong');
      const expected = wrong === 4 ? 'applied' : 'wrong';
      assert.is(await confirmed(store, user.id, change.hash, { lockout: wide() }), expected, `${wrong}`);
      assert.is(await count(db, 'email_codes'), 0);
    }
  });

  check('a full window counts no further and refuses no change', async ({ store }) => {
    const { user } = await enrolled(store);
    const change = newChange(user.id, NEW);
    await store.putCode(change);
    const lockout = failuresOf('ana', { limit: 2 });
    for (let i = 0; i < 4; i++)
      assert.is(await confirmed(store, user.id, 'wrong', { lockout, at: NOW }), 'wrong');
    assert.equal(await store.peekWindow(lockout.key, NOW), { count: 2, endsAt: NOW + WINDOW });
    assert.is(await confirmed(store, user.id, change.hash, { lockout, at: NOW }), 'applied');
  });

  check('a change is good until its end, and not at it', async ({ store }) => {
    const { user } = await enrolled(store);
    for (const [at, expected] of [
      [NOW + LIFETIME, 'wrong'],
      [NOW + LIFETIME - 1, 'applied'],
    ] as const) {
      const change = newChange(user.id, NEW);
      await store.putCode(change);
      assert.is(await confirmed(store, user.id, change.hash, { at }), expected);
    }
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

  check('a change applied in one gallery leaves the others as they are', async ({ db, store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    for (const gallery of [TEST, OTHER]) {
      const twin = await enrolled(store, { gallery, email: 'ana@example.com' });
      await store.putCode(newCode(twin.user.id, { gallery }));
    }
    const rows = () => db.rows(`SELECT * FROM users WHERE id <> '${user.id}' ORDER BY id`);
    const before = await rows();
    const change = newChange(user.id, NEW);
    await store.putCode(change);
    assert.is(await confirmed(store, user.id, change.hash), 'applied');
    assert.equal(await rows(), before);
    assert.is(await count(db, 'email_codes'), 2);
  });
}
