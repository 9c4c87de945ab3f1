/** Records that the contract's tests store. Ids are told apart by what they are for, not by chance. */
import type { GalleryKey } from '../../src/ports/matcher.ts';
import type {
  AppRecord,
  DeletionTerms,
  Enrolment,
  FailedMatch,
  NewKey,
  NewSigningKey,
  SignIn,
  Store,
  Window,
} from '../../src/ports/store.ts';
import { FIRST_TEAM } from '../../src/ports/store.ts';
import { NO_SETTINGS } from '../../src/protocol/app-fields.ts';

export const NOW = Date.parse('2026-03-15T12:00:00.000Z');
export const MONTH = '2026-03';
export const FIRST = 'app_contract_first0000000000';
export const SECOND = 'app_contract_second000000000';
export const LIVE: GalleryKey = { appId: FIRST, mode: 'live' };
export const TEST: GalleryKey = { appId: FIRST, mode: 'test' };
export const OTHER: GalleryKey = { appId: SECOND, mode: 'live' };
export const GALLERIES = [LIVE, TEST, OTHER, { appId: SECOND, mode: 'test' }] as const;
export const UNLIMITED = { month: MONTH, limit: null };
/** A token that a step gives. */
export const TOKEN = { jti: 'jti_coming', expiresAt: NOW + 3_600_000 };

export function appRecord(id: string, change: Partial<AppRecord> = {}): AppRecord {
  return {
    ...NO_SETTINGS,
    id,
    teamId: FIRST_TEAM,
    name: `Name of ${id}`,
    allowedOrigins: [`https://${id.toLowerCase().replaceAll('_', '-')}.example`],
    createdAt: NOW,
    ...change,
  };
}

export function newKey(id: string, change: Partial<NewKey> = {}): NewKey {
  return {
    id,
    appId: FIRST,
    type: 'secret',
    mode: 'live',
    last4: id.slice(-4),
    createdAt: NOW,
    hash: `hash of ${id}`,
    label: null,
    madeBy: 'command line',
    ...change,
  };
}

/** A vector like no other: its first numbers tell which. */
export function vector(seed: number): Float32Array {
  return Float32Array.from({ length: 128 }, (_, i) => Math.sin(seed * 1_000 + i) / 8);
}

let people = 0;

/** An enrolment of somebody new, with two templates. */
export function enrolment(
  change: Partial<Enrolment> & { email?: string; id?: string; name?: string } = {},
): Enrolment {
  const { email, id, name, ...rest } = change;
  const number = ++people;
  return {
    gallery: LIVE,
    user: {
      id: id ?? `usr_${number}`,
      email: email ?? `person${number}@example.com`,
      name: name ?? `Person ${number}`,
    },
    at: NOW,
    templates: [0, 1].map(i => ({ id: `tpl_${number}_${i}`, vector: vector(number + i / 4) })),
    encoder: null,
    policyVersion: '2026-01',
    token: TOKEN,
    origin: { ip: '192.0.2.1', userAgent: 'Browser/1', liveness: { score: 0.5 } },
    auth: UNLIMITED,
    maximumUsers: null,
    sequence: 0,
    ...rest,
  };
}

/** Enrolls somebody where the gallery stands now; with the user's number. */
export async function enrolled(
  store: Store,
  change: Parameters<typeof enrolment>[0] = {},
): Promise<Enrolment & { readonly number: number }> {
  const gallery = change.gallery ?? LIVE;
  const person = enrolment({ ...change, sequence: (await store.galleryState(gallery)).sequence });
  const { outcome } = await store.enrol(person);
  if (outcome !== 'enrolled') throw new Error(`a fixture was not enrolled: ${outcome}`);
  const { added } = await store.galleryChanges(gallery, person.sequence, 1);
  return { ...person, number: added.users[0] ?? 0 };
}

/** @returns how many there were */
export const deleteUser = (
  store: Store,
  gallery: GalleryKey,
  id: string,
  at: number,
  terms?: DeletionTerms,
) => store.deleteUsers([{ gallery, id }], at, terms);

/** Counts in one window. @returns its end too, also where it had room */
export async function takeWindow(store: Store, appId: string | null, window: Window, now: number) {
  const counted = await store.takeWindows([{ ...window, appId }], now);
  const endsAt = counted.taken ? (await store.peekWindow(window.key, now))?.endsAt : counted.endsAt;
  return { taken: counted.taken, endsAt };
}

/** Auths counted in the month. */
export async function authsOf(store: Store, gallery = LIVE, month = MONTH): Promise<number> {
  return (await store.usageOf(gallery, month)).auths;
}

/** Signs somebody out. @returns false: the token was revoked before */
export const signOut = (store: Store, jti: string, expiresAt = NOW + 1_000, userId = 'usr_1') =>
  store.revokeToken(LIVE, { userId, jti, expiresAt }, NOW);

/** Ids of challenges that are good until a minute after NOW. */
export async function challenges(
  store: Store,
  howMany: number,
  gallery = LIVE,
  prefix = 'ch',
): Promise<string[]> {
  const ids = Array.from({ length: howMany }, (_, i) => `${prefix}_${gallery.appId}_${gallery.mode}_${i}`);
  await Promise.all(ids.map(id => store.addChallenge({ id, gallery, expiresAt: NOW + 60_000 })));
  return ids;
}

export function signIn(user: number, challengeId: string, change: Partial<SignIn> = {}): SignIn {
  return {
    gallery: LIVE,
    challengeId,
    user,
    at: NOW + 1,
    token: TOKEN,
    origin: { ip: '192.0.2.2', userAgent: 'Browser/2', liveness: undefined },
    auth: UNLIMITED,
    matchesOf: () => null,
    failures: [],
    distanceBin: 10,
    ...change,
  };
}

export function failedMatch(change: Partial<FailedMatch> = {}): FailedMatch {
  return {
    gallery: LIVE,
    challengeId: null,
    during: 'match',
    at: NOW + 2,
    nearUser: null,
    distanceBin: null,
    origin: { ip: '192.0.2.3', userAgent: 'Browser/3', liveness: undefined },
    auth: UNLIMITED,
    failures: [],
    lockout: null,
    ...change,
  };
}

export function signingKey(kid: string, signsAt = NOW): NewSigningKey {
  const publicJwk = { kty: 'EC', crv: 'P-256', x: `x of ${kid}`, y: `y of ${kid}` };
  return {
    kid,
    publicJwk,
    privateJwk: { ...publicJwk, d: `private half of ${kid}` },
    createdAt: NOW,
    signsAt,
  };
}
