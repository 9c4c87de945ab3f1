/** Figures of searches and of mail, observed where they happen. Held by test/portal/metrics.test.ts. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { BUCKETS } from './requests.ts';

const SEARCH_BUCKETS = [0.0005, ...BUCKETS];
const PASS_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

export interface WorkFigures {
  /** A search has ended, well or not. */
  searched(probes: number, seconds: number): void;
  /** So many searches went to a worker in one message, and are answered by one pass. */
  passed(searches: number): void;
  mailed(transport: string, isSent: boolean, seconds: number): void;
}

export function workFigures(registry: Registry, transport: string | null): WorkFigures {
  const registers = [registry];
  const searches = new Histogram({
    name: 'face_sign_in_match_search_duration_seconds',
    help: 'Time that a request waited for one search of the matcher, its turn included.',
    buckets: SEARCH_BUCKETS,
    registers,
  });
  const probes = new Counter({
    name: 'face_sign_in_match_probes_total',
    help: 'Descriptors that were searched for: 1 to 5 in a search.',
    registers,
  });
  const passes = new Histogram({
    name: 'face_sign_in_match_pass_searches',
    help: 'Searches that a matching worker was given at once: more under load, when those of many requests share a pass.',
    buckets: PASS_BUCKETS,
    registers,
  });
  const mails = new Counter({
    name: 'face_sign_in_mails_total',
    help: 'Messages, by how they go out (smtp, http, file) and whether they were handed over (sent) or not (failed).',
    labelNames: ['transport', 'outcome'],
    registers,
  });
  const mailing = new Histogram({
    name: 'face_sign_in_mail_duration_seconds',
    help: 'Time until a message was handed over, or was not.',
    labelNames: ['transport'],
    buckets: BUCKETS,
    registers,
  });
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
    mailed(by, isSent, seconds) {
      mails.inc({ transport: by, outcome: isSent ? 'sent' : 'failed' });
      mailing.observe({ transport: by }, seconds);
    },
  };
}
