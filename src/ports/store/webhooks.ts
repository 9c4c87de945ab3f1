/**
 * Webhooks of apps, and what came of their deliveries. Address, types, description and secrets are sealed together and
 * bound to app, mode and id, so that nobody can plant a webhook or lead one elsewhere.
 */
import type { DeliveryError } from '../../protocol/delivery-errors.ts';
import type { OutboxType } from '../../protocol/outbox.ts';
import type { GalleryKey } from '../matcher.ts';
import type { Recording } from './audit.ts';
import type { OutboxEvent } from './outbox.ts';

/** Why a webhook gets nothing: an operator's wish, four days of failures, or an answer 410. */
export type DisabledReason = 'operator' | 'failing' | 'gone';

export interface WebhookSecret {
  /** `whsec_` and base64 of 32 bytes. */
  readonly secret: string;
  /** Signs until then. Null: the newest. */
  readonly endsAt: number | null;
}

/** What operators set. */
export interface WebhookFields {
  readonly url: string;
  /** Types, or `*` alone for all. */
  readonly events: readonly (OutboxType | '*')[];
  readonly description: string;
}

/** Undefined: all. */
export const typesOf = (events: WebhookFields['events']) =>
  events.includes('*') ? undefined : (events as readonly OutboxType[]);

export interface WebhookRecord extends WebhookFields {
  readonly id: string;
  readonly gallery: GalleryKey;
  /** At most two, newest first. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly disabledReason: DisabledReason | null;
  /** The first failure after the last success; null: the last attempt was good, or there was none. */
  readonly failingSince: number | null;
  /** The `seq` up to which first attempts were made or dropped. */
  readonly sentTo: number;
  /** Another one whenever an operator or the service has changed the webhook, but not by deliveries. */
  readonly revision: number;
}

export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'gallery' | 'url' | 'events' | 'description' | 'secrets' | 'createdAt'
>;

/** An event that is tried again, or again from the beginning (`attempt` 0). */
export interface Waiting {
  readonly event: OutboxEvent;
  /** How many attempts there were. */
  readonly attempt: number;
}

/** One attempt, or an event that was dropped when its webhook was disabled (attempt 0, error `disabled`). */
export interface Delivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: OutboxType | 'webhook.test';
  /** From 1. */
  readonly attempt: number;
  readonly at: number;
  /** Of the answer; null: there was none. */
  readonly status: number | null;
  /** Null: delivered. */
  readonly error: DeliveryError | null;
  readonly durationMs: number | null;
  /** When it is tried again; null: it is not. */
  readonly nextAt: number | null;
}

/** How far the first attempts of a webhook have come. */
export interface WebhookProgress {
  /** Every event up to there was attempted, is parked or is not of its types. */
  readonly sentTo: number;
  /** Events whose first attempt takes long: they wait as if there had been none, in case it is never recorded. */
  readonly parked: readonly string[];
}

/** What there may be to send for a webhook that is not disabled. */
export interface WebhookNews {
  readonly id: string;
  readonly revision: number;
  /** `seq` of the newest event of its app and mode. */
  readonly newest: number;
  /** When the first event is to be tried again; null: none is. */
  readonly dueAt: number | null;
}

export interface WebhookFigures {
  /** Events that wait: of each webhook, those that are tried again, and at most 10,000 others. */
  readonly waiting: number;
  /** When the oldest of them happened. */
  readonly oldestAt: number | null;
}

export interface WebhookStore {
  /** Atomic with the count of the webhooks of the app and mode. It begins behind the newest event. */
  createWebhook(
    webhook: NewWebhook,
    maximum: number,
    entry?: Recording,
  ): Promise<'created' | 'too_many' | 'no_such_app'>;
  /** Oldest first. Rows that the store did not write are left out. */
  listWebhooks(
    by: { readonly gallery: GalleryKey } | { readonly id: string } | 'all',
  ): Promise<WebhookRecord[]>;
  /**
   * Changes the given fields. Null if there is none.
   * @param change `secrets`: a roll of those that there are, in the same step. `enabled`: what happened while it was
   *   disabled is not sent
   */
  updateWebhook(
    id: string,
    change: Partial<WebhookFields> & {
      readonly secrets?: (before: WebhookRecord['secrets']) => WebhookRecord['secrets'];
      readonly enabled?: true;
    },
    entry?: Recording,
  ): Promise<WebhookRecord | null>;
  /**
   * What waits is dropped, and stands in the deliveries as `disabled`: a part at a time, and pruning does what an
   * interrupted call has left. Null if there is none; a disabled one stays as it is.
   */
  disableWebhook(
    id: string,
    reason: DisabledReason,
    at: number,
    entry?: Recording,
  ): Promise<WebhookRecord | null>;
  /** With its deliveries, a part at a time. False if there is none. */
  deleteWebhook(id: string, entry?: Recording): Promise<boolean>;

  /** Of all webhooks that are not disabled, in one read. */
  webhookNews(): Promise<WebhookNews[]>;
  /** What is to be tried again by `now`, the longest due first. What was erased meanwhile is dropped here. */
  dueWebhookEvents(
    webhook: Pick<WebhookRecord, 'id' | 'gallery'>,
    now: number,
    limit: number,
  ): Promise<Waiting[]>;
  /**
   * Records attempts in one step, in their order: their rows, what waits, how far webhooks have come, and since when
   * they fail. Of a disabled webhook nothing waits any more, and of a deleted one nothing is recorded.
   * @param attempts `waited`: the event was tried again, or was parked
   * @param progress by webhook
   */
  recordDeliveries(
    attempts: readonly (Delivery & { readonly waited?: boolean })[],
    progress: ReadonlyMap<string, WebhookProgress>,
    at: number,
  ): Promise<void>;
  /** Newest first. @param failed only those with an error */
  listDeliveries(id: string, limit: number, failed?: boolean): Promise<Delivery[]>;
  /**
   * Lets events be sent again at once: one, or all of its types since a moment. What was not attempted yet is sent
   * anyway, and counts. None if it is disabled. That there was none since a moment has its entry too.
   * @returns how many
   */
  replayWebhook(
    id: string,
    which: { readonly eventId: string } | { readonly since: number },
    at: number,
    entry?: Recording,
  ): Promise<number>;
  /** For operators, over those of the webhooks that are not disabled. */
  webhookFigures(webhooks: readonly WebhookRecord[]): Promise<WebhookFigures>;
}
