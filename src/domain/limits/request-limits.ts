/** Step 2 of most requests: the limits per minute for an address, a secret key or a user. */
import type { Client } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { SITE_FACTOR } from './address-windows.ts';

/** One budget for challenges, enroll and match. */
export async function limitAddress({ windows, settings }: Deps, client: Client): Promise<void> {
  const message = 'Too many requests from this address. Try again later.';
  await windows.take(`ip:${client.network}`, settings.limitIpPerMinute, message);
  if (client.site !== null)
    await windows.take(`ip:${client.site}`, settings.limitIpPerMinute * SITE_FACTOR, message);
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
