/** Tier 2, atomicity: a verb does all that it says or nothing at all, and a failure is nobody else's. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, everything, tally } from './engine.ts';
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
  MONTH,
  NOW,
  newKey,
  OTHER,
  SECOND,
  signIn,
  signingKey,
  signOut,
  TEST,
  takeWindow,
} from './fixtures.ts';

const full = { month: MONTH, limit: 1 };

export function atomicity(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a refused enrolment changes nothing, whatever the reason', async ({ db, store }) => {
    const somebody = await enrolled(store, { email: 'ana@example.com' });
    await enrolled(store, { gallery: TEST });
    const before = await everything(db);
    const gone = { appId: 'app_gone', mode: 'live' } as const;
    const refused = [
      ['email_taken', enrolment({ email: 'ANA@example.com', sequence: 2 })],
      ['stale', enrolment({ sequence: 1 })],
      ['stale', enrolment({ sequence: 3 })],
      ['test_users_full', enrolment({ gallery: TEST, maximumUsers: 1, sequence: 2 })],
      ['plan_limit', enrolment({ auth: full, sequence: 2 })],
      ['plan_limit', enrolment({ auth: { month: '2026-04', limit: 0 }, sequence: 2 })],
      ['app_gone', enrolment({ gallery: gone })],
    ] as const;
    for (const [expected, person] of refused) {
      assert.is((await store.enrol(person)).outcome, expected);
      assert.equal(await everything(db), before, expected);
    }
    const twin = enrolment({ id: somebody.user.id, sequence: 2 });
    const halfway = enrolment({ templates: [...enrolment().templates, ...somebody.templates], sequence: 2 });
    for (const [what, person] of Object.entries({ 'user id': twin, 'template id': halfway })) {
      await store.enrol(person).then(
        () => assert.unreachable(`a ${what} was stored twice`),
        () => undefined,
      );
      assert.equal(await everything(db), before, what);
    }
    assert.is((await store.enrol(enrolment({ sequence: 2 }))).outcome, 'enrolled', 'the way is not barred');
  });

  check('nothing is left of a request whose app was erased under way', async ({ db, store }) => {
    const { user, number } = await enrolled(store);
    const [id = ''] = await challenges(store, 1);
    await store.deleteApp(FIRST, NOW);
    const before = await everything(db);
    const auth = { month: '2026-04', limit: null };
    assert.is((await store.enrol(enrolment({ auth }))).outcome, 'app_gone');
    assert.is((await store.recordSignIn(signIn(number, id, { auth }))).outcome, 'user_gone');
    assert.is((await store.recordFailedMatch(failedMatch({ auth, nearUser: number }))).outcome, 'app_gone');
    assert.is(
      (await store.recordFailedMatch(failedMatch({ auth, challengeId: id }))).outcome,
      'challenge_invalid',
    );
    assert.is(await deleteUser(store, LIVE, user.id, NOW), 0);
    assert.equal(await everything(db), before);
  });

  check('windows and challenges of an erased app are not opened again', async ({ db, store }) => {
    await store.deleteApp(FIRST, NOW);
    const window = { key: `of ${FIRST}`, limit: 5, length: 1_000 };
    assert.is((await takeWindow(store, FIRST, window, NOW)).taken, false);
    assert.is(await store.addChallenge({ id: 'ch_late', gallery: LIVE, expiresAt: NOW + 1_000 }), false);
    const other = { id: 'ch_other', gallery: OTHER, expiresAt: NOW + 1_000 };
    assert.is(await store.addChallenge(other), true, 'another app is not touched');
    assert.is(await store.consumeChallenge('ch_other', OTHER, NOW), true);
    assert.equal([await count(db, 'windows'), await count(db, 'challenges')], [0, 0]);
  });

  check('of windows that are taken together none is counted when one cannot be', async ({ db, store }) => {
    await store.deleteApp(SECOND, NOW);
    const open = { appId: FIRST, key: 'open', limit: 5, length: 1_000 };
    for (const other of [
      { ...open, key: 'shut', limit: 0 },
      { ...open, key: 'gone', appId: SECOND },
    ])
      assert.equal(await store.takeWindows([open, other], NOW), {
        taken: false,
        full: 1,
        endsAt: NOW + 1_000,
      });
    assert.is(await count(db, 'windows'), 0);
  });

  check('a refused sign-in or failure changes nothing but its challenge', async ({ db, store }) => {
    const { number } = await enrolled(store);
    const ids = await challenges(store, 2);
    const without = async () => ({ ...(await everything(db)), challenges: [] });
    const before = await without();
    const attempts = [
      ['challenge_invalid', store.recordSignIn(signIn(number, 'ch_none'))],
      ['plan_limit', store.recordSignIn(signIn(number, ids[0] ?? '', { auth: full }))],
      ['user_gone', store.recordSignIn(signIn(99, ids[1] ?? ''))],
      [
        'challenge_invalid',
        store.recordFailedMatch(failedMatch({ challengeId: 'ch_none', nearUser: number })),
      ],
      ['plan_limit', store.recordFailedMatch(failedMatch({ challengeId: ids[1] ?? '', auth: full }))],
    ] as const;
    for (const [expected, attempt] of attempts) assert.is((await attempt).outcome, expected);
    assert.equal(await without(), before);
    assert.is(await count(db, 'challenges'), 0);
  });

  check('of writes that wait together, one that fails loses only itself', async ({ db, store }) => {
    const somebody = await enrolled(store, { email: 'ana@example.com' });
    const ids = await challenges(store, 20);
    await store.createKey(newKey('key_0'), 5);
    const writes = [
      ...ids.map(id => store.consumeChallenge(id, LIVE, NOW)),
      store.createApp(appRecord(SECOND)), // there already
      store.createApp(appRecord('app_new')),
      store.enrol(enrolment({ id: somebody.user.id, gallery: TEST })), // there already
      store.enrol(enrolment({ sequence: 2 })),
      store.createKey(newKey('key_1'), 5),
      store.createKey(newKey('key_2', { hash: newKey('key_0').hash }), 5), // there already
      store.createKey(newKey('key_3'), 5),
      store.addSigningKey(signingKey('one'), null),
      signOut(store, 'jti_1', NOW + 1),
    ];
    const results = await Promise.allSettled(writes);
    const failed = results.flatMap(({ status }, i) => (status === 'rejected' ? [i - ids.length] : []));
    assert.equal(failed, [0, 2, 5]);
    assert.equal(tally(results.slice(0, 20).map(result => result.status === 'fulfilled' && result.value)), {
      true: 20,
    });
    assert.ok(await store.findApp('app_new'));
    assert.equal(
      [await count(db, 'users'), await count(db, 'consents'), await count(db, 'templates')],
      [2, 2, 4],
    );
    assert.equal(
      (await store.listKeys({ appId: FIRST })).map(({ id }) => id),
      ['key_0', 'key_1', 'key_3'],
    );
    assert.is(
      await store.tokenStanding(LIVE, { jti: 'jti_1', sub: somebody.user.id, iat: 0, email_verified: false }),
      'revoked',
    );
    assert.is(await authsOf(store), 2, 'what ran twice counts once');
  });

  check('a step that runs again calls its function again, and counts once', async ({ db, store }) => {
    const { number } = await enrolled(store);
    const [id = ''] = await challenges(store, 1);
    const matchesOf = (userId: string) => ({ key: `matches of ${userId}`, limit: 5, length: 1_000 });
    const results = await Promise.allSettled([
      store.recordSignIn(signIn(number, id, { matchesOf })),
      store.updateApp(FIRST, ({ name }) => ({ name: `${name}!` })),
      store.createApp(appRecord(SECOND)), // there already: what waited with it may run again
    ]);
    assert.equal(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    assert.equal(await db.rows('SELECT count FROM windows'), [{ count: 1 }]);
    assert.is((await store.findApp(FIRST))?.name, `${appRecord(FIRST).name}!`);
  });

  check('a function that throws undoes its step', async ({ db, store }) => {
    const { number } = await enrolled(store);
    const [id = ''] = await challenges(store, 1);
    const before = await everything(db);
    const fails = () => {
      throw new Error('no window');
    };
    for (const call of [
      () => store.recordSignIn(signIn(number, id, { matchesOf: fails })),
      () => store.updateApp(FIRST, fails),
    ]) {
      const fault = await call().catch(error => error);
      assert.is(fault.message, 'no window');
      assert.equal(await everything(db), before);
    }
    assert.is(await store.consumeChallenge(id, LIVE, NOW), true);
  });

  check('an answer is given when the effect is there for others, not before', async ({ db, store }) => {
    const other = await db.open();
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        await store.createApp(appRecord(`app_${i}`));
        assert.ok(await other.findApp(`app_${i}`), `app_${i}`);
      }),
    );
  });
}
