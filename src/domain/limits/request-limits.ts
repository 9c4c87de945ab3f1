/** The limits per minute: for an address, a secret key or a user at step 2 of most requests, for an app at step 6. */

import type { OwnedWindow, Window } from '../../ports/store.ts';
import type { Caller, Client, KeyCaller, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { rateLimited } from '../refusal.ts';

export const FROM_ADDRESS = 'Too many requests from this address. Try again later.';

/** Of the address, and then of its /48: one budget for challenges, enroll and match. */
export async function limitAddress(
  { settings: { limitIpPerMinute: limit }, windows }: Deps,
  { network, site }: Client,
): Promise<void> {
  await windows.take(`ip:${network}`, limit, FROM_ADDRESS);
  if (site !== null) await windows.take(`site:${site}`, limit * SITE_FACTOR, FROM_ADDRESS);
}

/** One budget for the matches and the code requests of an app. @throws Refusal rate_limited */
export async function takeAppBudget(
  { settings, windows }: Deps,
  { gallery: { appId, mode } }: Pick<Caller, 'gallery'>,
): Promise<void> {
  await windows.take(
    `app:${appId}:${mode}`,
    settings.limitAppPerMinute,
    'Too many requests for this app. Try again later.',
  );
}

export async function limitSecretKey({ windows, settings }: Deps, { keyId }: KeyCaller): Promise<void> {
  await windows.take(
    `key:${keyId}`,
    settings.limitSecretKeyPerMinute,
    'Too many requests with this secret key. Try again later.',
  );
}

export async function limitUser({ windows, settings }: Deps, { user }: UserCaller): Promise<void> {
  await windows.take(
    `me:${user.id}`,
    settings.limitMePerMinute,
    'Too many requests from this user. Try again later.',
  );
}

/** A /48 gets this many times the limit of one address. */
const SITE_FACTOR = 10;

/**
 * The windows that count a client address: the address itself, or its /64 for IPv6. An IPv6 address also counts for
 * its /48, with ten times the limit, because a /48 contains 65,536 networks of size /64. Held by
 * test/http/windows.test.ts.
 * @param purpose of the hash, so that windows of different kinds cannot be linked
 * @param limit 0: off
 */
export function addressWindows(
  { secrets }: Pick<Deps, 'secrets'>,
  { network, site }: Pick<Client, 'network' | 'site'>,
  { prefix, purpose, limit, length }: { prefix: string; purpose: string; limit: number; length: number },
): Window[] {
  if (limit === 0) return [];
  const of = (address: string, factor: number): Window => ({
    key: `${prefix}:${secrets.hash(purpose, address)}`,
    limit: limit * factor,
    length,
  });
  return site === null ? [of(network, 1)] : [of(network, 1), of(site, SITE_FACTOR)];
}

/** The key of a window about one person of a gallery, who is in it only as a keyed hash. */
export function personalKey(
  { secrets }: Pick<Deps, 'secrets'>,
  prefix: string,
  { appId, mode }: Caller['gallery'],
  purpose: string,
  person: string,
): string {
  return `${prefix}:${appId}:${mode}:${secrets.hash(purpose, person)}`;
}

/** A window and what its refusal says. */
export interface Limited extends OwnedWindow {
  readonly message: string;
}

/** Counts in all the windows, or in none. @throws Refusal rate_limited */
export async function takeWindows(deps: Deps, windows: readonly Limited[]): Promise<void> {
  if (windows.length === 0) return;
  const counted = await deps.store.takeWindows(
    windows.map(({ message: _, ...window }) => window),
    deps.clock.now(),
  );
  if (!counted.taken) throw rateLimited(deps, windows[counted.full]?.message ?? FROM_ADDRESS, counted.endsAt);
}
