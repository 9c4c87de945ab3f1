/** The limits per minute: for an address, a secret key or a user at step 2 of most requests, for an app at step 6. */
import type { Caller, Client } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { SITE_FACTOR } from './address-windows.ts';

const TOO_MANY = 'Too many requests from this address. Try again later.';

/** Of the address, and then of its /48: one budget for challenges, enroll and match. */
export async function limitAddress(
  { settings: { limitIpPerMinute: limit }, windows }: Deps,
  { network, site }: Client,
): Promise<void> {
  await windows.take(`ip:${network}`, limit, TOO_MANY);
  if (site !== null) await windows.take(`site:${site}`, limit * SITE_FACTOR, TOO_MANY);
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
