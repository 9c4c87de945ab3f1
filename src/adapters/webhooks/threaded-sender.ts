/**
 * Posts webhooks from a thread, so that sign-ins do not wait for its TLS and parsing. It starts with the first webhook.
 * If it dies, what was under way counts as broken connections, and another one is started. Held by test/webhooks.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../ports/webhook-sender.ts';
import type { Targets } from './targets.ts';
import type { Answered, Sent, ThreadData } from './thread.ts';

const BROKEN: WebhookAnswer = { status: null, error: 'connection', durationMs: 0 };

export function createThreadedSender(targets: Targets, data: ThreadData): WebhookSender {
  const waiting = new Map<number, (answer: WebhookAnswer | null) => void>();
  let thread: Worker | null = null;
  let batch: Sent[] = [];
  let count = 0;
  let isClosed = false;

  function settle(answers: readonly Answered[]): void {
    for (const [number, answer] of answers) {
      waiting.get(number)?.(answer);
      waiting.delete(number);
    }
  }

  function started(): Worker {
    const made = startThread('src/adapters/webhooks/thread.ts', { workerData: data, name: 'webhooks' });
    made.on('message', settle);
    // An error ends the thread, too.
    made.on('error', () => undefined);
    made.on('exit', () => {
      if (thread === made) thread = null;
      settle([...waiting.keys()].map(number => [number, isClosed ? null : BROKEN]));
    });
    return made;
  }

  function post(): void {
    thread ??= started();
    thread.postMessage(batch);
    batch = [];
  }

  return {
    addressFault: targets.faultOf,

    send: (request: WebhookRequest) =>
      new Promise(resolve => {
        if (isClosed) return resolve(null);
        waiting.set(++count, resolve);
        if (batch.length === 0) setImmediate(post);
        batch.push([count, request]);
      }),

    async close() {
      isClosed = true;
      await thread?.terminate();
      settle([...waiting.keys()].map(number => [number, null]));
    },
  };
}
