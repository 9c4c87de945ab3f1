/** Tier 1, which tokens are no longer good, for those who verify without asking. */
import * as assert from 'uvu/assert';
import type { Revocation, RevocationPlace, Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { attempt, newCode } from './code-fixtures.ts';
import { contractOn, type Engine } from './engine.ts';
import {
  challenges,
  deleteUser,
  enrolled,
  LIVE,
  NOW,
  signIn,
  signingKey,
  signOut,
  TEST,
  UNLIMITED,
} from './fixtures.ts';

const HOUR = 3_600_000;
/** Within a second. */
const LATER = NOW + 5_300;

async function verify(store: Store, userId: string, at: number): Promise<void> {
  const code = newCode(userId);
  await store.putCode(code);
  const token = { jti: `jti_code_of_${userId}`, expiresAt: Math.floor(at / 1_000) * 1_000 + HOUR };
  await store.useCode({ ...attempt(code.hash, { at }), token, userId, auth: UNLIMITED });
}

const ofUser = (userId: string, issuedBefore: number): Revocation => ({
  ...{ kind: 'user', userId, issuedBefore },
  expiresAt: issuedBefore + HOUR,
});

export function revocations(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check(
    'what revokes is read, of each kind, to the second, and what only happens is not',
    async ({ store }) => {
      const [ana, ben, eve] = [await enrolled(store), await enrolled(store), await enrolled(store)];
      const [id = ''] = await challenges(store, 1);
      await store.recordSignIn(signIn(ana.number, id));
      await signOut(store, 'jti_ana', NOW + 1_000, ana.user.id);
      await verify(store, ben.user.id, LATER);
      await signOut(store, 'jti_eve', NOW + HOUR, eve.user.id);
      await deleteUser(store, LIVE, eve.user.id, LATER);
      const { revocations: all, place } = await store.revocations(LIVE, null, NOW);
      assert.equal(all, [
        { kind: 'token', jti: 'jti_ana', expiresAt: NOW + 1_000 },
        // The token that the verification gives is of this second.
        ofUser(ben.user.id, NOW + 5_000),
        // Their sign-outs went with them.
        ofUser(eve.user.id, NOW + 6_000),
      ]);
      assert.equal(place, { seq: (await store.outboxState(LIVE)).newest, all: 0 });
      assert.equal(await store.outboxPlaces([LIVE]), [place]);
      assert.equal((await store.revocations(TEST, null, NOW)).revocations, [], 'modes are apart');
    },
  );

  check(
    'what has ended leaves, each in its time, and whoever starts is told all the rest',
    async ({ store }) => {
      const [ana, ben] = [await enrolled(store), await enrolled(store)];
      await signOut(store, 'jti_short', NOW + 1_000, ana.user.id);
      await signOut(store, 'jti_long', NOW + HOUR, ana.user.id);
      await deleteUser(store, LIVE, ben.user.id, NOW);
      await store.addSigningKey(signingKey('one'), null);
      await store.addSigningKey(signingKey('two'), { now: NOW, keep: 1_000, revokeOld: true });
      const names = async (now: number) =>
        (await store.revocations(LIVE, null, now)).revocations.map(one =>
          one.kind === 'token' ? one.jti : one.kind,
        );
      assert.equal(await names(NOW + 999), ['all', 'jti_short', 'jti_long', 'user']);
      assert.equal(await names(NOW + 1_000), ['all', 'jti_long', 'user']);
      assert.equal(await names(NOW + HOUR - 1), ['all', 'jti_long', 'user']);
      assert.equal(await names(NOW + HOUR), ['user']);
      assert.equal(await names(NOW + HOUR + 1_000), []);
    },
  );

  check('who reads on from a place hears what came since, once', async ({ db, store }) => {
    const other = await db.open();
    const { user } = await enrolled(store);
    let place: RevocationPlace | null = null;
    const heard = async () => {
      const read = await store.revocations(LIVE, place, NOW);
      place = read.place;
      return read.revocations;
    };
    assert.equal(await heard(), []);
    await signOut(other, 'jti_1', NOW + 1_000, user.id);
    assert.equal(await heard(), [{ kind: 'token', jti: 'jti_1', expiresAt: NOW + 1_000 }]);
    assert.equal(await heard(), []);
    await enrolled(store);
    assert.equal(await heard(), [], 'an enrolment revokes nothing, and moves the place on');
    assert.equal(await store.outboxPlaces([LIVE]), [place]);
    await store.addSigningKey(signingKey('one'), null);
    assert.equal(await heard(), [], 'a first key');
    for (const [kid, now] of [
      ['two', NOW + 7_000],
      ['three', NOW + 2_000],
    ] as const)
      await other.addSigningKey(signingKey(kid, now), { now, keep: 1_000, revokeOld: true });
    assert.equal(await heard(), [{ kind: 'all', issuedBefore: NOW + 7_000, expiresAt: NOW + 7_000 + HOUR }]);
    assert.equal(await heard(), [], 'the moment does not move back');
    const [there] = await store.outboxPlaces([LIVE]);
    assert.equal(there, place);
  });

  check('more of them than are read at once', async ({ store }) => {
    const { user } = await enrolled(store);
    const names = Array.from({ length: 1_003 }, (_, i) => `jti_${i}`);
    await Promise.all(names.map(jti => signOut(store, jti, NOW + 1_000, user.id)));
    const { revocations: all } = await store.revocations(LIVE, null, NOW);
    assert.equal(all.map(one => (one.kind === 'token' ? one.jti : '')).sort(), names.sort());
  });
}
