/** Challenges, enrolment, signing in, and what is read of users and counts. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type { SignInStore } from '../../../src/ports/store.ts';
import {
  addEvent,
  countAuth,
  countDistance,
  countFailedMatch,
  countFailure,
  fullWindow,
  peekWindow,
  rememberNetwork,
  takeWindow,
  takeWindows,
  usageOf,
} from './counting.ts';
import { by, type Data, galleryOf, inGallery, type Sync } from './data.ts';
import { eraseUser } from './erasure.ts';
import {
  addTemplates,
  galleryChanges,
  galleryState,
  otherEncoder,
  rememberFirstEncoder,
} from './galleries.ts';
import { findByEmail, findByNumber, findUser, refuseInQuestion, userPage, userRecord } from './users.ts';

export function signInVerbs(data: Data): Sync<Omit<SignInStore, 'loadGallery'>> {
  const { apps, challenges, users } = data;

  function openChallenge(id: string, gallery: GalleryKey, now: number) {
    const found = challenges.get(id);
    return found && inGallery(gallery)(found) && found.expiresAt > now ? found : null;
  }

  function consumeChallenge(id: string, gallery: GalleryKey, now: number): boolean {
    const found = openChallenge(id, gallery, now);
    if (found) challenges.delete(found);
    return found !== null;
  }

  function enrolBlocker(gallery: GalleryKey, email: string, maximumUsers: number | null) {
    if (maximumUsers !== null && users.where(inGallery(gallery)).length >= maximumUsers)
      return 'test_users_full';
    return findByEmail(data, gallery, email) ? 'email_taken' : null;
  }

  return {
    addChallenge({ id, gallery, expiresAt }) {
      if (!apps.get(gallery.appId)) return false;
      challenges.insert({ id, ...galleryOf(gallery), expiresAt });
      return true;
    },
    consumeChallenge,
    challengeIsOpen: (id, gallery, now) => openChallenge(id, gallery, now) !== null,
    deleteExpiredChallenges: (now, limit) => challenges.deleteWhere(row => row.expiresAt <= now, limit),

    gallerySequence: gallery => galleryState(data, gallery).sequence,
    galleryChanges: (gallery, since, limit) => galleryChanges(data, gallery, since, limit),
    usedGalleries(month) {
      const authsOf = (gallery: GalleryKey) =>
        data.usage
          .where(row => inGallery(gallery)(row) && row.month >= month)
          .reduce((sum, row) => sum + row.auths, 0);
      return data.galleries
        .where(row => row.sequence > 0)
        .map(row => ({ gallery: galleryOf(row), sequence: row.sequence, auths: authsOf(row) }))
        .filter(({ auths }) => auths > 0)
        .sort(
          by(
            row => -row.auths,
            row => -row.sequence,
            row => row.gallery.appId,
          ),
        )
        .map(({ auths: _, ...used }) => used);
    },

    enrolBlocker,
    enrol({
      gallery,
      user,
      at,
      templates,
      encoder,
      auth,
      maximumUsers,
      sequence,
      limited = [],
      ...enrolment
    }) {
      const { policyVersion, origin } = enrolment;
      const other = otherEncoder(data, gallery, encoder);
      if (other) return other;
      const blocker = enrolBlocker(gallery, user.email, maximumUsers);
      if (blocker) return { outcome: blocker };
      if (galleryState(data, gallery).sequence !== sequence) return { outcome: 'stale' };
      const owned = limited.map(window => ({ ...window, appId: gallery.appId }));
      const counted = takeWindows(data, owned, at);
      const refused = countAuth(data, gallery, auth, counted.taken ? 'enrolls' : null);
      if (refused) return refused;
      if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
      const { id, email, name } = user;
      const fresh = { emailVerified: false, faceInQuestion: false, createdAt: at, lastSignInAt: null };
      users.insert({ ...galleryOf(gallery), id, email, name, ...fresh });
      const { ip, userAgent } = origin;
      data.consents.insert({ userId: id, policyVersion, acceptedAt: at, ip, userAgent });
      rememberFirstEncoder(data, gallery, encoder);
      addTemplates(data, gallery, id, templates, 'enrolled', at);
      addEvent(data, gallery, 'enroll', at, id, origin);
      return { outcome: 'enrolled' };
    },

    recordSignIn({
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
    }) {
      const user = findByNumber(data, gallery, number);
      if (!user) return { outcome: 'user_gone' };
      if (!consumeChallenge(challengeId, gallery, at)) return { outcome: 'challenge_invalid' };
      const matches = matchesOf(user.id);
      const full = matches && fullWindow(data, matches, at);
      const owned = failures.map(window => ({ ...window, appId: gallery.appId }));
      const failed = full ? null : takeWindows(data, owned, at);
      const isLimited = full !== null || failed?.taken === false;
      if (isLimited)
        takeWindows(
          data,
          limited.map(window => ({ ...window, appId: gallery.appId })),
          at,
        );
      const refused = countAuth(data, gallery, auth, isLimited ? null : 'matchesOk');
      if (refused) return refused;
      addEvent(data, gallery, isLimited ? 'match_limited' : 'match', at, user.id, origin);
      if (full) return { outcome: 'window_full', endsAt: full.endsAt };
      if (failed?.taken === false) return { outcome: 'failures_full', endsAt: failed.endsAt };
      countDistance(data, gallery, 'match', distanceBin, at);
      if (matches) takeWindow(data, gallery.appId, matches, at);
      if (networkOf) rememberNetwork(data, gallery.appId, user.id, networkOf(user.id));
      const after = { ...user, lastSignInAt: at };
      users.set(after);
      return { outcome: 'signed_in', user: userRecord(after) };
    },

    recordFailedMatch(failed) {
      const { gallery, challengeId, during, at, nearUser, origin, auth, failures, lockout } = failed;
      if (challengeId !== null && !consumeChallenge(challengeId, gallery, at))
        return { outcome: 'challenge_invalid' };
      const refused = countAuth(data, gallery, auth);
      if (refused) return refused;
      const near = nearUser === null ? null : findByNumber(data, gallery, nearUser);
      const type = during === 'match' ? 'match_failed' : 'enroll_face_known';
      addEvent(data, gallery, type, at, near?.id, origin);
      if (failed.distanceBin !== null) countDistance(data, gallery, 'no_match', failed.distanceBin, at);
      const owned = failures.map(window => ({ ...window, appId: gallery.appId }));
      const counted = takeWindows(data, owned, at);
      if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
      if (during === 'match') countFailedMatch(data, gallery, auth.month);
      if (near && lockout) countFailure(data, gallery.appId, lockout, at);
      return { outcome: 'recorded' };
    },

    takeWindow: (appId, window, now) => takeWindow(data, appId, window, now),
    takeWindows: (windows, now) => takeWindows(data, windows, now),
    peekWindow: (key, now, length) => peekWindow(data, key, now, length),
    usageOf: (gallery, month) => usageOf(data, gallery, month),

    findUser(gallery, id) {
      const user = findUser(data, gallery, id);
      return user && userRecord(user);
    },
    findUserByNumber(gallery, number) {
      const user = findByNumber(data, gallery, number);
      return user && userRecord(user);
    },
    countUsers: gallery => users.where(inGallery(gallery)).length,
    listUsers: (gallery, after, limit) => userPage(data, gallery, after, limit).map(userRecord),
    deleteUser(gallery, id, at, by) {
      refuseInQuestion(data, id, by);
      return eraseUser(data, gallery, id, at);
    },
  };
}
