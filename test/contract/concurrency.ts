/**
 * Tier 3, concurrency: limits are exact and single use is single under bursts, over two handles that know nothing of
 * each other. The same with real processes: processes.ts.
 */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, nextTurn, type TestDatabase, tally } from './engine.ts';
import {
  appRecord,
  authsOf,
  challenges,
  deleteUser,
  enrolled,
  enrolment,
  FIRST,
  failedMatch,
  LIVE,
  NOW,
  newKey,
  signIn,
  signingKey,
  TEST,
  takeWindow,
  UNLIMITED,
} from './fixtures.ts';

/** Calls in turn on the store and on a second handle, all at once. */
export async function burst<Answer>(
  { db, store }: { db: TestDatabase; store: Store },
  size: number,
  call: (store: Store, i: number) => Promise<Answer>,
): Promise<Answer[]> {
  const other = await db.open();
  return Promise.all(Array.from({ length: size }, (_, i) => call(i % 2 ? other : store, i)));
}

export function concurrency(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('one challenge, 200 callers of three verbs: exactly one proceeds', async given => {
    const { db, store } = given;
    const { number } = await enrolled(store);
    const ids = await challenges(store, 5);
    for (const [round, id] of ids.entries()) {
      const outcomes = await burst(given, 200, async (handle, i) => {
        // Each verb is the first one in some round: whoever comes first must not cover for the others.
        const verb = (i + round) % 3;
        if (verb === 0) return (await handle.consumeChallenge(id, LIVE, NOW)) ? 'proceeds' : 'refused';
        const { outcome } =
          verb === 1
            ? await handle.recordSignIn(signIn(number, id))
            : await handle.recordFailedMatch(failedMatch({ challengeId: id }));
        return outcome === 'challenge_invalid' ? 'refused' : 'proceeds';
      });
      assert.equal(tally(outcomes), { proceeds: 1, refused: 199 });
    }
    assert.is(await count(db, 'auth_events'), await authsOf(store));
  });

  check('one address enrolled 200 times at once: one user, and no orphan rows', async given => {
    const { db, store } = given;
    const retrying = async (handle: Store, i: number) => {
      for (;;) {
        const email = i % 3 ? 'ana@example.com' : 'ANA@Example.com';
        const { outcome } = await handle.enrol(
          enrolment({ email, sequence: (await handle.galleryState(LIVE)).sequence }),
        );
        if (outcome !== 'stale') return outcome;
        await nextTurn();
      }
    };
    assert.equal(tally(await burst(given, 200, retrying)), { enrolled: 1, email_taken: 199 });
    const tables = ['users', 'consents', 'auth_events', 'templates'];
    assert.equal(await Promise.all(tables.map(table => count(db, table))), [1, 1, 1, 2]);
    assert.is(await authsOf(store), 1);
  });

  check('test users: never more than the maximum at once', async given => {
    const outcomes = await burst(given, 100, async handle => {
      for (;;) {
        const { sequence } = await handle.galleryState(TEST);
        const { outcome } = await handle.enrol(enrolment({ gallery: TEST, maximumUsers: 10, sequence }));
        if (outcome !== 'stale') return outcome;
        await nextTurn();
      }
    });
    assert.equal(tally(outcomes), { enrolled: 10, test_users_full: 90 });
  });

  check(
    'of many enrolments that searched the same gallery one is stored, the others are stale',
    async given => {
      await enrolled(given.store);
      const outcomes = await burst(given, 100, handle => handle.enrol(enrolment({ sequence: 2 })));
      assert.equal(tally(outcomes), { enrolled: 1, stale: 99 });
      assert.is(await count(given.db, 'users'), 2);
    },
  );

  check('failed matches: ten times the limit at once counts the limit exactly', async given => {
    const failures = { key: 'failures', limit: 10, length: 900_000 };
    const lockout = { key: 'lockout', limit: Number.MAX_SAFE_INTEGER, length: 900_000 };
    const { number } = await enrolled(given.store);
    const fail = (handle: Store) =>
      handle.recordFailedMatch(failedMatch({ failures: [failures], lockout, nearUser: number, at: NOW }));
    const outcomes = await burst(given, 100, fail);
    assert.equal(tally(outcomes), { recorded: 10, window_full: 90 });
    assert.is((await given.store.peekWindow('lockout', NOW))?.count, 10);
    const [row] = await given.db.rows<Record<string, number>>('SELECT * FROM usage');
    assert.equal([row?.auths, row?.matches_failed], [101, 10]);
  });

  check('several windows take an event together or not at all', async given => {
    const small = { appId: null, key: 'small', limit: 5, length: 1_000 };
    const large = { appId: FIRST, key: 'large', limit: 50, length: 2_000 };
    const answers = await burst(given, 60, handle => handle.takeWindows([large, small], NOW));
    assert.is(answers.filter(({ taken }) => taken).length, 5);
    const refused = answers.find(({ taken }) => !taken);
    assert.equal(refused, { taken: false, full: 1, endsAt: NOW + 1_000 });
    assert.is((await given.store.peekWindow('large', NOW))?.count, 5, 'what is refused counts nowhere');
    const next = { ...small, key: 'next', limit: 100 };
    const more = await burst(given, 100, handle => handle.takeWindows([next, large], NOW));
    assert.is(more.filter(({ taken }) => taken).length, 45);
    const both = await given.store.takeWindows([small, large], NOW);
    assert.equal(both, { taken: false, full: 0, endsAt: NOW + 2_000 }, 'the last end of the full ones');
    assert.equal(await given.store.takeWindows([], NOW), { taken: true });
  });

  check('a window takes its limit exactly, again and again', async given => {
    const window = { key: 'w', limit: 20, length: 1_000 };
    // The window of any of the first callers has ended before the next round.
    for (const start of [NOW, NOW + 1_010, NOW + 5_000]) {
      const answers = await burst(given, 200, (handle, i) =>
        takeWindow(handle, FIRST, window, start + (i % 7)),
      );
      assert.is(answers.filter(({ taken }) => taken).length, 20);
      assert.is(new Set(answers.map(({ endsAt }) => endsAt)).size, 1);
    }
  });

  check('keys: a burst stores the maximum exactly', async given => {
    const outcomes = await burst(given, 50, (handle, i) =>
      handle.createKey(newKey(`key_${i}`, { type: i % 3 ? 'secret' : 'publishable' }), 5),
    );
    assert.equal(tally(outcomes), { created: 5, too_many: 45 });
    assert.is((await given.store.listKeys({ appId: FIRST })).length, 5);
  });

  contractOn(test, engine, { apps: false })(
    'the first app and the first signing key: one of many',
    async given => {
      const apps = await burst(given, 20, (handle, i) =>
        handle.createApp(appRecord(`app_${i}`), [newKey(`key_${i}`, { appId: `app_${i}` })]),
      );
      assert.equal(tally(apps), { true: 1, false: 19 });
      assert.equal([await count(given.db, 'apps'), await count(given.db, 'api_keys')], [1, 1]);
      const keys = await burst(given, 20, (handle, i) => handle.addSigningKey(signingKey(`kid_${i}`), null));
      assert.equal(tally(keys), { true: 1, false: 19 });
    },
  );

  check('rotations at once: one of them, and never more than two keys', async given => {
    const { store } = given;
    await store.addSigningKey(signingKey('first'), null);
    const rotate = (revokeOld: boolean) => (handle: Store, i: number) =>
      handle.addSigningKey(signingKey(`${revokeOld}_${i}`), { now: NOW, keep: 1_000, revokeOld });
    assert.equal(tally(await burst(given, 20, rotate(false))), { true: 1, false: 19 });
    assert.is((await store.signingKeys(NOW)).length, 2);
    assert.equal(tally(await burst(given, 10, rotate(true))), { true: 10 });
    assert.is((await store.signingKeys(NOW)).length, 1);
  });

  check('one user, one app, deleted by many: one of them does it', async given => {
    const { user } = await enrolled(given.store);
    assert.equal(tally(await burst(given, 10, handle => deleteUser(handle, LIVE, user.id, NOW))), {
      1: 1,
      0: 9,
    });
    assert.is((await given.store.galleryState(LIVE)).sequence, 4);
    assert.is(await count(given.db, 'auth_events', `type = 'user_deleted'`), 1);
    assert.equal(tally(await burst(given, 10, handle => handle.deleteApp(FIRST, NOW))), {
      true: 1,
      false: 9,
    });
  });

  check('an erasure amid sign-ins and enrolments leaves nothing half done', async given => {
    const { db, store } = given;
    const { user, number } = await enrolled(store);
    const ids = await challenges(store, 60);
    await burst(given, 60, async (handle, i): Promise<unknown> => {
      if (i === 30) return deleteUser(handle, LIVE, user.id, NOW);
      if (i % 5 === 0)
        return handle.enrol(
          enrolment({ sequence: (await handle.galleryState(LIVE)).sequence, auth: UNLIMITED }),
        );
      if (i % 2) return handle.recordSignIn(signIn(number, ids[i] ?? ''));
      return handle.recordFailedMatch(failedMatch({ challengeId: ids[i] ?? '', nearUser: number }));
    });
    assert.is(await count(db, 'auth_events', `user_id = '${user.id}'`), 0);
    const [row] = await db.rows<Record<string, number>>('SELECT * FROM usage');
    assert.is(await count(db, 'auth_events', `type <> 'user_deleted'`), row?.auths as number);
    assert.is((await count(db, 'users')) * 2, await count(db, 'templates'));
    assert.is(await db.check(), 'ok');
  });

  check('one write after another leaves the event loop to others', async ({ store }) => {
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
    }, 10);
    const window = { key: 'w', limit: 1_000_000, length: 1_000 };
    const began = performance.now();
    while (!fired && performance.now() - began < 3_000) await takeWindow(store, FIRST, window, NOW);
    clearTimeout(timer);
    assert.ok(fired, 'no timer ran for three seconds');
  });
}
