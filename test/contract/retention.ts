/** Tier 1, what the scheduled jobs ask of the store. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, everything } from './engine.ts';
import {
  deleteUser,
  enrolled,
  FIRST,
  LIVE,
  NOW,
  OTHER,
  signIn,
  signOut,
  TEST,
  takeWindow,
} from './fixtures.ts';

export function retention(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('users of a mode by the moment they enrolled, oldest first, a few at a time', async ({ store }) => {
    for (const [id, at] of [
      ['usr_c', NOW + 2],
      ['usr_a', NOW],
      ['usr_b', NOW + 1],
    ] as const)
      await enrolled(store, { id, at, gallery: TEST });
    await enrolled(store, { id: 'usr_live', at: NOW, gallery: LIVE });
    const ids = async (moment: number, limit: number) =>
      (await store.agedUsers({ enrolled: 'test' }, moment, limit)).map(user => user.id);
    assert.equal(await ids(NOW - 1, 10), []);
    assert.equal(await ids(NOW, 10), ['usr_a']);
    assert.equal(await ids(NOW + 2, 10), ['usr_a', 'usr_b', 'usr_c']);
    assert.equal(await ids(NOW + 2, 2), ['usr_a', 'usr_b']);
    assert.equal(await store.agedUsers({ enrolled: 'live' }, NOW, 1), [{ id: 'usr_live', gallery: LIVE }]);
  });

  check('idle users by their last sign-in, or their enrolment when there was none', async ({ store }) => {
    await enrolled(store, { id: 'usr_never', at: NOW });
    const { number } = await enrolled(store, { id: 'usr_back', at: NOW });
    await store.addChallenge({ id: 'ch_1', gallery: LIVE, expiresAt: NOW + 10_000 });
    const { outcome } = await store.recordSignIn({ ...signIn(number, 'ch_1'), at: NOW + 500 });
    assert.is(outcome, 'signed_in');
    const ids = async (moment: number) =>
      (await store.agedUsers('idle', moment, 10)).map(user => user.id).sort();
    assert.equal(await ids(NOW - 1), []);
    assert.equal(await ids(NOW), ['usr_never']);
    assert.equal(await ids(NOW + 499), ['usr_never']);
    assert.equal(await ids(NOW + 500), ['usr_back', 'usr_never']);
  });

  check(
    'users of several galleries are erased in one step, unknown ones are passed over',
    async ({ db, store }) => {
      const places = [];
      for (const gallery of [LIVE, TEST, OTHER])
        places.push({
          gallery,
          id: (await enrolled(store, { gallery, email: 'Marker@mail.example' })).user.id,
        });
      const stranger = { gallery: LIVE, id: 'usr_unknown' };
      assert.is(await store.deleteUsers([...places, stranger], NOW), 3);
      assert.is(await store.deleteUsers([...places, stranger], NOW), 0);
      for (const table of ['users', 'templates', 'consents']) assert.is(await count(db, table), 0, table);
      assert.is(await count(db, 'auth_events', `type = 'user_deleted'`), 3);
      assert.is((await store.galleryState(LIVE)).sequence, 4, 'two templates came and went');
      assert.not((await db.bytes()).toString('latin1').includes('Marker@mail'));
    },
  );

  check('who signed in after the list of idle users was made is spared', async ({ store }) => {
    const [idle, back] = [await enrolled(store), await enrolled(store)];
    const listed = await store.agedUsers('idle', NOW + 9, 10);
    assert.is(listed.length, 2);
    await store.addChallenge({ id: 'ch_1', gallery: LIVE, expiresAt: NOW + 10_000 });
    await store.recordSignIn({ ...signIn(back.number, 'ch_1'), at: NOW + 10 });
    assert.is(await store.deleteUsers(listed, NOW + 11, { idleSince: NOW + 9 }), 1);
    assert.is(await store.findUser(LIVE, { id: idle.user.id }), null);
    assert.ok(await store.findUser(LIVE, { id: back.user.id }));
  });

  check('what has ended goes a few rows at a time', async ({ db, store }) => {
    for (let i = 0; i < 5; i++) {
      await signOut(store, `jti_${i}`, NOW);
      await takeWindow(store, FIRST, { key: `w${i}`, limit: 1, length: 1 }, NOW - 1);
      await store.addChallenge({ id: `ch_${i}`, gallery: LIVE, expiresAt: NOW });
    }
    assert.is(await store.prune('expired', NOW, 7), 7);
    assert.is(await store.prune('expired', NOW, 7), 3);
    assert.is(await store.prune('challenges', NOW, 3), 3);
    assert.is(await count(db, 'challenges'), 2);
  });

  check('events go from before the moment, the oldest first, and counts stay', async ({ db, store }) => {
    for (const at of [NOW + 2, NOW, NOW + 1]) await enrolled(store, { at });
    assert.is(await store.prune('events', NOW, 10), 0);
    assert.is(await store.prune('events', NOW + 2, 1), 1);
    assert.is(await count(db, 'auth_events', `at = ${NOW}`), 0);
    assert.is(await store.prune('events', NOW + 2, 10), 1);
    assert.is(await count(db, 'auth_events'), 1);
    assert.equal(await db.rows(`SELECT enrolls FROM usage`), [{ enrolls: 3 }]);
  });

  check('revocations and windows go when they have ended by themselves', async ({ db, store }) => {
    await signOut(store, 'jti_1', NOW + 1_000);
    await takeWindow(store, FIRST, { key: 'w', limit: 1, length: 2_000 }, NOW);
    assert.is(await store.prune('expired', NOW + 999, 1_000), 0);
    assert.is(await store.prune('expired', NOW + 1_000, 1_000), 1);
    assert.is(await store.prune('expired', NOW + 2_000, 1_000), 1);
    for (const table of ['revoked_tokens', 'windows']) assert.is(await count(db, table), 0, table);
  });

  check('erasures are forgotten from before the moment, and only those', async ({ store }) => {
    for (const [id, at] of [
      ['usr_a', NOW],
      ['usr_b', NOW + 10],
      ['usr_c', NOW + 20],
    ] as const) {
      await enrolled(store, { id });
      await deleteUser(store, LIVE, id, at);
    }
    assert.is(await store.prune('erasures', NOW, 1), 0);
    assert.is(await store.prune('erasures', NOW + 20, 1), 2);
    assert.is(await store.prune('erasures', NOW + 20, 1), 0);
    assert.is(await store.prune('erasures', NOW + 21, 1), 1);
  });

  check('where no erasure and no import is left to be ended, ending them changes nothing', async given => {
    const { db, store } = given;
    const { user } = await enrolled(store);
    await enrolled(store);
    await deleteUser(store, LIVE, user.id, NOW);
    const before = await everything(db);
    for (let i = 0; i < 2; i++) {
      await store.settleErasures();
      await store.finishErasures();
    }
    assert.is(await store.dropUnfinishedImports(), 0);
    assert.is(await store.dropUnfinishedImports(AbortSignal.abort()), 0);
    assert.equal(await everything(db), before);
    assert.is((await store.listApps()).length, 2);
    assert.is((await store.figures()).unjournaled, 0);
  });

  check('the last run of each job is remembered', async ({ db, store }) => {
    assert.equal(await store.jobRuns(), new Map());
    await store.recordJobRun('events', NOW);
    await store.recordJobRun('tokens', NOW + 1);
    await store.recordJobRun('events', NOW + 2);
    const other = await db.open();
    assert.equal(
      await other.jobRuns(),
      new Map([
        ['events', NOW + 2],
        ['tokens', NOW + 1],
      ]),
    );
  });
}
