/** Sends webhooks to the servers of apps, and to no address that this service may reach and its apps may not. */
import type { DeliveryError } from '../protocol/delivery-errors.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** Null: the status is 2xx. */
  readonly error: DeliveryError | null;
  readonly durationMs: number;
}

export interface WebhookSender {
  /**
   * Why nothing is sent to this address, as the end of a sentence about it; null: it may be. A name that does not
   * resolve now may resolve later, and is taken. Each attempt asks again.
   */
  addressFault(url: string): Promise<string | null>;
  /**
   * Posts a request, for at most 15 seconds. A name is resolved once, and the address that was checked is connected to.
   * Redirects are not followed, and of the answer little more than the status is read.
   * @returns null: the sender was closed meanwhile
   */
  send(request: WebhookRequest): Promise<WebhookAnswer | null>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}
