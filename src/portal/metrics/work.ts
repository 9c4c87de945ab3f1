/** Metrics of searches and mail, counted as they happen. Held by test/portal/metrics.test.ts. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { DeliveryOutcome } from '../../domain/webhooks/sending.ts';
import { DELIVERY_ERRORS, type DeliveryError } from '../../protocol/delivery-errors.ts';
import { BUCKETS } from './requests.ts';

const SEARCH_BUCKETS = [0.0005, ...BUCKETS];
const PASS_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

const OUTCOMES: readonly DeliveryOutcome[] = [
  'delivered',
  ...(Object.keys(DELIVERY_ERRORS) as DeliveryError[]).filter(error => error !== 'disabled'),
];

export interface WorkFigures {
  /** A search has ended, whether or not it succeeded. */
  searched(probes: number, seconds: number): void;
  /** This many searches went to a worker in one message, which it answers in one pass. */
  passed(searches: number): void;
  mailed(transport: string, isSent: boolean, seconds: number): void;
  /** An attempt to deliver to a webhook has ended. */
  delivered(outcome: DeliveryOutcome, seconds: number): void;
}

export function workFigures(registry: Registry, transport: string | null): WorkFigures {
  const registers = [registry];
  const searches = new Histogram({
    name: 'face_sign_in_match_search_duration_seconds',
    help: 'Time a request waited for one search of the matcher, including the queue.',
    buckets: SEARCH_BUCKETS,
    registers,
  });
  const probes = new Counter({
    name: 'face_sign_in_match_probes_total',
    help: 'Descriptors searched for. A search has 1 to 5.',
    registers,
  });
  const passes = new Histogram({
    name: 'face_sign_in_match_pass_searches',
    help: 'Searches that a matching worker got at once. Under load, the searches of several requests share a pass.',
    buckets: PASS_BUCKETS,
    registers,
  });
  const mails = new Counter({
    name: 'face_sign_in_mails_total',
    help: 'Email messages by transport (smtp, http, file) and outcome: sent or failed.',
    labelNames: ['transport', 'outcome'],
    registers,
  });
  const mailing = new Histogram({
    name: 'face_sign_in_mail_duration_seconds',
    help: 'Time until a message was sent or failed.',
    labelNames: ['transport'],
    buckets: BUCKETS,
    registers,
  });
  const attempts = new Counter({
    name: 'face_sign_in_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook by outcome: delivered, or the error in the deliveries.',
    labelNames: ['outcome'],
    registers,
  });
  const delivering = new Histogram({
    name: 'face_sign_in_webhook_attempt_duration_seconds',
    help: 'Time until the server of a webhook answered, or the attempt failed.',
    buckets: BUCKETS,
    registers,
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  if (transport !== null) {
    mailing.zero({ transport });
    for (const outcome of ['sent', 'failed']) mails.inc({ transport, outcome }, 0);
  }
  return {
    searched(count, seconds) {
      searches.observe(seconds);
      probes.inc(count);
    },
    passed: count => passes.observe(count),
    delivered(outcome, seconds) {
      attempts.inc({ outcome });
      delivering.observe(seconds);
    },
    mailed(by, isSent, seconds) {
      mails.inc({ transport: by, outcome: isSent ? 'sent' : 'failed' });
      mailing.observe({ transport: by }, seconds);
    },
  };
}
