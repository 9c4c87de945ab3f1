/** Challenges, enrolment and sign-in in SQL. */

import type { GalleryKey } from '../../../ports/matcher.ts';
import type { Challenge, SignInStore } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { ofGallery, ROWS } from '../scope.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import {
  countAuth,
  countFailedMatch,
  countFailure,
  fullWindow,
  ownedBy,
  peekWindow,
  takeWindow,
  takeWindows,
  usageOf,
} from './counters.ts';
import { countDistance } from './distances.ts';
import { erase, eraseUser } from './erasure.ts';
import { addEvent } from './events.ts';
import { addTemplates, galleryChanges, gallerySequence, galleryState, usedGalleries } from './galleries.ts';
import { otherEncoder, rememberFirstEncoder } from './gallery-encoder.ts';
import { remember } from './known-networks.ts';
import { openChallenges } from './open-challenges.ts';
import { unexpired } from './unexpired.ts';
import {
  countUsers,
  emailTaken,
  findUser,
  findUserByNumber,
  insertUsers,
  listUsers,
  refuseInQuestion,
  setLastSignIn,
} from './users.ts';

export function signInStore(context: StoreContext): SignInStore {
  const { driver, memory, reader, vault } = context;
  // Other nodes could use a challenge without our learning it.
  const open = context.nodes ? null : openChallenges(memory);

  async function addChallenge({ id, gallery, expiresAt }: Challenge): Promise<boolean> {
    const added = await driver.write(ROWS, sql =>
      sql.run(
        `INSERT INTO challenges (id, app_id, mode, expires_at)
         SELECT CAST($1 AS TEXT), id, CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM apps WHERE id = $4
         FOR KEY SHARE`,
        id,
        gallery.mode,
        expiresAt,
        gallery.appId,
      ),
    );
    return added === 1;
  }

  return {
    async addChallenge(challenge) {
      if (await context.fastPath?.addChallenge(challenge)) return true;
      return open ? open.add(challenge, () => addChallenge(challenge)) : addChallenge(challenge);
    },

    async consumeChallenge(id, gallery, now) {
      open?.use(id);
      const used = await driver.writeOne(ROWS, `${CONSUME} RETURNING id`, ...consumed(id, gallery, now));
      return used.length === 1;
    },

    challengeIsOpen: async (id, gallery, now) => {
      if (await open?.has(id, gallery, now)) return true;
      const { appId, mode } = gallery;
      const row = await driver.read.get(
        `SELECT 1 FROM challenges WHERE id = $1 AND app_id = $2 AND mode = $3 AND ${unexpired('expires_at', '$4')}`,
        id,
        appId,
        mode,
        now,
      );
      return row !== undefined;
    },

    async deleteExpiredChallenges(now, limit) {
      const deleted = await driver.write(ROWS, sql =>
        sql.run(
          'DELETE FROM challenges WHERE id IN (SELECT id FROM challenges WHERE expires_at <= $1 LIMIT $2)',
          now,
          limit,
        ),
      );
      // The clock may go back to before their end.
      if (deleted > 0 && open) memory.forget();
      return deleted;
    },

    gallerySequence: async gallery => (await memory.galleryState(gallery)).sequence,
    galleryChanges: (gallery, since, limit) => galleryChanges(driver.read, vault, gallery, since, limit),
    async loadGallery(gallery, since) {
      const to = await gallerySequence(driver.read, gallery);
      const range = { gallery, since, to };
      const templates = to > since ? await reader.count(range) : 0;
      return { templates, pages: reader.pages(range, vault.keys(driver.read, gallery.appId)) };
    },
    usedGalleries: month => usedGalleries(driver.read, month),

    enrolBlocker: (gallery, email, maximumUsers) =>
      enrolBlocker(driver.read, vault, gallery, email, maximumUsers),

    enrol: enrolment =>
      writeAndForget(context, ofGallery(enrolment.gallery), async sql => {
        const { gallery, user, at, auth, origin, encoder } = enrolment;
        const state = await galleryState(sql, gallery);
        const other = otherEncoder(state, encoder);
        if (other) return other;
        const blocker = await enrolBlocker(sql, vault, gallery, user.email, enrolment.maximumUsers);
        if (blocker) return { outcome: blocker };
        if (state.sequence !== enrolment.sequence) return { outcome: 'stale' };
        const limited = await takeWindows(sql, ownedBy(gallery, enrolment.limited ?? []), at);
        const refused = await countAuth(sql, gallery, auth, limited.taken ? 'enrolls' : null);
        if (refused) return refused;
        if (!limited.taken) return { outcome: 'window_full', endsAt: limited.endsAt };
        const consent = { policyVersion: enrolment.policyVersion, acceptedAt: at, ...origin };
        await insertUsers(sql, vault, gallery.appId, [
          {
            ...user,
            mode: gallery.mode,
            consent,
            emailVerified: false,
            faceInQuestion: false,
            createdAt: at,
            lastSignInAt: null,
          },
        ]);
        await rememberFirstEncoder(sql, gallery, state, encoder);
        await addTemplates(sql, vault, gallery, user.id, enrolment.templates, 'enrolled', at);
        await addEvent(sql, context, gallery, { type: 'enroll', at, userId: user.id, origin });
        return { outcome: 'enrolled' };
      }),

    async recordSignIn(signIn) {
      const signedIn = context.fastPath && (await context.fastPath.signIn(signIn));
      if (signedIn) return { outcome: 'signed_in', user: signedIn };
      const {
        gallery,
        challengeId,
        user: number,
        at,
        auth,
        origin,
        matchesOf,
        failures,
        limited = [],
        networkOf,
        distanceBin,
      } = signIn;
      open?.use(challengeId);
      return driver.write(ofGallery(gallery), async sql => {
        const user = await findUserByNumber(sql, vault, gallery, number);
        if (!user) return { outcome: 'user_gone' };
        const userId = user.id;
        const matches = matchesOf(userId);
        if (!(await consumeChallenge(sql, challengeId, gallery, at))) return { outcome: 'challenge_invalid' };
        const full = matches && (await fullWindow(sql, matches, at));
        const failed = full ? null : await takeWindows(sql, ownedBy(gallery, failures), at);
        const isLimited = full !== null || failed?.taken === false;
        const refused = await countAuth(sql, gallery, auth, isLimited ? null : 'matches_ok');
        if (refused) return refused;
        if (isLimited) {
          await takeWindows(sql, ownedBy(gallery, limited), at);
          await addEvent(sql, context, gallery, { type: 'match_limited', at, userId, origin });
        }
        if (full) return { outcome: 'window_full', endsAt: full.endsAt };
        if (failed?.taken === false) return { outcome: 'failures_full', endsAt: failed.endsAt };
        if (matches) await takeWindow(sql, gallery.appId, matches, at);
        await setLastSignIn(sql, userId, at);
        if (networkOf) await remember(sql, gallery.appId, userId, networkOf(userId));
        await addEvent(sql, context, gallery, { type: 'match', at, userId, origin });
        await countDistance(sql, gallery, 'match', distanceBin, at);
        return { outcome: 'signed_in', user: { ...user, lastSignInAt: at } };
      });
    },

    // The scope covers the user who was near, and windows of the gallery that are checked before they are increased.
    async recordFailedMatch(failed) {
      if (context.fastPath && (await context.fastPath.failedMatch(failed))) return { outcome: 'recorded' };
      if (failed.challengeId !== null) open?.use(failed.challengeId);
      return driver.write(ofGallery(failed.gallery), async sql => {
        const { gallery, challengeId, at, auth, failures, lockout } = failed;
        if (challengeId !== null && !(await consumeChallenge(sql, challengeId, gallery, at))) {
          return { outcome: 'challenge_invalid' };
        }
        const refused = await countAuth(sql, gallery, auth, null);
        if (refused) return refused;
        const type = failed.during === 'match' ? 'match_failed' : 'enroll_face_known';
        const near = failed.nearUser && (await findUserByNumber(sql, vault, gallery, failed.nearUser));
        await addEvent(sql, context, gallery, {
          type,
          at,
          userId: near ? near.id : null,
          origin: failed.origin,
        });
        if (failed.distanceBin !== null)
          await countDistance(sql, gallery, 'no_match', failed.distanceBin, at);
        const counted = await takeWindows(sql, ownedBy(gallery, failures), at);
        if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
        if (failed.during === 'match') await countFailedMatch(sql, gallery, auth.month);
        if (near && lockout) await countFailure(sql, gallery.appId, lockout, at);
        return { outcome: 'recorded' };
      });
    },

    takeWindow: (appId, window, now) => driver.write(ROWS, sql => takeWindow(sql, appId, window, now)),
    takeWindows: (windows, now) => driver.write(ROWS, sql => takeWindows(sql, windows, now)),
    peekWindow: (key, now, length = Number.MAX_SAFE_INTEGER / 2) => peekWindow(driver.read, key, now, length),
    usageOf: (gallery, month) => usageOf(driver.read, gallery, month),

    findUser: (gallery, id) => findUser(driver.read, vault, gallery, id),
    findUserByNumber: (gallery, number) => findUserByNumber(driver.read, vault, gallery, number),
    countUsers: gallery => countUsers(driver.read, gallery),
    listUsers: (gallery, after, limit) => listUsers(driver.read, vault, gallery, after, limit),

    async deleteUser(gallery, id, at, by = {}) {
      const erased = await erase(context, ofGallery(gallery), async sql => {
        await refuseInQuestion(sql, id, by);
        return Number(await eraseUser(sql, context, gallery, id, at));
      });
      return erased > 0;
    },
  };
}

const CONSUME = `DELETE FROM challenges WHERE id = $1 AND app_id = $2 AND mode = $3 AND ${unexpired('expires_at', '$4')}`;

const consumed = (id: string, { appId, mode }: GalleryKey, now: number) => [id, appId, mode, now] as const;

async function consumeChallenge(sql: Sql, id: string, gallery: GalleryKey, now: number): Promise<boolean> {
  return (await sql.run(CONSUME, ...consumed(id, gallery, now))) === 1;
}

async function enrolBlocker(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  email: string,
  maximumUsers: number | null,
) {
  if (maximumUsers !== null && (await countUsers(sql, gallery)) >= maximumUsers) return 'test_users_full';
  return (await emailTaken(sql, vault, gallery, email)) ? 'email_taken' : null;
}
