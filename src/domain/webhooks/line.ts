/**
 * One webhook while this node delivers: what is read but not sent yet, what is under way, and how far it has come. What
 * is read is dropped soon, so that an event that was erased meanwhile is not sent. Held by
 * test/webhooks/delivering.test.ts.
 */
import {
  type OutboxEvent,
  type Store,
  typesOf,
  type Waiting,
  type WebhookNews,
  type WebhookProgress,
  type WebhookRecord,
} from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import { FAILING_FOR } from './disabling.ts';

/** Requests to one webhook at once; one only while it is slow. */
const AT_ONCE = 4;
const SLOW_MS = 5 * SECOND;
/** After so many failures in a row a webhook gets one event each turn, until one is delivered. */
const MOST_FAILURES = 10;
/** A first attempt that takes longer is recorded as under way, so that what came behind it is not sent again. */
const PARKED_AFTER_MS = SECOND;
/** Events read at once. */
const LEAST_READ = 8;
const MOST_READ = 200;
/** How often a place is written that no delivery tells. */
const PLACE_MS = 10 * SECOND;

/** An event on its way. */
export interface Flight extends Waiting {
  /** It may be among what waits in the store. */
  waits: boolean;
  /** It is there for certain. */
  isKept: boolean;
  /** When it began. */
  readonly at: number;
}

export type LineStore = Pick<Store, 'outboxEvents' | 'dueWebhookEvents'>;

export class Line {
  webhook: WebhookRecord;
  /** Why it gets nothing more. */
  ending: 'failing' | 'gone' | null = null;
  isSlow = false;
  readonly #store: LineStore;
  readonly #flights = new Map<string, Flight>();
  /** Attempts that are over and not recorded yet. */
  readonly #over = new Set<string>();
  #newest = 0;
  #dueAt: number | null = null;
  /** The `seq` up to which events were taken. */
  #readTo: number;
  #recordedTo: number;
  #recordedAt = 0;
  #fresh: OutboxEvent[] = [];
  /** Where the reading of `fresh` ended; null: there may be more. */
  #freshTo: number | null = null;
  #again: Waiting[] = [];
  #isReading = false;
  #hasReadAgain = false;
  #prefersAgain = false;
  #failures = 0;
  #failingSince: number | null;
  #started = 0;
  #startedBefore = 0;

  constructor(store: LineStore, webhook: WebhookRecord) {
    this.#store = store;
    this.webhook = webhook;
    this.#readTo = webhook.sentTo;
    this.#recordedTo = webhook.sentTo;
    this.#failingSince = webhook.failingSince;
  }

  /** It was changed by an operator. */
  change(webhook: WebhookRecord): void {
    this.webhook = webhook;
    this.#readTo = Math.max(this.#readTo, webhook.sentTo);
    this.#failingSince = webhook.failingSince;
    this.#failures = 0;
    this.ending = null;
  }

  /** A turn begins: what was read before is read again. */
  turn({ newest, dueAt }: Pick<WebhookNews, 'newest' | 'dueAt'>): void {
    this.#newest = newest;
    this.#dueAt = dueAt;
    this.#fresh = [];
    this.#freshTo = null;
    this.#again = [];
    this.#hasReadAgain = false;
    this.#startedBefore = this.#started;
    this.#started = 0;
  }

  /** Whether it may have something to send. */
  hasNews(now: number): boolean {
    return this.ending === null && (this.#readTo < this.#newest || this.#isDue(now));
  }

  isFull(): boolean {
    const rests = this.#failures >= MOST_FAILURES && this.#started > 0;
    return this.ending !== null || rests || this.#flights.size >= (this.isSlow ? 1 : AT_ONCE);
  }

  /** The next event, those that are tried again and new ones in turns. Null: read first, if there is news. */
  take(now: number): Flight | null {
    this.#prefersAgain = !this.#prefersAgain;
    const isAgain = this.#again.length > 0 && (this.#prefersAgain || this.#fresh.length === 0);
    const next = isAgain ? this.#again.shift() : this.#takeFresh();
    if (!next) return null;
    this.#started += 1;
    const flight = { ...next, waits: isAgain, isKept: isAgain, at: now };
    this.#flights.set(next.event.id, flight);
    return flight;
  }

  #takeFresh(): Waiting | undefined {
    const event = this.#fresh.shift();
    if (event) this.#readTo = event.seq;
    if (this.#fresh.length === 0 && this.#freshTo !== null) {
      this.#readTo = Math.max(this.#readTo, this.#freshTo);
      this.#freshTo = null;
    }
    return event && { event, attempt: 0 };
  }

  #isDue(now: number): boolean {
    return this.#dueAt !== null && this.#dueAt <= now && !this.#hasReadAgain;
  }

  /** Reads what comes next. @returns whether there is any */
  async read(now: number): Promise<boolean> {
    if (this.#isReading) return false;
    this.#isReading = true;
    const rests = this.isSlow || this.#failures >= MOST_FAILURES;
    const limit = rests ? 1 : Math.min(MOST_READ, Math.max(LEAST_READ, 2 * this.#startedBefore));
    try {
      if (this.#isDue(now)) {
        this.#hasReadAgain = true;
        // What is recorded while this is read may still be in the answer.
        const before = new Set([...this.#flights.keys(), ...this.#over]);
        const most = before.size + (rests ? 1 : MOST_READ);
        const found = await this.#store.dueWebhookEvents(this.webhook, now, most);
        const isTaken = (id: string) => before.has(id) || this.#flights.has(id) || this.#over.has(id);
        this.#again = found.filter(({ event: { id } }) => !isTaken(id));
      }
      if (this.#fresh.length === 0 && this.#readTo < this.#newest) await this.#readFresh(limit);
    } finally {
      this.#isReading = false;
    }
    return this.#fresh.length + this.#again.length > 0;
  }

  async #readFresh(limit: number): Promise<void> {
    const { gallery, events } = this.webhook;
    const to = this.#newest;
    this.#fresh = await this.#store.outboxEvents(gallery, this.#readTo, limit, typesOf(events));
    this.#freshTo = this.#fresh.length < limit ? to : null;
    if (this.#fresh.length === 0) this.#takeFresh();
  }

  /** An attempt is over. */
  end({ event, at }: Flight, isDelivered: boolean, durationMs: number): void {
    this.#flights.delete(event.id);
    this.#over.add(event.id);
    this.isSlow = durationMs > SLOW_MS;
    this.#failures = isDelivered ? 0 : this.#failures + 1;
    this.#failingSince = isDelivered ? null : (this.#failingSince ?? at);
    if (this.#failingSince !== null && at - this.#failingSince >= FAILING_FOR) this.ending ??= 'failing';
  }

  /** How far it has come. Null: not far enough for a write. @param isAsked with attempts, or at the end */
  progress(now: number, isAsked: boolean): WebhookProgress | null {
    const first = [...this.#flights.values()].filter(({ isKept }) => !isKept);
    const parked = first.filter(({ at }) => now - at > PARKED_AFTER_MS);
    // If it ends before this is written, it has to leave again.
    for (const flight of parked) flight.waits = true;
    const open = first.filter(flight => !parked.includes(flight)).map(({ event }) => event.seq);
    const sentTo = Math.min(this.#readTo, ...open.map(seq => seq - 1));
    const isFar = sentTo > this.#recordedTo && (isAsked || now - this.#recordedAt > PLACE_MS);
    return isFar || parked.length > 0 ? { sentTo, parked: parked.map(({ event }) => event.id) } : null;
  }

  /** @param ids of attempts that are recorded now */
  recorded(now: number, ids: readonly string[], progress: WebhookProgress | undefined): void {
    for (const id of ids) this.#over.delete(id);
    if (!progress) return;
    this.#recordedTo = Math.max(this.#recordedTo, progress.sentTo);
    this.#recordedAt = now;
    for (const id of progress.parked) {
      const flight = this.#flights.get(id);
      if (flight) flight.isKept = true;
    }
  }
}
