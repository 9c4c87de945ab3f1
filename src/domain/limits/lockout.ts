/**
 * The failures of one user, and whom they shut out. What everyone may fill lasts a quarter of an hour, as the API
 * promises. What lasts a day shuts out the network that filled it, or only the user can fill it. Held by
 * test/http/slow-attacks.long.test.ts, me-template-lockout.test.ts and test/contract/known-networks.ts.
 */
import type { KnownNetwork, Lockout, Window } from '../../ports/store.ts';
import { DAY, LOCKOUT_FAILURES, LOCKOUT_WINDOW, NETWORK_KNOWN } from '../../protocol/limits.ts';
import type { Caller, Client, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { type Refusal, rateLimited } from '../refusal.ts';
import { personalKey } from './request-limits.ts';

/**
 * Failures of one user, from face matches and codes: of all networks in a quarter of an hour, and of the caller's
 * network in 24 hours, because five per quarter alone would allow 480 guesses a day. What one network does in a day
 * shuts out that network, not the user. Failures are counted by email address, so unknown addresses count the same way,
 * and a count passes to the user who enrolls with the address.
 */
export function lockoutOf(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  { gallery, ...client }: Pick<Caller, 'gallery' | 'network' | 'site'>,
  email: string,
): Lockout {
  const key = lockoutKey(deps, gallery, email);
  const limit = deps.settings.limitUserFailuresDay;
  const ofNetwork = () => `${key}:${deps.secrets.hash('lockout-network', networkOf(client))}`;
  return {
    key,
    limit: LOCKOUT_FAILURES,
    length: LOCKOUT_WINDOW,
    longer: limit === 0 ? undefined : { key: ofNetwork(), limit, length: DAY },
  };
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. */
function networkOf({ network, site }: Pick<Client, 'network' | 'site'>): string {
  return site ?? network.replace(/\.\d+$/, '.0/24');
}

/**
 * Remembers from where a user signs in: from there, strangers cannot use up the failures of a day. Undefined if that
 * limit is off.
 */
export function knownNetworkOf(deps: Pick<Deps, 'secrets' | 'settings' | 'clock'>, caller: Caller) {
  if (deps.settings.limitUserFailuresDay === 0) return undefined;
  const { appId, mode } = caller.gallery;
  return (userId: string): KnownNetwork => ({
    network: deps.secrets.hash('known-network', [appId, mode, userId, networkOf(caller)].join('\0')),
    endsAt: deps.clock.now() + NETWORK_KNOWN,
  });
}

/** Faces that a user has tried to add, and that were refused. Only the user can fill this. */
export function refusedAddsWindow(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  gallery: Caller['gallery'],
  userId: string,
): Window | null {
  const limit = deps.settings.limitUserFailuresDay;
  return limit === 0 ? null : { key: refusedAddsKey(deps, gallery, userId), limit, length: DAY };
}

export function refusedAddsKey(
  deps: Pick<Deps, 'secrets'>,
  gallery: Caller['gallery'],
  userId: string,
): string {
  return personalKey(deps, 'refused-adds', gallery, 'refused-adds', userId);
}

export function lockoutKey(deps: Pick<Deps, 'secrets'>, gallery: Caller['gallery'], email: string): string {
  return personalKey(deps, 'lockout', gallery, 'lockout-email', email.toLowerCase());
}

/** The user is locked out of codes. Unregistered addresses get the same answer. */
export function lockedRefusal(deps: Deps, endsAt: number): Refusal {
  return rateLimited(deps, 'Too many failed attempts for this email address. Try again later.', endsAt);
}

export function addsRefusal(deps: Deps, endsAt: number): Refusal {
  return rateLimited(deps, 'Too many pictures of this user were refused. Try again later.', endsAt);
}

/** Checks the faces of this user that were refused, from all client addresses. @throws Refusal rate_limited */
export async function requireFewRefusedAdds(deps: Deps, { gallery, user }: UserCaller): Promise<void> {
  const window = refusedAddsWindow(deps, gallery, user.id);
  const state = window && (await deps.store.peekWindow(window.key, deps.clock.now(), window.length));
  if (state && state.count >= window.limit) throw addsRefusal(deps, state.endsAt);
}
