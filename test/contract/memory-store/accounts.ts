/** Codes by email, and what a signed-in user does with the own account. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type {
  CodeAttempt,
  CodeStore,
  NewCode,
  OwnTemplates,
  ProfileStore,
  UserRecord,
} from '../../../src/ports/store.ts';
import { WRONG_ATTEMPTS_PER_CODE } from '../../../src/protocol/limits.ts';
import {
  addEvent,
  countAuth,
  countFailure,
  fullWindow,
  lockedUntil,
  moveFailures,
  rememberNetwork,
  takeWindow,
  takeWindows,
} from './counting.ts';
import { by, type Code, type Data, inGallery, type Sync } from './data.ts';
import {
  addTemplates,
  galleryState,
  opened,
  otherEncoder,
  rememberFirstEncoder,
  removeTemplates,
} from './galleries.ts';
import { revokeEarlier, revokeUnproven } from './tokens.ts';
import { findByEmail, findUser, refuseInQuestion, userRecord } from './users.ts';

export function codeVerbs(data: Data): Sync<CodeStore> {
  const { users, emailCodes } = data;

  function put(
    kind: Code['kind'],
    code: NewCode,
    newEmail: string | null,
    newLockoutKey: string | null,
  ): void {
    const { gallery, id, userId, hash, expiresAt } = code;
    emailCodes.set({
      kind,
      id,
      userId,
      hash,
      expiresAt,
      appId: gallery.appId,
      wrong: 0,
      newEmail,
      newLockoutKey,
    });
  }

  function pending(userId: string, kind: Code['kind'], now: number): Code | null {
    const code = emailCodes.get(userId, kind);
    return code && code.expiresAt > now ? code : null;
  }

  function countWrong(code: Code | null, { gallery, lockout, at }: CodeAttempt): boolean {
    const taken = countFailure(data, gallery.appId, lockout, at);
    if (!code) return taken;
    if (code.wrong + 1 < WRONG_ATTEMPTS_PER_CODE) emailCodes.set({ ...code, wrong: code.wrong + 1 });
    else emailCodes.delete(code);
    return taken;
  }

  function passes({ userId, at, lockout, known }: Parameters<CodeStore['useCode']>[0]): boolean {
    if (userId === null || !known) return false;
    if (fullWindow(data, lockout, at)) return false;
    return (data.knownNetworks.get(userId, known.network)?.endsAt ?? 0) > at;
  }

  return {
    findUserByEmail(gallery, email) {
      const user = findByEmail(data, gallery, email);
      return user && userRecord(user);
    },
    putCode(code) {
      if (!findUser(data, code.gallery, code.userId)) return false;
      put('sign-in', code, null, null);
      return true;
    },
    putEmailChange(change) {
      if (!findUser(data, change.gallery, change.userId)) return 'user_gone';
      const owner = findByEmail(data, change.gallery, change.email);
      refuseInQuestion(data, change.userId, change);
      if (owner && owner.id !== change.userId) return 'email_taken';
      put('change', change, change.email, change.lockoutKey);
      return 'stored';
    },
    retireCode(id) {
      emailCodes.deleteWhere(code => code.id === id);
    },

    useCode(attempt) {
      const { gallery, userId, at, lockout, origin, auth, known } = attempt;
      const endsAt = lockedUntil(data, lockout, at);
      const isKnown = endsAt !== null && passes(attempt);
      if (endsAt !== null && !isKnown) return { outcome: 'locked', endsAt };
      const user = userId === null ? null : findUser(data, gallery, userId);
      const code = user && pending(user.id, 'sign-in', at);
      if (!user || code?.hash !== attempt.hash) {
        if (!countWrong(code, attempt)) return { outcome: 'app_gone' };
        addEvent(data, gallery, 'email_code_failed', at, user?.id, origin);
        return endsAt === null ? { outcome: 'wrong' } : { outcome: 'locked', endsAt };
      }
      const refused = countAuth(data, gallery, auth);
      if (refused) return refused;
      emailCodes.delete(code);
      const asks = attempt.asksOwner === true;
      const isFirstOfAll = !user.emailVerified && !user.faceInQuestion;
      const firstVerification = isFirstOfAll || (user.faceInQuestion && asks);
      const faceInQuestion = user.faceInQuestion || (isFirstOfAll && asks);
      if (faceInQuestion) revokeEarlier(data, user.id, at);
      else if (isFirstOfAll) revokeUnproven(data, user.id, at);
      if (isFirstOfAll) emailCodes.deleteWhere(({ userId, kind }) => userId === user.id && kind === 'change');
      if (!user.emailVerified) data.knownNetworks.deleteWhere(row => row.userId === user.id);
      const after = { ...user, lastSignInAt: at, emailVerified: !faceInQuestion, faceInQuestion };
      users.set(after);
      if (known) rememberNetwork(data, gallery.appId, user.id, known);
      addEvent(data, gallery, 'email_code', at, user.id, origin);
      const proven = { ...userRecord(after), emailVerified: true, faceInQuestion: false };
      return { outcome: 'signed_in', user: proven, firstVerification };
    },

    confirmEmailChange(attempt) {
      const { gallery, userId, at, lockout, origin } = attempt;
      const user = findUser(data, gallery, userId);
      if (!user) return { outcome: 'user_gone' };
      refuseInQuestion(data, userId, attempt);
      const change = pending(userId, 'change', at);
      if (!change?.newEmail || change.hash !== attempt.hash) {
        countWrong(change, attempt);
        addEvent(data, gallery, 'email_change_failed', at, userId, origin);
        return { outcome: 'wrong' };
      }
      const email = change.newEmail;
      const owner = findByEmail(data, gallery, email);
      if (owner && owner.id !== userId) return { outcome: 'email_taken' };
      const after = { ...user, email, emailVerified: !user.faceInQuestion };
      users.set(after);
      emailCodes.deleteWhere(code => code.userId === userId);
      const key = change.newLockoutKey;
      if (key && key !== lockout.key) moveFailures(data, gallery.appId, lockout.key, key, at);
      addEvent(data, gallery, 'email_changed', at, userId, origin);
      return { outcome: 'applied', user: userRecord(after), before: user.email };
    },
  };
}

export function profileVerbs(data: Data): Sync<ProfileStore> {
  const { users, templates } = data;
  const ownTemplates = (userId: string) =>
    templates.where(row => row.userId === userId).sort(by(row => row.sequence));

  function refusal(own: OwnTemplates) {
    if (!findUser(data, own.gallery, own.userId)) return { outcome: 'user_gone' as const };
    refuseInQuestion(data, own.userId, own);
    const other = otherEncoder(data, own.gallery, own.encoder);
    if (other) return other;
    return galleryState(data, own.gallery).sequence === own.sequence ? null : { outcome: 'stale' as const };
  }

  function store(own: OwnTemplates, as: 'enrolled' | 'learned') {
    const { gallery, userId, at, origin } = own;
    addTemplates(data, gallery, userId, own.templates, as, at);
    addEvent(data, gallery, 'templates_added', at, userId, origin);
    return { outcome: 'stored' as const, templateCount: ownTemplates(userId).length };
  }

  const changed = (gallery: GalleryKey, id: string, change: Partial<UserRecord>) => {
    const user = findUser(data, gallery, id);
    if (!user) return null;
    users.set({ ...user, ...change });
    return userRecord({ ...user, ...change });
  };

  return {
    profileOf(gallery, id) {
      const user = findUser(data, gallery, id);
      const consent = data.consents.get(id);
      if (!user || !consent) return null;
      const { policyVersion, acceptedAt } = consent;
      const templateCount = ownTemplates(id).length;
      return { user: userRecord(user), templateCount, consent: { policyVersion, acceptedAt } };
    },
    renameUser(gallery, id, name, by) {
      refuseInQuestion(data, id, by);
      return changed(gallery, id, { name });
    },
    confirmFace(gallery, id, at) {
      if (findUser(data, gallery, id)?.emailVerified === false) revokeUnproven(data, id, at);
      return changed(gallery, id, { emailVerified: true, faceInQuestion: false });
    },
    enrolledTemplates: (gallery, userId) =>
      ownTemplates(userId)
        .filter(row => row.origin === 'enrolled' && inGallery(gallery)(row))
        .flatMap(row => opened(data, row) ?? []),
    addLearned(learned) {
      const refused = refusal(learned);
      if (refused) return refused;
      const own = ownTemplates(learned.userId);
      const surplus = own.length + learned.templates.length - learned.most;
      const oldest = own.filter(row => row.origin === 'learned').slice(0, Math.max(0, surplus));
      removeTemplates(data, learned.gallery, oldest, learned.at);
      return store(learned, 'learned');
    },
    addFirst(first) {
      const refused = refusal(first);
      if (refused) return refused;
      if (ownTemplates(first.userId).length > 0) return { outcome: 'has_some' };
      rememberFirstEncoder(data, first.gallery, first.encoder);
      return store(first, 'enrolled');
    },
    recordFailedAdd({ gallery, userId, at, origin, failures, refused, lockout }) {
      if (!findUser(data, gallery, userId)) return { outcome: 'user_gone' };
      addEvent(data, gallery, 'templates_refused', at, userId, origin);
      const owned = failures.map(window => ({ ...window, appId: gallery.appId }));
      const counted = takeWindows(data, owned, at);
      if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
      const own = refused && takeWindow(data, gallery.appId, refused, at);
      if (own?.taken === false) return { outcome: 'locked', endsAt: own.endsAt };
      countFailure(data, gallery.appId, lockout, at);
      return { outcome: 'recorded' };
    },
  };
}
