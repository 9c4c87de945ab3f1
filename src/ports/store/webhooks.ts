/**
 * Webhooks of apps, and what came of their deliveries. Address, types, description and secrets are sealed together and
 * bound to app, mode and id, so that nobody can plant a webhook or lead one elsewhere.
 */
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
}

export type NewWebhook = Omit<WebhookRecord, 'disabledAt' | 'disabledReason' | 'failingSince' | 'sentTo'>;

/** An event that is tried again, or again from the beginning (`attempt` 0). */
export interface Waiting {
  readonly webhookId: string;
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
  readonly error: string | null;
  readonly durationMs: number | null;
  /** When it is tried again; null: it is not. */
  readonly nextAt: number | null;
}

export interface WebhookStore {
  /** Atomic with the count of the webhooks of the gallery. It begins behind the newest event. */
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
   * Changes the given fields. `enabledAt`: what was told up to now is not sent. Null if there is none.
   * @param change `secrets`: a roll
   */
  updateWebhook(
    id: string,
    change: Partial<WebhookFields> &
      Partial<Pick<WebhookRecord, 'secrets'>> & { readonly enabledAt?: number },
    entry?: Recording,
  ): Promise<WebhookRecord | null>;
  /**
   * What waits is dropped, and stands in the deliveries as `disabled`. Null if there is none; a disabled one stays as it
   * is.
   */
  disableWebhook(
    id: string,
    reason: DisabledReason,
    at: number,
    entry?: Recording,
  ): Promise<WebhookRecord | null>;
  /** With its deliveries. False if there is none. */
  deleteWebhook(id: string, entry?: Recording): Promise<boolean>;

  /** Events of these types that were not attempted yet, in order. */
  webhookBacklog(webhook: WebhookRecord, limit: number): Promise<OutboxEvent[]>;
  /** What is to be tried again by `now`, the longest due first. What was erased meanwhile is dropped here. */
  dueWebhookEvents(webhook: WebhookRecord, now: number, limit: number): Promise<Waiting[]>;
  /**
   * Records attempts in one step: their rows, what waits, `sentTo` of first attempts, and since when the webhook fails.
   * @param sentTo by webhook: every event up to there was attempted or is not of its types
   */
  recordDeliveries(deliveries: readonly Delivery[], sentTo: ReadonlyMap<string, number>): Promise<void>;
  /** Newest first. @param failed only those with an error */
  listDeliveries(id: string, limit: number, failed?: boolean): Promise<Delivery[]>;
  /**
   * Lets events be sent again at once: one, or all of its types since a moment. @returns how many
   */
  replayWebhook(
    id: string,
    which: { readonly eventId: string } | { readonly since: number },
    at: number,
    entry?: Recording,
  ): Promise<number>;
  /** For operators: events that wait, and since when the oldest does, over all webhooks. */
  webhookFigures(now: number): Promise<{ readonly waiting: number; readonly oldestAt: number | null }>;
}
