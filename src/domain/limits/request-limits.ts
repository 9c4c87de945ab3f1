/** The limits per minute: for an address, a secret key or a user at step 2 of most requests, for an app at step 6. */
import type { MinuteLimit } from '../../ports/entries.ts';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Caller, Client } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { SITE_FACTOR } from './address-windows.ts';

/** One budget for challenges, enroll and match. */
export async function limitAddress(deps: Deps, client: Client): Promise<void> {
  for (const { key, limit } of addressLimits(deps, client))
    await deps.windows.take(key, limit, 'Too many requests from this address. Try again later.');
}

/** Of the address, and then of its /48. Empty: off. */
export function addressLimits(
  { settings: { limitIpPerMinute: limit } }: Pick<Deps, 'settings'>,
  { network, site }: Pick<Client, 'network' | 'site'>,
): MinuteLimit[] {
  if (limit === 0) return [];
  const ofAddress = { key: `ip:${network}`, limit };
  return site === null ? [ofAddress] : [ofAddress, { key: `site:${site}`, limit: limit * SITE_FACTOR }];
}

/** One budget for the matches and the code requests of an app. Null: off. */
export function appLimit(
  { settings: { limitAppPerMinute: limit } }: Pick<Deps, 'settings'>,
  { appId, mode }: GalleryKey,
): MinuteLimit | null {
  return limit === 0 ? null : { key: `app:${appId}:${mode}`, limit };
}

/** @throws Refusal rate_limited */
export async function takeAppBudget(deps: Deps, { gallery }: Pick<Caller, 'gallery'>): Promise<void> {
  const app = appLimit(deps, gallery);
  if (app) await deps.windows.take(app.key, app.limit, 'Too many requests for this app. Try again later.');
}

export async function limitSecretKey({ windows, settings }: Deps, keyId: string): Promise<void> {
  await windows.take(
    `key:${keyId}`,
    settings.limitSecretKeyPerMinute,
    'Too many requests with this secret key. Try again later.',
  );
}

export async function limitUser({ windows, settings }: Deps, userId: string): Promise<void> {
  await windows.take(
    `me:${userId}`,
    settings.limitMePerMinute,
    'Too many requests from this user. Try again later.',
  );
}
