/** Tier 1 and 3, the first verification of an address: it ends every token from before it, exactly, and none from after it. */
import * as assert from 'uvu/assert';
import { FaceInQuestion, type Store, type UserRecord } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { attempt, confirmed, newChange, newCode, overTwoHandles, tried } from './code-fixtures.ts';
import { contractOn, type Engine, everything, nextTurn } from './engine.ts';
import { challenges, deleteUser, enrolled, LIVE, MONTH, NOW, signIn, UNLIMITED, vector } from './fixtures.ts';

const HOUR = 3_600_000;

/** What a token that the user gets now would be worth later. */
const tokenOf = (user: Pick<UserRecord, 'id' | 'emailVerified'>, jti = 'jti_1') => ({
  jti,
  sub: user.id,
  iat: 0,
  email_verified: user.emailVerified,
});
const before = (id: string) => tokenOf({ id, emailVerified: false });
const after = (id: string) => tokenOf({ id, emailVerified: true });

async function verifyFirst(store: Store, userId: string, asksOwner = false) {
  const code = newCode(userId);
  await store.putCode(code);
  return store.useCode({ ...attempt(code.hash), userId, auth: UNLIMITED, asksOwner });
}

export function firstVerification(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('it revokes what was issued before, of that user, for every handle', async ({ db, store }) => {
    const [ana, ben] = [(await enrolled(store)).user.id, (await enrolled(store)).user.id];
    const other = await db.open();
    assert.is(await other.tokenStanding(LIVE, before(ana)), 'good');
    await verifyFirst(store, ana);
    await nextTurn();
    for (const handle of [store, other, await db.open()]) {
      assert.is(await handle.tokenStanding(LIVE, before(ana)), 'revoked');
      assert.is(await handle.tokenStanding(LIVE, after(ana)), 'good');
      assert.is(await handle.tokenStanding(LIVE, before(ben)), 'good', 'of another user');
    }
    await verifyFirst(store, ana);
    assert.is(await store.tokenStanding(LIVE, after(ana)), 'good', 'a later code revokes nothing');
  });

  check(
    'the first code ends a pending change of address, and while the face is in question it changes nothing',
    async ({ db, store }) => {
      const { user } = await enrolled(store);
      const [early, late] = [newChange(user.id, 'early@example.com'), newChange(user.id, 'late@example.com')];
      assert.is(await store.putCode({ ...early, byFace: true }), 'stored', 'before any code');
      await verifyFirst(store, user.id, true);
      assert.is(await confirmed(store, user.id, early.hash), 'wrong', 'ended');
      assert.is(await store.putCode({ ...late, byFace: false }), 'stored', 'by the owner');

      const before = await everything(db);
      const own = { gallery: LIVE, userId: user.id, at: NOW, encoder: null, byFace: true };
      const origin = { ip: '192.0.2.5', userAgent: 'Browser/5', liveness: undefined };
      const { sequence } = await store.galleryState(LIVE);
      const learned = { ...own, origin, sequence, templates: [{ id: 'tpl_new', vector: vector(77) }] };
      const verbs: readonly [string, () => Promise<unknown>][] = [
        ['updateUser', () => store.updateUser(LIVE, user.id, { name: 'Renamed', ...own })],
        ['putCode', () => store.putCode({ ...early, ...own })],
        ['confirmEmailChange', () => store.confirmEmailChange({ ...attempt(late.hash), ...own })],
        ['addTemplates', () => store.addTemplates({ ...learned, most: 10 })],
        ['the first ones', () => store.addTemplates({ ...learned, most: null })],
        ['deleteUser', () => deleteUser(store, LIVE, user.id, NOW, own)],
      ];
      for (const [name, verb] of verbs) {
        assert.instance(await verb().catch(fault => fault), FaceInQuestion, name);
        assert.equal(await everything(db), before, name);
      }
      await verifyFirst(store, user.id, true);
      assert.is(await confirmed(store, user.id, late.hash), 'applied', 'no later code ends it');
      const moved = await store.findUser(LIVE, { id: user.id });
      assert.equal([moved?.email, moved?.faceInQuestion], ['late@example.com', true]);
      assert.is(
        (await store.updateUser(LIVE, user.id, { issuedAt: NOW, faceConfirmedAt: NOW }))?.faceInQuestion,
        false,
      );
      for (const [name, verb] of verbs.filter(([name]) => name !== 'confirmEmailChange'))
        assert.not.instance(await verb().catch(fault => fault), Error, name);
    },
  );

  check('the revocation outlives the user, and names nobody', async ({ db, store }) => {
    const { user } = await enrolled(store);
    await verifyFirst(store, user.id);
    await deleteUser(store, LIVE, user.id, NOW);
    assert.is(await store.tokenStanding(LIVE, before(user.id)), 'revoked');
    assert.is(await store.tokenStanding(LIVE, after(user.id)), 'user_missing');
    assert.not.ok(JSON.stringify(await everything(db)).includes(`"${user.id}"`));
  });

  check('a code that signs nobody in revokes nothing', async ({ store }) => {
    const { user } = await enrolled(store);
    const code = newCode(user.id);
    await store.putCode(code);
    assert.is(await tried(store, user.id, 'wrong'), 'wrong');
    assert.is(await tried(store, user.id, code.hash, { auth: { month: MONTH, limit: 0 } }), 'plan_limit');
    assert.is(await store.tokenStanding(LIVE, before(user.id)), 'good');
  });

  check('it is remembered longer than any token from before it is good', async ({ store }) => {
    const { user } = await enrolled(store);
    await verifyFirst(store, user.id);
    await store.prune('expired', NOW + 2 * HOUR, 100);
    assert.is(await store.tokenStanding(LIVE, before(user.id)), 'revoked');
    await store.prune('expired', NOW + 25 * HOUR, 100);
    assert.is(await store.tokenStanding(LIVE, before(user.id)), 'good', 'no row for ever');
  });

  check(
    'sign-ins by face at the same moment are before it or after it, and stand accordingly',
    async given => {
      const { store } = given;
      let [earlier, later] = [0, 0];
      for (let round = 0; round < 8; round++) {
        const { user, number } = await enrolled(store);
        const code = newCode(user.id);
        await store.putCode(code);
        const ids = await challenges(store, 20, LIVE, `ch_round${round}`);
        // One is certainly before it, and one after it.
        const [first, verified] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const users = await overTwoHandles(given, 21, async (handle, i) => {
          if (i === 10) {
            await first.promise;
            const used = await handle
              .useCode({ ...attempt(code.hash), userId: user.id, auth: UNLIMITED })
              .finally(verified.resolve);
            return used.outcome === 'signed_in' ? used.user : null;
          }
          if (i === 20) await verified.promise;
          const signed = await handle
            .recordSignIn(signIn(number, ids[i < 10 ? i : i - 1] ?? ''))
            .finally(first.resolve);
          return signed.outcome === 'signed_in' ? signed.user : null;
        });
        await nextTurn();
        for (const found of users) {
          assert.ok(found);
          const standing = await store.tokenStanding(LIVE, tokenOf(found as UserRecord));
          assert.is(standing, found?.emailVerified ? 'good' : 'revoked');
          if (found?.emailVerified) later += 1;
          else earlier += 1;
        }
      }
      assert.ok(earlier >= 8 && later >= 16, `${earlier} before, ${later} after`);
    },
  );
}
