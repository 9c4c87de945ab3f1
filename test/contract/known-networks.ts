/** Tier 2: failures by network, and the networks from which a user has signed in. */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine } from './engine.ts';
import { enrolled, FIRST, LIVE, NOW, signIn, UNLIMITED } from './fixtures.ts';

const DAY = 86_400_000;
const ORIGIN = { ip: '192.0.2.1', userAgent: 'Browser/1', liveness: undefined };
const SHORT = { key: 'of-ana', limit: 2, length: 100 };
const lockout = (network: string) => ({
  ...SHORT,
  longer: { key: `of-ana:${network}`, limit: 3, length: 10_000 },
});
const FROM_KNOWN = { key: 'of-ana:home:known', limit: 2, length: 1_000 };

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
      known: { ...known(network, at), fromKnown: { ...FROM_KNOWN, key: `of-ana:${network}:known` } },
    });
  const pending = (store: Store, userId: string) =>
    store.putCode({ id: `code_${userId}`, gallery: LIVE, userId, hash: 'right', expiresAt: NOW + 5_000 });

  check(
    'failures of a network lock that network; a right code passes where the user signed in',
    async ({ store }) => {
      const { user, number } = await enrolled(store);
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

  check('from a known network beyond the limit, few wrong codes are tried', async ({ store }) => {
    const { user, number } = await enrolled(store);
    await face(store, number, NOW, 'home');
    await store.takeWindow(FIRST, { ...lockout('home').longer, events: 3 }, NOW);
    await pending(store, user.id);
    for (let i = 0; i < 4; i++) assert.is((await code(store, user.id, 'no', 'home')).outcome, 'locked');
    assert.is((await store.peekWindow('of-ana:home:known', NOW))?.count, 2);
    assert.is((await code(store, user.id, 'right', 'home')).outcome, 'locked', 'not tried');
    const late = NOW + 30 * DAY;
    await store.takeWindow(FIRST, { ...lockout('home').longer, events: 3 }, late);
    await store.putCode({ id: 'late', gallery: LIVE, userId: user.id, hash: 'right', expiresAt: late + 1 });
    assert.is((await code(store, user.id, 'right', 'home', late)).outcome, 'locked', 'no longer known');
  });

  check('a user has five networks at most, the latest, and they go with the user', async ({ db, store }) => {
    const { user, number } = await enrolled(store);
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
    await store.deleteUser(LIVE, user.id, NOW);
    assert.is(await count(db, 'known_networks'), 1, 'of the other user');
    assert.is((await store.deleteExpired(NOW + 30 * DAY, 100)) > 0, true);
    assert.is(await count(db, 'known_networks'), 0, 'expired');
    await face(store, other.number, NOW, 'one');
    await store.deleteApp(FIRST, NOW);
    assert.is(await count(db, 'known_networks'), 0, 'with the app');
  });
}
