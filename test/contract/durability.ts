/** Tier 4, durability: acknowledged writes outlive the handle, a killed process and other processes beside it. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine, type TestDatabase } from './engine.ts';
import {
  authsOf,
  challenges,
  enrolled,
  FIRST,
  LIVE,
  NOW,
  signIn,
  signingKey,
  signOut,
  takeWindow,
} from './fixtures.ts';
import { withOthers } from './processes.ts';

export function durability(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check(
    'everything outlives closing and opening: users, windows, challenges, usage, keys',
    async ({ db, store }) => {
      const { user, number } = await enrolled(store);
      const [used = '', unused = ''] = await challenges(store, 2);
      await store.recordSignIn(signIn(number, used));
      await takeWindow(store, FIRST, { key: 'w', limit: 2, length: 1_000 }, NOW);
      await store.addSigningKey(signingKey('one'), null);
      await signOut(store, 'jti_1', NOW);
      await store.close();
      const again = await db.open();
      assert.is((await again.findUser(LIVE, { id: user.id }))?.lastSignInAt, NOW + 1);
      assert.is((await again.galleryChanges(LIVE, 0, 10)).added.count, 2);
      assert.is(await again.consumeChallenge(used, LIVE, NOW), false);
      assert.is(await again.consumeChallenge(unused, LIVE, NOW), true);
      assert.equal(await again.peekWindow('w', NOW), { count: 1, endsAt: NOW + 1_000 });
      assert.is(await authsOf(again), 2);
      assert.ok(await again.openSigningKey('one'));
      assert.is(
        await again.tokenStanding(LIVE, { jti: 'jti_1', sub: user.id, iat: 0, email_verified: false }),
        'revoked',
      );
    },
  );

  check(
    'killed in the middle of writing: nothing acknowledged is lost, nothing is half there',
    async ({ db }) => {
      const acknowledged: string[] = [];
      for (let cycle = 0; cycle < 3; cycle++) {
        await withOthers([[db.address, 'append', `c${cycle}`]], async writer => {
          writer?.tell();
          await writer?.line(20 + cycle * 15);
          await writer?.kill();
          acknowledged.push(...(writer?.lines.slice(1) ?? []));
        });
        await intact(db, acknowledged);
      }
      assert.ok(acknowledged.length >= 100, `${acknowledged.length} writes were acknowledged`);
    },
  );

  check(
    'processes that write at the same time: every limit is one limit, every challenge one use',
    async ({ db, store }) => {
      const ids = await challenges(store, 40);
      const tasks = [
        [db.address, 'take', 'w', '50', '200'],
        [db.address, 'consume', ...ids],
        [db.address, 'keys', 'child', '5', '20'],
      ];
      await withOthers(tasks, async (taker, consumer, maker) => {
        for (const other of [taker, consumer, maker]) other?.tell();
        const window = { key: 'w', limit: 50, length: 1_000_000 };
        const own = Promise.all(Array.from({ length: 200 }, () => takeWindow(store, FIRST, window, NOW)));
        const consumed = await Promise.all(ids.map(id => store.consumeChallenge(id, LIVE, NOW)));
        const taken = (await own).filter(answer => answer.taken).length;
        assert.is(taken + Number(await taker?.result()), 50);
        const theirs = ((await consumer?.result()) ?? '').split(' ').filter(id => id !== '');
        assert.is(consumed.filter(Boolean).length + theirs.length, 40);
        for (const id of theirs) assert.is(consumed[ids.indexOf(id)], false, id);
        assert.is(await maker?.result(), '5');
      });
    },
  );

  check(
    'processes that enrol at the same time make one gallery, without gaps or orphans',
    async ({ db, store }) => {
      const tasks = ['a', 'b'].map(name => [db.address, 'enrol', name, '15']);
      await withOthers(tasks, async (...two) => {
        for (const other of two) other.tell();
        for (const other of two) assert.is(await other.result(), 'done');
      });
      assert.is((await store.galleryState(LIVE)).sequence, 60);
      const { added, to } = await store.galleryChanges(LIVE, 0, 100);
      assert.equal([added.count, to], [60, 60]);
      assert.equal([await count(db, 'users'), await count(db, 'consents')], [30, 30]);
      assert.is(await authsOf(store), 30);
    },
  );
}

/** Opens the database as after a crash, and looks for every write that was acknowledged. */
async function intact(db: TestDatabase, acknowledged: readonly string[]): Promise<void> {
  const store = await db.open();
  await store.ping();
  for (const line of acknowledged) {
    const [lane, id] = line.split(' ');
    if (lane === '0') assert.ok(await store.findUser(LIVE, { id: `usr_${id}` }), line);
    if (lane === '1')
      assert.is(
        await store.tokenStanding(LIVE, { jti: `jti_${id}`, sub: '', iat: 0, email_verified: false }),
        'revoked',
        line,
      );
    if (lane === '2') assert.is((await store.peekWindow(`w_${id}`, NOW))?.count, 1, line);
    if (lane === '3') assert.ok(await store.findApp(`app_${id}`), line);
    if (lane === '4') assert.is(await store.consumeChallenge(`ch_${id}`, LIVE, NOW), false, line);
  }
  const users = await count(db, 'users');
  assert.equal(
    [await count(db, 'consents'), await count(db, 'auth_events'), await authsOf(store)],
    [users, users, users],
  );
  assert.is(await count(db, 'templates'), users * 2);
  assert.is((await store.galleryState(LIVE)).sequence, users * 2);
  assert.is(await db.check(), 'ok');
  await store.close();
}
