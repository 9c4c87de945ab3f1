/** Codes by email, and what a signed-in user does with the own account. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type {
  CodeAttempt,
  CodeStore,
  NewCode,
  OwnTemplates,
  ProfileStore,
} from '../../../src/ports/store.ts';
import { WRONG_ATTEMPTS_PER_CODE } from '../../../src/protocol/limits.ts';
import {
  addEvent,
  countAuth,
  countFailure,
  lockedUntil,
  longerFull,
  moveFailures,
  takeWindows,
} from './counting.ts';
import {
  addTemplates,
  galleryState,
  opened,
  otherEncoder,
  rememberFirstEncoder,
  removeTemplates,
} from './galleries.ts';
import { revokeEarlier, revokeUnproven } from './tokens.ts';
import { findByEmail, findUser, userRecord } from './users.ts';
import { by, type Code, inGallery, type Sync, type World } from './world.ts';

export function codeVerbs(world: World): Sync<CodeStore> {
  const { users, emailCodes } = world;

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
    const taken = countFailure(world, gallery.appId, lockout, at);
    if (!code) return taken;
    if (code.wrong + 1 < WRONG_ATTEMPTS_PER_CODE) emailCodes.set({ ...code, wrong: code.wrong + 1 });
    else emailCodes.delete(code);
    return taken;
  }

  return {
    findUserByEmail(gallery, email) {
      const user = findByEmail(world, gallery, email);
      return user && userRecord(user);
    },
    putCode(code) {
      if (!findUser(world, code.gallery, code.userId)) return false;
      put('sign-in', code, null, null);
      return true;
    },
    putEmailChange(change) {
      if (!findUser(world, change.gallery, change.userId)) return 'user_gone';
      const owner = findByEmail(world, change.gallery, change.email);
      if (owner && owner.id !== change.userId) return 'email_taken';
      put('change', change, change.email, change.lockoutKey);
      return 'stored';
    },
    retireCode(id) {
      emailCodes.deleteWhere(code => code.id === id);
    },

    useCode(attempt) {
      const { gallery, userId, at, lockout, origin, auth } = attempt;
      const endsAt = lockedUntil(world, lockout, at);
      if (endsAt !== null) return { outcome: 'locked', endsAt };
      const user = userId === null ? null : findUser(world, gallery, userId);
      const code = user && pending(user.id, 'sign-in', at);
      if (!user || code?.hash !== attempt.hash) {
        if (!countWrong(code, attempt)) return { outcome: 'app_gone' };
        addEvent(world, gallery, 'email_code_failed', at, user?.id, origin);
        return { outcome: 'wrong' };
      }
      const refused = countAuth(world, gallery, auth);
      if (refused) return refused;
      emailCodes.delete(code);
      const firstVerification = !user.emailVerified;
      if (firstVerification && attempt.asksOwner) revokeEarlier(world, user.id, at);
      else if (firstVerification) revokeUnproven(world, user.id, at);
      const after = { ...user, lastSignInAt: at, emailVerified: !firstVerification || !attempt.asksOwner };
      users.set(after);
      addEvent(world, gallery, 'email_code', at, user.id, origin);
      return { outcome: 'signed_in', user: { ...userRecord(after), emailVerified: true }, firstVerification };
    },

    confirmEmailChange(attempt) {
      const { gallery, userId, at, lockout, origin } = attempt;
      const user = findUser(world, gallery, userId);
      if (!user) return { outcome: 'user_gone' };
      const change = pending(userId, 'change', at);
      if (!change?.newEmail || change.hash !== attempt.hash) {
        countWrong(change, attempt);
        addEvent(world, gallery, 'email_change_failed', at, userId, origin);
        return { outcome: 'wrong' };
      }
      const email = change.newEmail;
      const owner = findByEmail(world, gallery, email);
      if (owner && owner.id !== userId) return { outcome: 'email_taken' };
      const after = { ...user, email, emailVerified: true };
      users.set(after);
      emailCodes.deleteWhere(code => code.userId === userId);
      const key = change.newLockoutKey;
      if (key && key !== lockout.key) moveFailures(world, gallery.appId, lockout.key, key, at);
      addEvent(world, gallery, 'email_changed', at, userId, origin);
      return { outcome: 'applied', user: userRecord(after), before: user.email };
    },
  };
}

export function profileVerbs(world: World): Sync<ProfileStore> {
  const { users, templates } = world;
  const ownTemplates = (userId: string) =>
    templates.where(row => row.userId === userId).sort(by(row => row.sequence));

  function refusal(own: OwnTemplates) {
    if (!findUser(world, own.gallery, own.userId)) return { outcome: 'user_gone' as const };
    const other = otherEncoder(world, own.gallery, own.encoder);
    if (other) return other;
    return galleryState(world, own.gallery).sequence === own.sequence ? null : { outcome: 'stale' as const };
  }

  function store(own: OwnTemplates, as: 'enrolled' | 'learned') {
    const { gallery, userId, at, origin } = own;
    addTemplates(world, gallery, userId, own.templates, as, at);
    addEvent(world, gallery, 'templates_added', at, userId, origin);
    return { outcome: 'stored' as const, templateCount: ownTemplates(userId).length };
  }

  const changed = (gallery: GalleryKey, id: string, change: { name?: string; emailVerified?: boolean }) => {
    const user = findUser(world, gallery, id);
    if (!user) return null;
    users.set({ ...user, ...change });
    return userRecord({ ...user, ...change });
  };

  return {
    profileOf(gallery, id) {
      const user = findUser(world, gallery, id);
      const consent = world.consents.get(id);
      if (!user || !consent) return null;
      const { policyVersion, acceptedAt } = consent;
      const templateCount = ownTemplates(id).length;
      return { user: userRecord(user), templateCount, consent: { policyVersion, acceptedAt } };
    },
    renameUser: (gallery, id, name) => changed(gallery, id, { name }),
    confirmFace(gallery, id, at) {
      if (findUser(world, gallery, id)?.emailVerified === false) revokeUnproven(world, id, at);
      return changed(gallery, id, { emailVerified: true });
    },
    enrolledTemplates: (gallery, userId) =>
      ownTemplates(userId)
        .filter(row => row.origin === 'enrolled' && inGallery(gallery)(row))
        .flatMap(row => opened(world, row) ?? []),
    addLearned(learned) {
      const refused = refusal(learned);
      if (refused) return refused;
      const own = ownTemplates(learned.userId);
      const surplus = own.length + learned.templates.length - learned.most;
      const oldest = own.filter(row => row.origin === 'learned').slice(0, Math.max(0, surplus));
      removeTemplates(world, learned.gallery, oldest, learned.at);
      return store(learned, 'learned');
    },
    addFirst(first) {
      const refused = refusal(first);
      if (refused) return refused;
      if (ownTemplates(first.userId).length > 0) return { outcome: 'has_some' };
      rememberFirstEncoder(world, first.gallery, first.encoder);
      return store(first, 'enrolled');
    },
    recordFailedAdd({ gallery, userId, at, origin, failures, lockout }) {
      if (!findUser(world, gallery, userId)) return { outcome: 'user_gone' };
      addEvent(world, gallery, 'templates_refused', at, userId, origin);
      const owned = failures.map(window => ({ ...window, appId: gallery.appId }));
      const counted = takeWindows(world, owned, at);
      if (!counted.taken) return { outcome: 'window_full', endsAt: counted.endsAt };
      const full = longerFull(world, lockout, at);
      if (full) return { outcome: 'locked', endsAt: full.endsAt };
      countFailure(world, gallery.appId, lockout, at);
      return { outcome: 'recorded' };
    },
  };
}
