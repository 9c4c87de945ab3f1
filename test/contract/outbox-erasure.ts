/** Tiers 3 and 4, the outbox: of who was erased, and of an app that is gone, nothing is left in it but the deletion. */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { newCode, tried } from './code-fixtures.ts';
import { contractOn, count, type Engine, type TestDatabase } from './engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  FIRST,
  failedMatch,
  GALLERIES,
  LIVE,
  MONTH,
  NOW,
  SECOND,
  signIn,
  signOut,
} from './fixtures.ts';
import type { Person } from './told-verbs.ts';

const ALL = 1_000;
const newest = async (store: Store) => (await store.outboxState(LIVE)).newest;

export function outboxErasure(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  check('of who is erased only the deletion is told, and their id stands in no row', async given => {
    const { db, store } = given;
    const kept = await enrolled(store, { id: 'usr_kept' });
    const gone = await somebody(given, 'gone');
    await deleteUser(store, LIVE, gone.id, NOW + 5);
    const events = await store.outboxEvents(LIVE, 0, ALL);
    assert.equal(
      events.map(({ type, data }) => [type, data.user_id]),
      [
        ['user.enrolled', kept.user.id],
        ['user.deleted', gone.id],
      ],
    );
    assert.is(await signOut(store, 'jti_late', NOW + 9_000, gone.id), true);
    assert.is(await newest(store), events[1]?.seq, 'a sign-out that comes later is told nobody');
    assert.not.ok(JSON.stringify(await db.rows('SELECT * FROM outbox')).includes(`"${gone.id}"`));
    await store.prune('outbox', NOW + 6, 10);
    assert.is(await count(db, 'outbox'), 0);
  });

  wiped('nor any byte of what was told of them', async given => {
    const { db, store } = given;
    const { id, markers } = await somebody(given, 'gone');
    const before = await db.bytes();
    assert.ok(markers.length > 10 && markers.every(marker => before.includes(marker)), 'found before');
    await deleteUser(store, LIVE, id, NOW + 5);
    const bytes = await db.bytes();
    assert.equal(
      markers.filter(marker => bytes.includes(marker)),
      [],
    );
  });

  check('erasures, sign-outs and sign-ins at once: after the deletion nothing is told', async given => {
    const { db, store } = given;
    const other = await db.open();
    for (let round = 0; round < 4; round++) {
      const { user, number } = await enrolled(store);
      const ids = await challenges(store, 20, LIVE, `ch_${round}`);
      await Promise.all([
        ...ids.map((id, i) => (i % 2 ? store : other).recordSignIn(signIn(number, id))),
        ...ids.map((_, i) => signOut(i % 2 ? store : other, `jti_${round}_${i}`, NOW + 9_000, user.id)),
        deleteUser(other, LIVE, user.id, NOW + 1),
      ]);
      const [last] = (await store.outboxEvents(LIVE, 0, ALL)).slice(-1);
      assert.equal([last?.type, last?.seq], ['user.deleted', await newest(store)]);
    }
    assert.is(await count(db, 'outbox', 'user_id IS NOT NULL'), 0);
  });

  check(
    'an app that is deleted leaves nothing in the outbox, also of requests that are under way',
    async given => {
      const { db, store } = given;
      const other = await db.open();
      const people: Person[] = [];
      for (const gallery of GALLERIES) people.push(await enrolled(store, { gallery }));
      const ids = await challenges(store, 20);
      const { user, number } = people[0] ?? { user: { id: '' }, number: 0 };
      const late = (handle: Store, i: number) =>
        handle.revokeToken(LIVE, { userId: user.id, jti: `jti_${i}`, expiresAt: NOW + 9_000 }, NOW);
      const auth = { month: MONTH, limit: null };
      const acts = ids.flatMap((id, i) => [
        late(i % 2 ? store : other, i),
        other.recordSignIn(signIn(number, id, { auth })),
      ]);
      await Promise.all([...acts, store.deleteApp(FIRST, NOW)]);
      await late(other, 99);
      await other.recordFailedMatch(failedMatch({ nearUser: number }));
      for (const table of ['outbox', 'outbox_heads'])
        assert.is(await count(db, table, `app_id = '${FIRST}'`), 0, table);
      assert.is(await count(db, 'data_keys', `owner = '${FIRST}'`), 0);
      assert.is(await count(db, 'outbox', `app_id = '${SECOND}'`), 2);
      assert.equal(await store.outboxState(LIVE), { newest: 0, oldest: null });
    },
  );
}

/** Who has done all that is told. */
async function somebody({ db, store }: { db: TestDatabase; store: Store }, name: string) {
  const { user, number } = await enrolled(store, { id: `usr_of_${name}` });
  const [id = ''] = await challenges(store, 1, LIVE, `ch_${name}`);
  await store.recordSignIn(signIn(number, id));
  const code = newCode(user.id);
  await store.putCode(code);
  await tried(store, user.id, code.hash);
  await signOut(store, `jti_${name}`, NOW + 9_000, user.id);
  const rows = await db.rows<{ sealed: Uint8Array }>(
    `SELECT sealed FROM outbox WHERE user_id = '${user.id}'`,
  );
  const markers = rows.flatMap(({ sealed }) => [
    Buffer.from(sealed.subarray(5, 29)),
    Buffer.from(sealed.subarray(-24)),
  ]);
  return { id: user.id, markers: [...markers, Buffer.from(user.id)] };
}
