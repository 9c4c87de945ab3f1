/**
 * Signs webhooks: Standard Webhooks 1.0.0 (https://www.standardwebhooks.com), with a shared secret. Held by
 * test/domain/webhooks.test.ts.
 */
import { createHmac } from 'node:crypto';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { WebhookSecret } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { WebhookRequest } from '../../ports/webhook-sender.ts';
import { DAY, SECOND } from '../../protocol/limits.ts';
import { sentEvent } from '../sent-event.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** How long the secret before goes on signing after a roll. */
const OVERLAP = DAY;

export const newSecret = (random: Random): WebhookSecret => ({
  secret: PREFIX + random.bytes(SECRET_BYTES).toString('base64'),
  endsAt: null,
});

/** The secrets after a roll, the new one first: the newest until now signs beside it for a while. */
export function rolled([newest]: readonly WebhookSecret[], random: Random, now: number): WebhookSecret[] {
  return [newSecret(random), ...(newest ? [{ ...newest, endsAt: now + OVERLAP }] : [])];
}

export function signature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** What is posted: signed with each secret that has not ended. */
export function signedRequest(
  {
    url,
    gallery,
    secrets,
  }: {
    readonly url: string;
    readonly gallery: GalleryKey;
    readonly secrets: readonly WebhookSecret[];
  },
  event: Parameters<typeof sentEvent>[1],
  now: number,
): WebhookRequest {
  const body = JSON.stringify(sentEvent(gallery, event));
  const timestamp = Math.floor(now / SECOND);
  const signatures = secrets
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .map(({ secret }) => signature(secret, event.id, timestamp, body));
  return {
    url,
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
