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

const { settings, userAgent } = workerData as ThreadData;
const { send } = createSender(createTargets(settings), userAgent);
let answered: Answered[] = [];

parentPort?.on('message', (batch: readonly Sent[]) => {
  for (const [number, request] of batch)
    void send(request).then(answer => {
      if (answered.length === 0) setImmediate(post);
      answered.push([number, answer]);
    });
});

function post(): void {
  parentPort?.postMessage(answered);
  answered = [];
}
