/** Tier 3, codes under bursts: over two handles that know nothing of each other, one sign-in and five guesses. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import {
  attempt,
  confirmed,
  failuresOf,
  newChange,
  newCode,
  overTwoHandles,
  tried,
  wide,
} from './code-fixtures.ts';
import { contractOn, count, type Engine, tally } from './engine.ts';
import { authsOf, deleteUser, enrolled, LIVE, NOW } from './fixtures.ts';

export function codeBursts(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('one code used 200 times at once: one sign-in, and never more than five misses', async given => {
    const { db, store } = given;
    for (let round = 0; round < 5; round++) {
      const { user } = await enrolled(store);
      const code = newCode(user.id);
      await store.putCode(code);
      const lockout = failuresOf(`round ${round}`);
      const use = await overTwoHandles(given, 200, handle => tried(handle, user.id, code.hash, { lockout }));
      assert.equal(tally(use), { signed_in: 1, wrong: 5, locked: 194 });
    }
    assert.is(await authsOf(store), 10, 'five enrolled, five signed in');
    assert.is(await count(db, 'auth_events', `type = 'email_code'`), 5);
    assert.is(await count(db, 'auth_events', `type = 'email_code_failed'`), 25);
  });

  check('200 wrong codes at once: five are looked at, of a user and of nobody', async given => {
    const { store } = given;
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await store.putCode(code);
    for (const userId of [user.id, null]) {
      const lockout = failuresOf(String(userId));
      const use = await overTwoHandles(given, 200, (handle, i) => tried(handle, userId, `${i}`, { lockout }));
      assert.equal(tally(use), { wrong: 5, locked: 195 });
      assert.is((await store.peekWindow(lockout.key, NOW + 1))?.count, 5);
    }
    assert.is(await tried(store, user.id, code.hash, { lockout: wide('new') }), 'wrong', 'the code is dead');
  });

  check('200 wrong codes, while new ones are asked for, are five all the same', async given => {
    const { store } = given;
    const { user } = await enrolled(store);
    const lockout = failuresOf('ana');
    const outcomes = await overTwoHandles(given, 300, async (handle, i) => {
      if (i % 3 > 0) return tried(handle, user.id, `wrong ${i}`, { lockout });
      return handle.putCode(newCode(user.id));
    });
    assert.equal(tally(outcomes), { wrong: 5, locked: 195, stored: 100 });
  });

  check('a code whose user has no lockout dies of five wrong ones among 200', async given => {
    const { user } = await enrolled(given.store);
    const code = newCode(user.id);
    await given.store.putCode(code);
    const outcomes = await overTwoHandles(given, 200, (handle, i) =>
      tried(handle, user.id, i < 5 ? `wrong ${i}` : code.hash, { lockout: wide() }),
    );
    const signedIn = tally(outcomes).signed_in ?? 0;
    assert.ok(signedIn <= 1, `${signedIn} sign-ins`);
    assert.is(await count(given.db, 'email_codes'), 0);
  });

  check('many new codes at once leave one pending', async given => {
    const { user } = await enrolled(given.store);
    const made = Array.from({ length: 100 }, () => newCode(user.id));
    await overTwoHandles(given, 100, (handle, i) => handle.putCode(made[i] ?? newCode(user.id)));
    const left = await given.db.rows<{ id: string; hash: string }>('SELECT id, hash FROM email_codes');
    assert.is(left.length, 1);
    for (const { hash } of made.filter(({ id }) => id !== left[0]?.id))
      assert.is(await tried(given.store, user.id, hash, { lockout: wide() }), 'wrong');
  });

  check('one change confirmed 200 times at once is applied once', async given => {
    const { user } = await enrolled(given.store, { email: 'ana@example.com' });
    const change = newChange(user.id, 'new@example.com');
    await given.store.putCode(change);
    const outcomes = await overTwoHandles(given, 200, handle =>
      handle.confirmEmailChange({ ...attempt(change.hash), userId: user.id }),
    );
    assert.equal(tally(outcomes), { applied: 1, wrong: 199 });
    assert.is(await count(given.db, 'auth_events', `type = 'email_changed'`), 1);
  });

  check('one address wanted by many at once goes to one of them', async given => {
    const { store, db } = given;
    const people: { userId: string; hash: string }[] = [];
    for (let i = 0; i < 40; i++) {
      const { user } = await enrolled(store);
      const change = newChange(user.id, i % 2 ? 'one@example.com' : 'ONE@example.com');
      assert.is(await store.putCode(change), 'stored');
      people.push({ userId: user.id, hash: change.hash });
    }
    const outcomes = await overTwoHandles(given, 40, (handle, i) => {
      const { userId = '', hash = '' } = people[i] ?? {};
      return confirmed(handle, userId, hash, { lockout: failuresOf(userId) });
    });
    assert.equal(tally(outcomes), { applied: 1, email_taken: 39 });
    const emails = (await store.listUsers(LIVE, null, 100)).map(({ user: { email } }) => email.toLowerCase());
    assert.is(emails.filter(email => email === 'one@example.com').length, 1);
    assert.is(await count(db, 'email_codes'), 39);
  });

  check('an erasure amid codes and changes leaves nothing of the user', async given => {
    const { db, store } = given;
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await overTwoHandles(given, 90, async (handle, i): Promise<unknown> => {
      if (i === 45) return deleteUser(handle, LIVE, user.id, NOW);
      if (i % 4 === 0) return handle.putCode(code);
      if (i % 4 === 1) return handle.putCode(newChange(user.id, `to${i}@example.com`));
      if (i % 4 === 2) return tried(handle, user.id, code.hash, { lockout: wide() });
      return confirmed(handle, user.id, 'wrong', { lockout: wide() });
    });
    assert.equal([await count(db, 'users'), await count(db, 'email_codes')], [0, 0]);
    assert.is(await count(db, 'auth_events', `user_id = '${user.id}'`), 0);
    assert.is(await db.check(), 'ok');
  });
}
