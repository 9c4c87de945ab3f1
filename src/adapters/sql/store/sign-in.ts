/** Challenges, enrolment and sign-in in SQL. */

import type { GalleryKey } from '../../../ports/matcher.ts';
import type { AuthRefused, ChallengeInvalid, FailedMatch, SignInStore } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';
import { readPages } from '../gallery-reader.ts';
import type { Vault } from '../keys/vault.ts';
import { NEW_ROWS, ofGallery, ROWS, type Scope } from '../scope.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import {
  countAuth,
  countFailure,
  type Full,
  ownedBy,
  peekWindow,
  takeEach,
  takeWindow,
  takeWindows,
  usageOf,
} from './counters.ts';
import { countDistance } from './distances.ts';
import { otherEncoder, rememberFirstEncoder } from './encoders.ts';
import { addEvent, toolsOfEvent } from './events.ts';
import {
  addTemplates,
  countBetween,
  galleryChanges,
  gallerySequence,
  galleryState,
  usedGalleries,
} from './galleries.ts';
import { remember } from './known-networks.ts';
import { tell, tellSignIn, tokenData } from './outbox.ts';
import { unexpired } from './unexpired.ts';
import { countUsers, emailTaken, findUser, insertUsers, setLastSignIn } from './users.ts';

export function signInStore(context: StoreContext): SignInStore {
  const { driver, memory, vault } = context;

  return {
    async addChallenge({ id, gallery, expiresAt }) {
      const add = (scope: Scope, unlessLocked: string) =>
        driver.writeOne(
          scope,
          `INSERT INTO challenges (id, app_id, mode, expires_at)
           SELECT CAST($1 AS TEXT), id, CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM apps WHERE id = $4
           FOR KEY SHARE${unlessLocked} RETURNING id`,
          id,
          gallery.mode,
          expiresAt,
          gallery.appId,
        );
      const added = await add(NEW_ROWS, ' SKIP LOCKED');
      return added.length === 1 || (await add(ROWS, '')).length === 1;
    },

    async consumeChallenge(id, gallery, now) {
      const used = await driver.writeOne(ROWS, `${CONSUME} RETURNING id`, ...ofChallenge(id, gallery, now));
      return used.length === 1;
    },

    challengeIsOpen: async (id, gallery, now) =>
      (await driver.read.get(`SELECT 1 ${OPEN}`, ...ofChallenge(id, gallery, now))) !== undefined,

    galleryState: memory.galleryState,
    galleryChanges: (gallery, since, limit) => galleryChanges(driver.read, vault, gallery, since, limit),
    async loadGallery(gallery, since) {
      const to = await gallerySequence(driver.read, gallery);
      const range = { gallery, since, to };
      const templates = to > since ? await countBetween(driver.read, gallery, since, to) : 0;
      return { templates, pages: readPages(driver.read, range, vault.keys(driver.read, gallery.appId)) };
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
        await tell(sql, context, gallery, at, {
          type: 'user.enrolled',
          data: { user_id: user.id, ...tokenData(enrolment.token) },
        });
        return { outcome: 'enrolled' };
      }),

    recordSignIn: signIn =>
      driver.write(
        ofGallery(signIn.gallery),
        async sql => {
          const { gallery, at, auth, origin, user: number, matchesOf, limited = [], networkOf } = signIn;
          const tried = await sql.attempt(async () => {
            const [user, tools, { refused, full }] = await Promise.all([
              findUser(sql, vault, gallery, { number }),
              toolsOfEvent(sql, context, gallery),
              consumeAndCount(sql, signIn, 'matches_ok'),
            ]);
            if (!user) return { outcome: 'user_gone' as const };
            if (refused) return refused;
            const matches = matchesOf(user.id);
            const own = matches && (await takeWindow(sql, gallery.appId, matches, at));
            if (own?.taken === false) return { outcome: 'window_full' as const, endsAt: own.endsAt, user };
            if (full) return { outcome: 'failures_full' as const, endsAt: full.endsAt, user };
            return { outcome: 'signed_in' as const, user, tools };
          }, isSignedIn);
          if (tried.outcome === 'user_gone') return tried;
          if (!isSignedIn(tried)) {
            await consumeChallenge(sql, signIn.challengeId, gallery, at);
            if (!('user' in tried)) return tried;
            await countAuth(sql, gallery, auth, null);
            await takeWindows(sql, ownedBy(gallery, limited), at);
            await addEvent(sql, context, gallery, {
              type: 'match_limited',
              at,
              userId: tried.user.id,
              origin,
            });
            return { outcome: tried.outcome, endsAt: tried.endsAt };
          }
          const { user, tools } = tried;
          await setLastSignIn(sql.unwatched, user.id, at);
          if (networkOf) await remember(sql.unwatched, gallery.appId, user.id, networkOf(user.id));
          await addEvent(sql.unwatched, tools, gallery, { type: 'match', at, userId: user.id, origin });
          await countDistance(sql.unwatched, gallery, 'match', signIn.distanceBin, at);
          await tellSignIn(sql.unwatched, tools, gallery, at, user.id, 'face', signIn.token);
          return { outcome: 'signed_in', user: { ...user, lastSignInAt: at } };
        },
        COMMUTES,
      ),

    // The scope covers the user who was near, and windows of the gallery that are checked before they are increased.
    recordFailedMatch: failed =>
      driver.write(
        ofGallery(failed.gallery),
        async sql => {
          const { gallery, at, auth, origin, nearUser, lockout, distanceBin, challengeId } = failed;
          const isMatch = failed.during === 'match';
          const { near, tools, refused, full } = await sql.attempt(
            async () => {
              const [near, tools, counted] = await Promise.all([
                nearUser && findUser(sql, vault, gallery, { number: nearUser }),
                toolsOfEvent(sql, context, gallery),
                consumeAndCount(sql, failed, isMatch ? 'matches_failed' : null),
              ]);
              return { near, tools, ...counted };
            },
            tried => !tried.refused && !tried.full,
          );
          if ((refused || full) && challengeId !== null)
            await consumeChallenge(sql, challengeId, gallery, at);
          if (refused) return refused;
          const type = isMatch ? 'match_failed' : 'enroll_face_known';
          const event = { type, at, userId: near ? near.id : null, origin } as const;
          if (full) {
            await countAuth(sql, gallery, auth, null);
            // An app's first key may have been undone too.
            await addEvent(sql, context, gallery, event);
          } else await addEvent(sql.unwatched, tools, gallery, event);
          if (distanceBin !== null) await countDistance(sql.unwatched, gallery, 'no_match', distanceBin, at);
          if (full) return { outcome: 'window_full', endsAt: full.endsAt };
          if (near && lockout) await countFailure(sql, gallery.appId, lockout, at);
          return { outcome: 'recorded' };
        },
        COMMUTES,
      ),

    takeWindows: (windows, now) => driver.write(ROWS, sql => takeWindows(sql, windows, now)),
    peekWindow: (key, now, length = Number.MAX_SAFE_INTEGER / 2) => peekWindow(driver.read, key, now, length),
    usageOf: (gallery, month) => usageOf(driver.read, gallery, month),

    findUser: (gallery, by) => findUser(driver.read, vault, gallery, by),
    countUsers: gallery => countUsers(driver.read, gallery),
  };
}

/**
 * Each limit is decided by the statement that counts for it. So sign-ins and failed matches of one transaction may take
 * turns, as long as none is undone.
 */
const COMMUTES = true;

const isSignedIn = <Tried extends { outcome: string }>(
  tried: Tried,
): tried is Extract<Tried, { outcome: 'signed_in' }> => tried.outcome === 'signed_in';

/** Consumes the challenge, and counts the auth and the failures, in one piece for an engine on a network. */
async function consumeAndCount(
  sql: Sql,
  {
    gallery,
    challengeId,
    at,
    auth,
    failures,
  }: Pick<FailedMatch, 'gallery' | 'challengeId' | 'at' | 'auth' | 'failures'>,
  column: 'matches_ok' | 'matches_failed' | null,
): Promise<{ refused: ChallengeInvalid | AuthRefused | null; full: Full | null }> {
  const [isGood, refused, full] = await Promise.all([
    challengeId === null || consumeChallenge(sql, challengeId, gallery, at),
    countAuth(sql, gallery, auth, column),
    takeEach(sql, ownedBy(gallery, failures), at),
  ]);
  return { refused: isGood ? refused : { outcome: 'challenge_invalid' }, full };
}

const OPEN = `FROM challenges WHERE id = $1 AND app_id = $2 AND mode = $3 AND ${unexpired('expires_at', '$4')}`;
const CONSUME = `DELETE ${OPEN}`;

const ofChallenge = (id: string, { appId, mode }: GalleryKey, now: number) => [id, appId, mode, now] as const;

async function consumeChallenge(sql: Sql, id: string, gallery: GalleryKey, now: number): Promise<boolean> {
  return (await sql.run(CONSUME, ...ofChallenge(id, gallery, now))) === 1;
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
