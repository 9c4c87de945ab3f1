/**
 * Sends the events of an app and mode to a program under development, each once.
 * Held by test/cli/webhook-listen.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import { type Delivery, type OutboxEvent, typesOf, type WebhookSecret } from '../../ports/store.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { WebhookEvent } from '../../protocol/portal/webhook-fields.ts';
import type { AdminDeps } from '../deps.ts';
import { signedRequest } from '../webhooks/signature.ts';

export type { Delivery } from '../../ports/store.ts';

const PAGE = 100;

interface Target {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly secret: WebhookSecret;
}

/** Each call sends what was told since the call before, one event after the other, until the signal. */
export async function forwarding(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  sender: Pick<WebhookSender, 'send'>,
  gallery: GalleryKey,
  { url, events, secret }: Target,
): Promise<(over: AbortSignal) => AsyncGenerator<Delivery>> {
  const to = { url, gallery, secrets: [secret] };
  let { newest: after } = await store.outboxState(gallery);

  async function sent(event: OutboxEvent): Promise<Delivery | null> {
    const at = clock.now();
    const { id: eventId, type } = event;
    const answer = await sender.send(signedRequest(to, event, at));
    return answer && { webhookId: '', eventId, type, attempt: 1, at, ...answer, nextAt: null };
  }

  return async function* added(over) {
    for (;;) {
      const page = await store.outboxEvents(gallery, after, PAGE, typesOf(events));
      for (const event of page) {
        const delivery = over.aborted ? null : await sent(event);
        if (!delivery) return;
        after = event.seq;
        yield delivery;
      }
      if (page.length < PAGE) return;
    }
  };
}
