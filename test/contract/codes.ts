/** Tier 1, codes to sign in: which is pending, what a right and a wrong one do, and who is told nothing. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { failuresOf, LIFETIME, newChange, newCode, tried, WINDOW, wide } from './code-fixtures.ts';
import { contractOn, count, type Engine, eventsIn, everything } from './engine.ts';
import { authsOf, enrolled, FIRST, GALLERIES, LIVE, MONTH, NOW, OTHER, TEST } from './fixtures.ts';

export function codes(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a user is found by address without regard to case, in the own gallery', async ({ store }) => {
    const { user } = await enrolled(store, { email: 'Ana.B@Example.com' });
    for (const email of ['Ana.B@Example.com', 'ana.b@example.com', 'ANA.B@EXAMPLE.COM'])
      assert.equal(await store.findUser(LIVE, { email }), await store.findUser(LIVE, { id: user.id }), email);
    for (const email of ['ana@example.com', 'ana.b@example.co', ''])
      assert.is(await store.findUser(LIVE, { email }), null, email);
    for (const gallery of GALLERIES.slice(1))
      assert.is(await store.findUser(gallery, { email: 'ana.b@example.com' }), null);
  });

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

  check('a right code signs in once: used up, verified, counted, reported', async ({ db, store }) => {
    const { user } = await enrolled(store, { email: 'ana@example.com' });
    const code = newCode(user.id);
    await store.putCode(code);
    const origin = { ip: 'ip-of-code', userAgent: 'agent-of-code', liveness: undefined };
    const lockout = failuresOf('ana');
    const auth = { month: MONTH, limit: 2 };
    const use = () =>
      store.useCode({ gallery: LIVE, userId: user.id, hash: code.hash, at: NOW + 7, lockout, origin, auth });
    const stored = {
      id: user.id,
      email: 'ana@example.com',
      name: user.name,
      createdAt: NOW,
      faceInQuestion: false,
    };
    assert.equal(await use(), {
      outcome: 'signed_in',
      user: { ...stored, emailVerified: true, lastSignInAt: NOW + 7 },
      firstVerification: true,
    });
    assert.equal(await store.findUser(LIVE, { id: user.id }), {
      ...stored,
      emailVerified: true,
      lastSignInAt: NOW + 7,
    });
    assert.is(await count(db, 'email_codes'), 0);
    assert.equal(await store.usageOf(LIVE, MONTH), { auths: 2, enrolls: 1, matchesOk: 0, matchesFailed: 0 });
    const client = { ip: 'ip-of-code', userAgent: 'agent-of-code', liveness: null };
    assert.equal(await eventsIn(store, 'email_code'), [
      { userId: user.id, type: 'email_code', at: NOW + 7, ...client },
    ]);
    assert.is(await store.peekWindow(lockout.key, NOW + 7), null, 'no failure');
    assert.is((await use()).outcome, 'wrong', 'used');
    assert.is(await authsOf(store), 2);
  });

  check('a newer code takes the older one’s place, wrong attempts and all', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const [older, newer] = [newCode(user.id), newCode(user.id)];
    await store.putCode(older);
    for (let i = 0; i < 4; i++) await tried(store, user.id, 'wrong', { lockout: wide() });
    await store.putCode(newer);
    assert.is(await count(db, 'email_codes'), 1);
    assert.is(await tried(store, user.id, older.hash, { lockout: wide() }), 'wrong');
    assert.is(
      await tried(store, user.id, newer.hash, { lockout: wide() }),
      'signed_in',
      'has five of its own',
    );
    assert.is((await store.peekWindow(wide().key, NOW + 1))?.count, 5, 'the user’s failures are not reset');
  });

  check('codes of several users stand side by side, and open nothing for each other', async ({ store }) => {
    const [ana, ben] = [(await enrolled(store)).user.id, (await enrolled(store)).user.id];
    const [first, second] = [newCode(ana), newCode(ben)];
    await store.putCode(first);
    await store.putCode(second);
    assert.is(await tried(store, ana, second.hash), 'wrong');
    assert.is(await tried(store, ana, first.hash), 'signed_in');
    assert.is(await tried(store, ben, second.hash, { lockout: failuresOf('ben') }), 'signed_in');
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

  check('the two kinds of code stand side by side and are no use for each other', async ({ store }) => {
    const { user } = await enrolled(store);
    const [code, change] = [newCode(user.id), newChange(user.id, 'new@example.com')];
    await store.putCode(code);
    await store.putCode(change);
    assert.is(await tried(store, user.id, change.hash), 'wrong');
    assert.is(await tried(store, user.id, code.hash), 'signed_in');
  });

  check('a wrong code counts against user and code, the fifth is the last', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    for (const wrong of [4, 5]) {
      await store.putCode(code);
      for (let i = 0; i < wrong; i++)
        assert.is(await tried(store, user.id, `wrong ${i}`, { lockout: wide() }), 'wrong');
      const expected = wrong === 4 ? 'signed_in' : 'wrong';
      assert.is(await tried(store, user.id, code.hash, { lockout: wide() }), expected, `after ${wrong}`);
      assert.is(await count(db, 'email_codes'), 0);
    }
    assert.is((await store.peekWindow(wide().key, NOW + 1))?.count, 10);
    assert.is(await count(db, 'auth_events', `type = 'email_code_failed' AND user_id = '${user.id}'`), 10);
    assert.is(await authsOf(store), 2, 'the enrolment and the sign-in');
  });

  check('a full window locks out before the code is looked at, until its end', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    const lockout = failuresOf('ana', { limit: 2, length: 1_000 });
    await store.putCode(code);
    for (let i = 0; i < 2; i++) await tried(store, user.id, 'wrong', { lockout, at: NOW });
    const before = await everything(db);
    for (const hash of [code.hash, 'wrong'])
      assert.equal(
        await store.useCode({
          ...{ gallery: LIVE, userId: user.id, hash, at: NOW + 999, lockout },
          origin: { ip: '192.0.2.4', userAgent: '', liveness: undefined },
          auth: { month: MONTH, limit: 0 },
        }),
        { outcome: 'locked', endsAt: NOW + 1_000 },
      );
    assert.equal(await everything(db), before);
    assert.is(await tried(store, user.id, code.hash, { lockout, at: NOW + 1_000 }), 'signed_in');
  });

  check('a right code that the plan refuses is still good', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await store.putCode(code);
    const before = await everything(db);
    for (const [auth, used] of [
      [{ month: MONTH, limit: 1 }, 1],
      [{ month: '2026-05', limit: 0 }, 0],
    ] as const) {
      const use = { gallery: LIVE, userId: user.id, hash: code.hash, at: NOW, lockout: wide(), auth };
      const origin = { ip: '192.0.2.4', userAgent: '', liveness: undefined };
      assert.equal(await store.useCode({ ...use, origin }), { outcome: 'plan_limit', used });
      assert.equal(await everything(db), before);
    }
    assert.is(await tried(store, user.id, 'wrong', { auth: { month: MONTH, limit: 1 } }), 'wrong');
    assert.is(await tried(store, user.id, code.hash), 'signed_in');
  });

  check('a code is good until its end, and not at it', async ({ store }) => {
    const { user } = await enrolled(store);
    for (const [at, expected] of [
      [NOW + LIFETIME, 'wrong'],
      [NOW + LIFETIME + 1, 'wrong'],
      [NOW + LIFETIME - 1, 'signed_in'],
    ] as const) {
      const code = newCode(user.id);
      await store.putCode(code);
      assert.is(await tried(store, user.id, code.hash, { at }), expected, `at ${at - NOW}`);
    }
  });

  check('an address that nobody has is counted and locked out alike', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const known = failuresOf('ana', { length: WINDOW });
    const unknown = failuresOf('nobody', { length: WINDOW });
    for (const [userId, lockout] of [
      [user.id, known],
      [null, unknown],
      ['usr_gone', failuresOf('gone')],
    ] as const) {
      const outcomes: string[] = [];
      for (let i = 0; i < 7; i++)
        outcomes.push(await tried(store, userId, 'wrong', { lockout, at: NOW + i }));
      assert.equal(outcomes, [...Array(5).fill('wrong'), 'locked', 'locked']);
      assert.equal(await store.peekWindow(lockout.key, NOW), { count: 5, endsAt: NOW + WINDOW });
    }
    assert.is(await count(db, 'auth_events', `type = 'email_code_failed' AND user_id IS NULL`), 10);
    assert.is(await authsOf(store), 1);
  });

  check('a code opens nothing in another mode or app, and is not hurt there', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await store.putCode(code);
    for (const gallery of [TEST, OTHER])
      for (let i = 0; i < 6; i++)
        assert.is(await tried(store, user.id, code.hash, { gallery, lockout: wide('elsewhere') }), 'wrong');
    assert.equal(await db.rows('SELECT wrong FROM email_codes'), [{ wrong: 0 }]);
    assert.is(await count(db, 'auth_events', `user_id = '${user.id}' AND type <> 'enroll'`), 0);
    assert.is((await store.findUser(LIVE, { id: user.id }))?.lastSignInAt, null);
    assert.is(await tried(store, user.id, code.hash), 'signed_in');
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
}
