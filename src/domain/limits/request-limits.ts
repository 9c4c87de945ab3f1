/** Step 2 of most requests: the limits per minute for an address, a secret key or a user. */
import type { Client } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { SITE_FACTOR } from './address-windows.ts';

/** One budget for challenges, enroll and match. */
export function limitAddress({ windows, settings }: Deps, client: Client): void {
  const message = 'Too many requests from this address. Try again later.';
  windows.take(`ip:${client.network}`, settings.limitIpPerMinute, message);
  if (client.site !== null)
    windows.take(`ip:${client.site}`, settings.limitIpPerMinute * SITE_FACTOR, message);
}

export function limitSecretKey({ windows, settings }: Deps, keyId: string): void {
  windows.take(
    `key:${keyId}`,
    settings.limitSecretKeyPerMinute,
    'Too many requests with this secret key. Try again later.',
  );
}

export function limitUser({ windows, settings }: Deps, userId: string): void {
  windows.take(
    `me:${userId}`,
    settings.limitMePerMinute,
    'Too many requests from this user. Try again later.',
  );
}
