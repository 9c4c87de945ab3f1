/** Tier 1, enrolment and sign-in one call at a time: outcomes, what each of them counts, and whose data it touches. */
import * as assert from 'uvu/assert';
import { DAY } from '../../src/protocol/limits.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, eventsIn } from './engine.ts';
import {
  authsOf,
  challenges,
  deleteUser,
  enrolled,
  enrolment,
  failedMatch,
  LIVE,
  MONTH,
  NOW,
  OTHER,
  signIn,
  TEST,
  UNLIMITED,
} from './fixtures.ts';

export function signingIn(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a challenge that was used is not open, whichever handle used it, and how', async ({ db, store }) => {
    const { number } = await enrolled(store);
    for (const by of [store, await db.open()]) {
      const [a, b, c] = (await challenges(store, 3)) as [string, string, string];
      await by.consumeChallenge(a, LIVE, NOW);
      await by.recordSignIn(signIn(number, b));
      await by.recordFailedMatch(failedMatch({ challengeId: c }));
      for (const id of [a, b, c]) assert.is(await store.challengeIsOpen(id, LIVE, NOW), false, id);
    }
    const [swept] = (await challenges(store, 1)) as [string];
    await store.prune('challenges', NOW + DAY, 1_000);
    assert.is(await store.challengeIsOpen(swept, LIVE, NOW), false, 'the clock went back after the deletion');
    const [late] = (await challenges(store, 1)) as [string];
    await (await db.open()).deleteApp(LIVE.appId, NOW);
    assert.is(await store.challengeIsOpen(late, LIVE, NOW), false, 'its app was deleted');
  });

  check('challenges past their end are deleted and counted, others stay', async ({ store }) => {
    for (const [id, expiresAt] of [
      ['ch_1', NOW - 1],
      ['ch_2', NOW],
      ['ch_3', NOW + 1],
    ] as const)
      await store.addChallenge({ id, gallery: LIVE, expiresAt });
    assert.is(await store.prune('challenges', NOW, 1_000), 2);
    assert.is(await store.prune('challenges', NOW, 1_000), 0);
    assert.is(await store.consumeChallenge('ch_3', LIVE, NOW), true);
  });

  check('test users: full comes before a taken address, and room returns', async ({ store }) => {
    const { user } = await enrolled(store, { gallery: TEST, email: 'ana@example.com' });
    await enrolled(store, { gallery: LIVE });
    await enrolled(store, { gallery: TEST });
    const next = (maximumUsers: number | null, email = 'new@example.com') =>
      store.enrol(enrolment({ gallery: TEST, email, maximumUsers, sequence: 4 }));
    assert.is(await store.enrolBlocker(TEST, 'ana@example.com', 2), 'test_users_full');
    assert.is(await store.enrolBlocker(TEST, 'ana@example.com', 3), 'email_taken');
    assert.is(await store.enrolBlocker(TEST, 'new@example.com', 3), null);
    assert.is((await next(2, 'ana@example.com')).outcome, 'test_users_full');
    assert.is((await next(2)).outcome, 'test_users_full');
    assert.is((await next(0)).outcome, 'test_users_full');
    await deleteUser(store, TEST, user.id, NOW);
    assert.is(
      (await store.enrol(enrolment({ gallery: TEST, maximumUsers: 2, sequence: 6 }))).outcome,
      'enrolled',
    );
  });

  check(
    'an enrolment against an old sequence is stale, and one against a coming one too',
    async ({ store }) => {
      await enrolled(store);
      for (const sequence of [0, 1, 3])
        assert.is((await store.enrol(enrolment({ sequence }))).outcome, 'stale');
      assert.is((await store.enrol(enrolment({ gallery: TEST, sequence: 2 }))).outcome, 'stale');
      assert.is((await store.enrol(enrolment({ sequence: 2 }))).outcome, 'enrolled');
    },
  );

  check(
    'a sign-in of a user that is gone, or another gallery’s, leaves its challenge good',
    async ({ store }) => {
      const { user, number } = await enrolled(store);
      await enrolled(store, { gallery: OTHER });
      const elsewhere = await enrolled(store, { gallery: OTHER });
      const [id = ''] = await challenges(store, 1);
      await deleteUser(store, LIVE, user.id, NOW);
      for (const gone of [number, elsewhere.number, 99])
        assert.is((await store.recordSignIn(signIn(gone, id))).outcome, 'user_gone');
      assert.is(await authsOf(store), 1);
      assert.is(await store.consumeChallenge(id, LIVE, NOW), true);
    },
  );

  check(
    'failed matches: the auth, then the window, then the failure and the lockout',
    async ({ db, store }) => {
      const { user, number } = await enrolled(store);
      const ids = await challenges(store, 5);
      const failures = { key: 'failures', limit: 2, length: 1_000 };
      const lockout = { key: 'lockout', limit: 100, length: 1_000 };
      const fail = (i: number, at = NOW) =>
        store.recordFailedMatch(
          failedMatch({
            challengeId: ids[i] ?? null,
            failures: [failures],
            lockout,
            nearUser: number,
            at,
          }),
        );
      assert.equal(await fail(0), { outcome: 'recorded' });
      assert.equal(await fail(1), { outcome: 'recorded' });
      assert.equal(await fail(2, NOW + 999), { outcome: 'window_full', endsAt: NOW + 1_000 });
      assert.is(await store.consumeChallenge(ids[2] ?? '', LIVE, NOW), false, 'used although refused');
      assert.equal(await store.peekWindow('lockout', NOW), { count: 2, endsAt: NOW + 1_000 });
      assert.equal(await usage(db), [{ auths: 4, enrolls: 1, matches_ok: 0, matches_failed: 2 }]);
      assert.equal(await fail(3, NOW + 1_000), { outcome: 'recorded' }, 'the next window');
      assert.is(await count(db, 'auth_events', `type = 'match_failed' AND user_id = '${user.id}'`), 4);
    },
  );

  check('the first event of an app can be read, though nothing else was counted', async ({ store }) => {
    const failures = [{ key: 'none', limit: 0, length: 1_000 }];
    assert.is((await store.recordFailedMatch(failedMatch({ failures }))).outcome, 'window_full');
    assert.is((await eventsIn(store, 'match_failed'))[0]?.ip, failedMatch({}).origin.ip);
  });

  check(
    'a failure near somebody who is gone, or in another gallery, locks nobody out',
    async ({ db, store }) => {
      const elsewhere = await enrolled(store, { gallery: OTHER });
      const lockout = { key: 'lockout', limit: 100, length: 1_000 };
      for (const nearUser of [99, elsewhere.number])
        await store.recordFailedMatch(failedMatch({ nearUser, lockout }));
      assert.is(await store.peekWindow('lockout', NOW), null);
      assert.is(await count(db, 'auth_events', `type = 'match_failed' AND user_id IS NULL`), 2);
    },
  );

  check('the plan: refused with what is used, month by month and gallery by gallery', async ({ store }) => {
    const { user, number } = await enrolled(store);
    const [a = '', b = ''] = await challenges(store, 2);
    const auth = { month: MONTH, limit: 1 };
    assert.equal(await store.recordSignIn(signIn(number, a, { auth })), { outcome: 'plan_limit', used: 1 });
    assert.is(await store.consumeChallenge(a, LIVE, NOW), false, 'used although refused');
    assert.is((await store.findUser(LIVE, { id: user.id }))?.lastSignInAt, null);
    assert.equal(await store.recordFailedMatch(failedMatch({ auth })), { outcome: 'plan_limit', used: 1 });
    assert.equal(await store.enrol(enrolment({ auth, sequence: 2 })), { outcome: 'plan_limit', used: 1 });
    const none = { month: '2026-05', limit: 0 };
    assert.equal(await store.enrol(enrolment({ auth: none, sequence: 2 })), {
      outcome: 'plan_limit',
      used: 0,
    });
    const april = { month: '2026-04', limit: 1 };
    assert.is((await store.recordSignIn(signIn(number, b, { auth: april }))).outcome, 'signed_in');
    assert.is((await store.enrol(enrolment({ gallery: OTHER, auth }))).outcome, 'enrolled');
    assert.is((await store.enrol(enrolment({ gallery: TEST, auth: UNLIMITED }))).outcome, 'enrolled');
    const used = (gallery: typeof LIVE, month: string) => authsOf(store, gallery, month);
    assert.equal(
      [await used(LIVE, MONTH), await used(LIVE, '2026-04'), await used(LIVE, '2026-05')],
      [1, 1, 0],
    );
    assert.equal([await used(OTHER, MONTH), await used(TEST, MONTH)], [1, 1]);
  });
}

function usage(db: { rows(sql: string): Promise<unknown[]> }): Promise<unknown[]> {
  return db.rows(
    `SELECT auths, enrolls, matches_ok, matches_failed FROM usage WHERE app_id = '${LIVE.appId}' AND mode = 'live'`,
  );
}
