/** Tries a webhook: one attempt with an event that no feed has, recorded among its deliveries. */
import { type Delivery, newOutboxId, type Store, type WebhookRecord } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { signedRequest } from './signature.ts';

interface TryingDeps {
  readonly store: Pick<Store, 'recordDeliveries'>;
  readonly clock: { now(): number };
  readonly random: Random;
  readonly webhookSender: Pick<WebhookSender, 'send'>;
}

/** Works in any process, also beside a running service, and with a disabled webhook. Null: the sender was closed. */
export async function tryWebhook(
  { store, clock, random, webhookSender }: TryingDeps,
  webhook: WebhookRecord,
): Promise<Delivery | null> {
  const at = clock.now();
  const event = {
    id: newOutboxId(random, at),
    seq: 0,
    type: 'webhook.test',
    at,
    data: { webhook_id: webhook.id },
  } as const;
  const answer = await webhookSender.send(signedRequest(webhook, event, at));
  if (!answer) return null;
  const made: Delivery = {
    webhookId: webhook.id,
    eventId: event.id,
    type: event.type,
    attempt: 1,
    at,
    ...answer,
    nextAt: null,
  };
  await store.recordDeliveries([made], new Map(), at);
  return made;
}
