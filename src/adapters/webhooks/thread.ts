/** The thread that posts webhooks: sends what it is given, and answers what has ended since. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WebhookAnswer, WebhookRequest } from '../../ports/webhook-sender.ts';
import type { AddressSettings } from './addresses.ts';
import { createSender } from './sender.ts';
import { createTargets } from './targets.ts';

export interface ThreadData {
  readonly settings: AddressSettings;
  readonly userAgent: string;
}
export type Sent = readonly [number: number, request: WebhookRequest];
export type Answered = readonly [number: number, answer: WebhookAnswer | null];

/** Answers that come together are posted together: each message costs the service about as much as an event. */
const TOGETHER_MS = 5;

const { settings, userAgent } = workerData as ThreadData;
const { send } = createSender(createTargets(settings), userAgent);
let open = 0;
let answered: Answered[] = [];
let timer: NodeJS.Timeout | null = null;

parentPort?.on('message', (batch: readonly Sent[]) => {
  open += batch.length;
  for (const [number, request] of batch)
    void send(request).then(answer => {
      open -= 1;
      answered.push([number, answer]);
      if (open === 0) post();
      else timer ??= setTimeout(post, TOGETHER_MS);
    });
});

function post(): void {
  if (timer) clearTimeout(timer);
  timer = null;
  parentPort?.postMessage(answered);
  answered = [];
}
