/**
 * Delivers events to webhooks, on one node at a time. It asks the store for news several times a second; at other times
 * only the ends of requests make it go on. Webhooks that have something to send take turns. What came of attempts is
 * written together, and an attempt that is not recorded is made again: by this node after a restart, or by another one.
 * Held by test/webhooks.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery, Store, WebhookProgress } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { WebhookAnswer, WebhookSender } from '../../ports/webhook-sender.ts';
import type { DeliveryError } from '../../protocol/delivery-errors.ts';
import { SECOND } from '../../protocol/limits.ts';
import { type DisablingDeps, disableFailing } from './disabling.ts';
import { type Flight, Line, type LineStore } from './line.ts';
import { nextAttemptAt } from './schedule.ts';
import { signedRequest } from './signature.ts';

/** A turn: how often the store is asked, and written to. */
const TURN_MS = 200;
/** While the database is away. */
const AWAY_MS = SECOND;
/** Requests at once, of all webhooks; of slow ones, fewer, so that there is always room for the others. */
const MOST_FLIGHTS = 64;
const MOST_SLOW = 32;
/** How long requests may go on when the service stops. The others are made again. */
const GRACE_MS = 3 * SECOND;
const GONE = 410;

export type DeliveryOutcome = 'delivered' | DeliveryError;

export interface SendingDeps extends DisablingDeps {
  readonly store: DisablingDeps['store'] & LineStore & Pick<Store, 'webhookNews' | 'recordDeliveries'>;
  readonly webhookSender: Pick<WebhookSender, 'send'>;
  readonly random: Random;
  readonly watch: {
    attempted(outcome: DeliveryOutcome, seconds: number): void;
    failed(error: unknown): void;
  };
}

/**
 * Delivers until no webhook is left, or `stop`, which lets requests end and records them.
 * @param lost another node delivers: nothing more is written
 */
export async function deliverWebhooks(
  deps: SendingDeps,
  lost: AbortSignal,
  stop: AbortSignal,
): Promise<void> {
  const { store, clock, webhookSender, random, watch } = deps;
  const lines = new Map<string, Line>();
  const either = AbortSignal.any([lost, stop]);
  let ring: readonly Line[] = [];
  let place = 0;
  let flights = 0;
  let slow = 0;
  let over: (Delivery & { readonly waited: boolean })[] = [];
  const running = new Set<Promise<void>>();

  async function lookForNews(): Promise<void> {
    const news = await store.webhookNews();
    const ids = new Set(news.map(({ id }) => id));
    for (const id of lines.keys()) if (!ids.has(id)) lines.delete(id);
    for (const { id, revision, ...what } of news) {
      let line = lines.get(id);
      if (line?.webhook.revision !== revision) {
        const [webhook] = await store.listWebhooks({ id });
        if (!webhook) continue;
        if (line) line.change(webhook);
        else line = new Line(store, webhook);
        lines.set(id, line);
      }
      line?.turn(what);
    }
    ring = [...lines.values()].filter(line => line.hasNews(clock.now()));
  }

  async function record(isEnd = false): Promise<void> {
    const progress = new Map<string, WebhookProgress>();
    const now = clock.now();
    for (const [id, line] of lines) {
      const made = line.progress(now, isEnd || over.length > 0);
      if (made) progress.set(id, made);
    }
    if (over.length === 0 && progress.size === 0) return;
    const recorded = over;
    over = [];
    try {
      await store.recordDeliveries(recorded, progress, now);
    } catch (error) {
      over = [...recorded, ...over];
      throw error;
    }
    const byWebhook = Map.groupBy(recorded, ({ webhookId }) => webhookId);
    for (const [id, line] of lines)
      line.recorded(
        now,
        (byWebhook.get(id) ?? []).map(({ eventId }) => eventId),
        progress.get(id),
      );
  }

  async function disable(): Promise<void> {
    for (const [id, { ending }] of lines) if (ending) await disableFailing(deps, id, ending);
  }

  function pump(): void {
    for (let idle = 0; idle < ring.length && flights < MOST_FLIGHTS && !either.aborted; ) {
      place = (place + 1) % ring.length;
      const line = ring[place] as Line;
      idle = begin(line) ? 0 : idle + 1;
    }
  }

  function begin(line: Line): boolean {
    if (line.isFull() || (line.isSlow && slow >= MOST_SLOW)) return false;
    const now = clock.now();
    const flight = line.take(now);
    if (flight) {
      start(send(line, flight));
      return true;
    }
    if (line.hasNews(now)) start(line.read(now).then(isAny => isAny && pump()));
    return false;
  }

  function start(work: Promise<unknown>): void {
    const done = work.then(
      () => undefined,
      error => watch.failed(error),
    );
    const ended = done.then(() => void running.delete(ended));
    running.add(ended);
  }

  async function send(line: Line, flight: Flight): Promise<void> {
    const wasSlow = line.isSlow;
    const request = signedRequest(line.webhook, flight.event, flight.at);
    flights += 1;
    slow += wasSlow ? 1 : 0;
    const answer = await webhookSender.send(request);
    flights -= 1;
    slow -= wasSlow ? 1 : 0;
    if (!answer || lost.aborted) return;
    watch.attempted(answer.error ?? 'delivered', answer.durationMs / SECOND);
    line.end(flight, answer.error === null, answer.durationMs);
    if (answer.status === GONE) line.ending = 'gone';
    over.push(deliveryOf(line, flight, answer));
    pump();
  }

  function deliveryOf(line: Line, { event, at, attempt, waits }: Flight, answer: WebhookAnswer) {
    const isLast = answer.error === null || line.ending !== null;
    return {
      ...answer,
      webhookId: line.webhook.id,
      eventId: event.id,
      type: event.type,
      attempt: attempt + 1,
      at,
      nextAt: isLast ? null : nextAttemptAt(attempt + 1, clock.now(), random),
      waited: waits,
    };
  }

  async function turn(): Promise<number> {
    try {
      await record();
      await disable();
      await lookForNews();
      pump();
      return TURN_MS;
    } catch (error) {
      watch.failed(error);
      return AWAY_MS;
    }
  }

  while (!either.aborted) {
    const pause = await turn();
    if (lines.size === 0 && over.length === 0 && flights === 0) return;
    await delay(pause, undefined, { signal: either }).catch(() => undefined);
  }
  if (lost.aborted) return;
  const grace = new AbortController();
  await Promise.race([
    Promise.all(running),
    delay(GRACE_MS, undefined, { signal: grace.signal }).catch(() => undefined),
  ]);
  grace.abort();
  await record(true).catch(watch.failed);
}
