/**
 * What operators do to webhooks. A secret is answered when it is made, and never again.
 * Held by test/portal/internal/webhooks.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Delivery, WebhookRecord, WebhookSecret } from '../../ports/store.ts';
import { readWebhook } from '../../protocol/portal/webhook-fields.ts';
import { recordEntry } from '../access/audit.ts';
import type { AdminDeps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { newSecret, rolled } from '../webhooks/signature.ts';
import { tryWebhook } from '../webhooks/trying.ts';
import { invalid, noSuch, OperatingFault } from './fault.ts';

type WebhookDeps = Pick<AdminDeps, 'store' | 'entry' | 'clock' | 'random'>;
type SendingDeps = WebhookDeps & Pick<AdminDeps, 'webhookSender'>;

const MOST = 10;

/** A webhook, and the secret that was made with it. */
export interface MadeSecret {
  readonly webhook: WebhookRecord;
  readonly secret: string;
}

/** As they are sent. */
interface Fields {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
}
type Change = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** @param id made by `newId` @throws OperatingFault webhook_limit: the app and mode has ten */
export async function createWebhook(
  deps: SendingDeps,
  gallery: GalleryKey,
  id: string,
  fields: Fields,
): Promise<MadeSecret> {
  const { store, clock, entry, random } = deps;
  const kept = await checked(deps, fields);
  const made = { id, gallery, ...kept, secrets: [newSecret(random)], createdAt: clock.now() };
  const outcome = await store.createWebhook(made, MOST, entry);
  if (outcome === 'no_such_app') throw noSuch('app', gallery.appId);
  if (outcome === 'too_many')
    throw new OperatingFault(
      'webhook',
      'webhook_limit',
      `the app has ${MOST} ${gallery.mode} webhooks, and may have no more: delete one first`,
    );
  return withSecret(await findWebhook(deps, id));
}

/** Oldest first. */
export function listWebhooks(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
): Promise<WebhookRecord[]> {
  return store.listWebhooks({ gallery });
}

/** Finds it in any app and mode. @throws OperatingFault not_found */
export async function findWebhook({ store }: Pick<AdminDeps, 'store'>, id: string): Promise<WebhookRecord> {
  const [webhook] = await store.listWebhooks({ id });
  return known(id, webhook);
}

/** Changes what is given. @throws OperatingFault */
export async function updateWebhook(
  deps: SendingDeps,
  id: string,
  { enabled, ...fields }: Change & { readonly enabled?: boolean | undefined },
): Promise<WebhookRecord> {
  const { store, clock, entry } = deps;
  const kept = await checked(deps, fields);
  if (enabled === false) {
    const disabled = await store.disableWebhook(id, 'operator', clock.now(), entry);
    if (Object.keys(kept).length === 0) return known(id, disabled);
  }
  return known(id, await store.updateWebhook(id, { ...kept, ...(enabled && { enabled }) }, entry));
}

/** The secret before signs for another day; one before that ends at once. @throws OperatingFault not_found */
export async function rollWebhook(
  { store, clock, random, entry }: WebhookDeps,
  id: string,
): Promise<MadeSecret> {
  const now = clock.now();
  const secrets = (before: readonly WebhookSecret[]) => rolled(before, random, now);
  return withSecret(known(id, await store.updateWebhook(id, { secrets }, entry)));
}

/** @throws OperatingFault not_found */
export async function deleteWebhook({ store, entry }: WebhookDeps, id: string): Promise<void> {
  if (!(await store.deleteWebhook(id, entry))) throw noSuch('webhook', id);
}

/** One attempt with an event that no feed has, also if the webhook is disabled. @throws Refusal: the service ends */
export async function testWebhook(deps: SendingDeps, webhook: WebhookRecord): Promise<Delivery> {
  const delivery = await tryWebhook(deps, webhook);
  if (!delivery) throw new Refusal('service_unavailable', 'The service is stopping: send the request again.');
  await recordEntry(deps);
  return delivery;
}

/** Newest first. */
export function listDeliveries(
  { store }: Pick<AdminDeps, 'store'>,
  { id }: WebhookRecord,
  limit: number,
  failed = false,
): Promise<Delivery[]> {
  return store.listDeliveries(id, limit, failed);
}

/**
 * Sends one event again, or all of its types since a moment. @returns how many
 * @throws OperatingFault not_found: the event is not kept; webhook_disabled
 */
export async function replayWebhook(
  { store, clock, entry }: WebhookDeps,
  { id, gallery, disabledAt }: WebhookRecord,
  eventId: string | undefined,
  since: number | undefined,
): Promise<number> {
  if ((eventId === undefined) === (since === undefined))
    throw invalid('event_id', 'is required if you do not give since, and not allowed beside it');
  if (disabledAt !== null)
    throw new OperatingFault('webhook', 'webhook_disabled', 'the webhook is disabled: enable it first');
  if (eventId !== undefined && !(await store.outboxEvent(gallery, eventId)))
    throw new OperatingFault(
      'event',
      'not_found',
      'no such event of this app and mode is kept: events go after 7 days, or with their user',
    );
  const which = eventId === undefined ? { since: since as number } : { eventId };
  return store.replayWebhook(id, which, clock.now(), entry);
}

/** The newest one. */
const withSecret = (webhook: WebhookRecord): MadeSecret => ({
  webhook,
  secret: webhook.secrets[0]?.secret ?? '',
});

/** The fields as they are kept. @throws OperatingFault */
async function checked<Given extends Change>({ webhookSender }: SendingDeps, given: Given) {
  const kept = readWebhook(given);
  if ('rule' in kept) throw invalid(kept.field, kept.rule);
  const fault = kept.url === undefined ? null : await webhookSender.addressFault(kept.url);
  if (fault !== null) throw invalid('url', fault);
  return kept;
}

function known(id: string, webhook: WebhookRecord | null | undefined): WebhookRecord {
  if (!webhook) throw noSuch('webhook', id);
  return webhook;
}
