/** A service with webhooks, their endpoints, and the check that everything told arrived there, signed and in order. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { loadConfig } from '../../src/config.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import type { GalleryKey } from '../../src/ports/matcher.ts';
import type { OutboxEvent, Store } from '../../src/ports/store.ts';
import { openAdmin } from '../../src/service/data.ts';
import { answerOf, startOnLoadCore } from '../service/servers.ts';
import { digestOf, type Endpoint, lineOf, type Told } from './judge.ts';
import type { Question } from './receiver.ts';

const MOST = 10;
const PAGE = 1_000;
const PATIENCE_MS = 60_000;
/** More than a webhook has. */
const MOST_DELIVERIES = 1_000_000;

export interface Receiver {
  readonly child: ChildProcess;
  readonly url: string;
}

export interface Webhook {
  readonly id: string;
  readonly path: string;
}

export async function startReceiver(): Promise<Receiver> {
  const child = startOnLoadCore(new URL('./receiver.ts', import.meta.url));
  const [port] = await once(child, 'message');
  return { child, url: `http://127.0.0.1:${port}` };
}

const ask = <Answer>({ child }: Receiver, question: Question) =>
  answerOf<Answer>(child, question, 'the process of the endpoints ended');

/** Beside the service, as a command. */
export async function withStore<Answer>(
  folder: string,
  work: (store: Store, gallery: GalleryKey) => Promise<Answer>,
): Promise<Answer> {
  const { deps, close } = await openAdmin(loadConfig({ DATA_DIR: folder }));
  try {
    const [app] = await deps.store.listApps();
    return await work(deps.store, { appId: app?.id ?? '', mode: 'live' });
  } finally {
    await close();
  }
}

let count = 0;

/** Makes a webhook to an endpoint of its own. @param url of one that is not the receiver's */
export async function webhookTo(
  receiver: Receiver,
  folder: string,
  how: Omit<Endpoint, 'path' | 'secret'> = {},
  url?: string,
): Promise<Webhook> {
  const n = ++count;
  const [id, path, made] = [`wh_${String(n).padStart(24, '0')}`, `/${n}`, newSecret(systemRandom())];
  await ask(receiver, { add: { ...how, path, secret: made.secret } });
  const outcome = await withStore(folder, (store, gallery) =>
    store.createWebhook(
      {
        ...{ id, gallery, url: url ?? receiver.url + path, events: ['*'], description: '' },
        ...{ secrets: [made], createdAt: Date.now() },
      },
      MOST,
    ),
  );
  if (outcome !== 'created') throw new Error(`no webhook was made: ${outcome}`);
  return { id, path };
}

/** `seq` of the newest event. */
export const newest = (folder: string) =>
  withStore(folder, async (store, gallery) => (await store.outboxState(gallery)).newest);

export const enable = (folder: string, id: string) =>
  withStore(folder, store => store.updateWebhook(id, { enabled: true }));
export const disable = (folder: string, id: string) =>
  withStore(folder, store => store.disableWebhook(id, 'operator', Date.now()));

/** Waits until an endpoint has taken so many events, for as long as more arrive. */
export async function arrived(
  receiver: Receiver,
  path: string,
  after: number,
  events: number,
): Promise<void> {
  let [most, changedAt] = [0, performance.now()];
  for (;;) {
    const count = await ask<number>(receiver, { count: path, after });
    if (count >= events) return;
    if (count > most) [most, changedAt] = [count, performance.now()];
    if (performance.now() - changedAt > PATIENCE_MS)
      throw new Error(`${count} of ${events} events arrived: no figure is shown`);
    await delay(50);
  }
}

/**
 * Everything told since `after` has to have arrived, signed, and first attempts have to have begun in order.
 * @param units how many sign-ins there were, each an event
 */
export async function checked(
  receiver: Receiver,
  folder: string,
  webhooks: readonly Webhook[],
  after: number,
  units: number,
): Promise<Told[]> {
  const events: OutboxEvent[] = [];
  await withStore(folder, async (store, gallery) => {
    for (let page = PAGE; page === PAGE; ) {
      const next = await store.outboxEvents(gallery, events.at(-1)?.seq ?? after, PAGE);
      events.push(...next);
      page = next.length;
    }
  });
  if (events.length !== units)
    throw new Error(`${units} sign-ins, ${events.length} events: no figure is shown`);
  const digest = digestOf(events.map(({ seq, id, type, data }) => lineOf(seq, id, type, data.user_id)));
  const all: Told[] = [];
  for (const { id, path } of webhooks) {
    await arrived(receiver, path, after, units);
    const told = await ask<Told>(receiver, { tell: path, after });
    if (told.unsigned > 0) throw new Error(`${told.unsigned} requests are not signed: no figure is shown`);
    if (told.digest !== digest) throw new Error('what arrived is not what was told: no figure is shown');
    const began = await firstAttempts(folder, id, events);
    if (began.some((at, place) => at < (began[place - 1] ?? 0)))
      throw new Error('first attempts were not in order: no figure is shown');
    all.push(told);
  }
  return all;
}

/** When the first attempt of each event began, once all are recorded. */
async function firstAttempts(folder: string, id: string, events: readonly OutboxEvent[]): Promise<number[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const deliveries = await withStore(folder, store => store.listDeliveries(id, MOST_DELIVERIES));
    const first = new Map(
      deliveries.filter(({ attempt }) => attempt === 1).map(({ eventId, at }) => [eventId, at]),
    );
    const began = events.flatMap(event => first.get(event.id) ?? []);
    if (began.length === events.length) return began;
    if (performance.now() > deadline)
      throw new Error(`${began.length} of ${events.length} deliveries are recorded: no figure is shown`);
    await delay(200);
  }
}
