/** Servers that receive webhooks, each with a way of its own, and webhooks that lead to them. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '../../src/config.ts';
import { newSecret } from '../../src/domain/webhooks/signature.ts';
import type { Store, WebhookRecord } from '../../src/ports/store.ts';
import { openAdmin } from '../../src/service/data.ts';
import { enrolled, faces, type Json, type Mode, soon } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import type { Running, TestApp } from '../support/service.ts';

export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Json;
}

export interface Receiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** The most requests that were open at once. */
  readonly most: () => number;
  /** Answers from now on. Default: 204. */
  answer: RequestListener;
  close(): Promise<void>;
}

export async function receiver(answer: RequestListener = (_, res) => void res.writeHead(204).end()) {
  const arrived: Arrived[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((req, res) => {
    open += 1;
    most = Math.max(most, open);
    res.on('close', () => {
      open -= 1;
    });
    const parts: Buffer[] = [];
    req.on('data', part => parts.push(part));
    req.on('end', () => {
      const body = Buffer.concat(parts).toString();
      arrived.push({ headers: req.headers, body, event: JSON.parse(body) });
      it.answer(req, res);
    });
  });
  // Longer than the service keeps an idle connection: on a busy machine the two ends could otherwise meet.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const it = closing<Receiver>({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    most: () => most,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  });
  return it;
}

/** Opens the store beside the service, as a command does. */
export async function withStore<Answer>(run: Running, work: (store: Store) => Promise<Answer>) {
  const { deps, close } = await openAdmin(loadConfig({ DATA_DIR: run.dataDir }), { clock: run.clock });
  try {
    return await work(deps.store);
  } finally {
    await close();
  }
}

let count = 0;

/** Makes a webhook, as an operator does. */
export async function webhookTo(
  run: Running,
  app: TestApp,
  url: string,
  events: WebhookRecord['events'] = ['*'],
  mode: Mode = 'live',
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = `wh_${String(++count).padStart(24, '0')}`;
  const made = newSecret({ bytes: length => Buffer.alloc(length, count) });
  const gallery = { appId: app.id, mode };
  const webhook = { id, gallery, url, events, description: '', secrets: [made], createdAt: run.clock.now() };
  await withStore(run, store => store.createWebhook(webhook, 10));
  return { id, secret: made.secret };
}

export const deliveriesOf = (run: Running, id: string) =>
  withStore(run, store => store.listDeliveries(id, 1_000));

/** Judges a webhook as the standard says, and not as the service signs. */
export function isSigned({ headers, body }: Arrived, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key);
  mac.update(String(headers['webhook-id']));
  mac.update('.');
  mac.update(String(headers['webhook-timestamp']));
  mac.update('.');
  mac.update(body);
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${mac.digest('base64')}`);
}

let people = 0;

/** Somebody new enrolls, which is an event. */
export const newcomer = (run: Running, app: TestApp) =>
  enrolled(run, app, { descriptors: [faces.genuine(++people)] });

/** Waits as long as a busy machine may take: a turn of the service each second, at first. */
export const until = (check: () => Promise<boolean>, what: string) => soon(check, what, 30_000);
