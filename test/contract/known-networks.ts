/** Tier 2: failures by network, and the networks from which a user has signed in. */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine } from './engine.ts';
import { deleteUser, enrolled, FIRST, LIVE, NOW, signIn, TOKEN, takeWindow, UNLIMITED } from './fixtures.ts';

const DAY = 86_400_000;
const ORIGIN = { ip: '192.0.2.1', userAgent: 'Browser/1', liveness: undefined };
const SHORT = { key: 'of-ana', limit: 2, length: 100 };
const lockout = (network: string) => ({
  ...SHORT,
  longer: { key: `of-ana:${network}`, limit: 3, length: 10_000 },
});

export function knownNetworks(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  const known = (network: string, at: number) => ({ network, endsAt: at + 30 * DAY });
  async function face(store: Store, number: number, at: number, network: string): Promise<void> {
    const challengeId = `${network}_${at}`;
    await store.addChallenge({ id: challengeId, gallery: LIVE, expiresAt: at + 1_000 });
    const { outcome } = await store.recordSignIn(
      signIn(number, challengeId, { at, networkOf: () => known(network, at) }),
    );
    assert.is(outcome, 'signed_in');
  }
  const code = (store: Store, userId: string | null, hash: string, network: string, at = NOW) =>
    store.useCode({
      ...{ gallery: LIVE, userId, hash, at, origin: ORIGIN, auth: UNLIMITED, lockout: lockout(network) },
      known: known(network, at),
      token: TOKEN,
    });
  const pending = (store: Store, userId: string) =>
    store.putCode({ id: `code_${userId}`, gallery: LIVE, userId, hash: 'right', expiresAt: NOW + 5_000 });

  /** The first code: it forgets the networks of before. */
  async function verified(store: Store) {
    const { user, number } = await enrolled(store);
    await pending(store, user.id);
    assert.is((await code(store, user.id, 'right', 'first')).outcome, 'signed_in');
    return { user, number };
  }

  check(
    'failures of a network lock that network; a right code passes where the user signed in',
    async ({ store }) => {
      const { user, number } = await verified(store);
      await face(store, number, NOW, 'home');
      await pending(store, user.id);
      for (const [n, network] of ['home', 'elsewhere'].entries()) {
        const began = NOW + n * 1_000;
        let at = began;
        for (const outcome of ['wrong', 'wrong', 'locked']) {
          assert.is((await code(store, user.id, 'no', network, at)).outcome, outcome, `${network}, short`);
        }
        at += 100;
        assert.is((await code(store, user.id, 'no', network, at)).outcome, 'wrong', `${network}, the third`);
        at += 100;
        await pending(store, user.id);
        const beyond = await code(store, user.id, 'no', network, at);
        assert.equal(beyond, { outcome: 'locked', endsAt: began + 10_000 }, `${network}, beyond`);
        assert.equal(await code(store, null, 'no', network, at), beyond, 'an unknown address');
      }
      const at = NOW + 1_300;
      assert.is(await store.peekWindow('of-ana', at), null, 'nothing of these counts for all networks');
      assert.is((await code(store, user.id, 'right', 'elsewhere', at)).outcome, 'locked', 'not tried');
      assert.is((await code(store, user.id, 'right', 'third', at)).outcome, 'signed_in', 'another network');
      await pending(store, user.id);
      assert.is((await code(store, user.id, 'right', 'home', at)).outcome, 'signed_in', 'a known one');
    },
  );

  check(
    'from a known network beyond the limit, wrong codes count among those of all networks',
    async ({ store }) => {
      const { user, number } = await enrolled(store);
      await face(store, number, NOW, 'home');
      await takeWindow(store, FIRST, { ...lockout('home').longer, events: 3 }, NOW);
      await pending(store, user.id);
      assert.is((await code(store, user.id, 'no', 'home')).outcome, 'locked');
      assert.is((await code(store, user.id, 'no', 'elsewhere')).outcome, 'wrong');
      for (const network of ['home', 'elsewhere'])
        for (const hash of ['no', 'right'])
          assert.is(
            (await code(store, user.id, hash, network)).outcome,
            'locked',
            `${hash} code, ${network}`,
          );
      assert.equal(await store.peekWindow('of-ana', NOW), { count: 2, endsAt: NOW + 100 });
      const late = NOW + 30 * DAY;
      await takeWindow(store, FIRST, { ...lockout('home').longer, events: 3 }, late);
      await store.putCode({ id: 'late', gallery: LIVE, userId: user.id, hash: 'right', expiresAt: late + 1 });
      assert.is((await code(store, user.id, 'right', 'home', late)).outcome, 'locked', 'no longer known');
    },
  );

  check('the first verification of an address forgets the networks of before', async ({ db, store }) => {
    const { user, number } = await enrolled(store);
    const networks = async () =>
      (await db.rows<{ network: string }>('SELECT network FROM known_networks')).length;
    await face(store, number, NOW, 'squatter');
    await pending(store, user.id);
    assert.is((await code(store, user.id, 'right', 'owner')).outcome, 'signed_in');
    assert.is(await networks(), 1);
    await takeWindow(store, FIRST, { ...lockout('squatter').longer, events: 3 }, NOW);
    await pending(store, user.id);
    assert.is((await code(store, user.id, 'right', 'squatter')).outcome, 'locked', 'no longer known');
    await face(store, number, NOW, 'office');
    await pending(store, user.id);
    assert.is((await code(store, user.id, 'right', 'owner')).outcome, 'signed_in');
    assert.is(await networks(), 2, 'a later code forgets nothing');
  });

  check('a user has five networks at most, the latest, and they go with the user', async ({ db, store }) => {
    const { user, number } = await verified(store);
    const other = await enrolled(store, { id: 'usr_other' });
    await face(store, other.number, NOW, 'one');
    for (const [n, network] of ['one', 'two', 'three', 'four', 'five', 'one', 'six'].entries())
      await face(store, number, NOW + n * 2 * DAY, network);
    const rows = await db.rows<{ network: string }>(
      `SELECT network FROM known_networks WHERE user_id = '${user.id}' ORDER BY network`,
    );
    assert.equal(
      rows.map(({ network }) => network),
      ['five', 'four', 'one', 'six', 'three'],
    );
    await pending(store, user.id);
    assert.is((await code(store, user.id, 'right', 'seven')).outcome, 'signed_in');
    assert.is(await count(db, 'known_networks', `user_id = '${user.id}'`), 5);
    await deleteUser(store, LIVE, user.id, NOW);
    assert.is(await count(db, 'known_networks'), 1, 'of the other user');
    assert.is((await store.prune('expired', NOW + 30 * DAY, 100)) > 0, true);
    assert.is(await count(db, 'known_networks'), 0, 'expired');
    await face(store, other.number, NOW, 'one');
    await store.deleteApp(FIRST, NOW);
    assert.is(await count(db, 'known_networks'), 0, 'with the app');
  });
}
