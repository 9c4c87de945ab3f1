/**
 * Figures of the process: one set of them, however many services a process has run. They are prom-client's, but for the
 * delay of the event loop: its figures begin anew with every scrape, so that of two scrapers each would see half. Here the
 * delay is a histogram that only grows, from which each works out its own percentiles.
 * Held by test/portal/metrics.test.ts.
 */
import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BUCKETS } from './requests.ts';

/** Seldom enough to cost an idle machine nothing that shows. */
const TICK_MS = 50;
const MS = 1_000;
/** The largest delay is told for the last one to two of these, whoever asks and how often. */
const WINDOW_TICKS = 1_200;
/** How often prom-client's own look at the event loop is to happen: there is no way to leave it out. */
const NEVER_MS = 1_000_000_000;
/** Left out: the delay, as said above; internals that Node.js tells as resources too; gauges named like counters. */
const LEFT_OUT = /^nodejs_(?:eventloop_lag|active_(?:handles|requests)|active_resources_total)/;

let registry: Registry | null = null;

/** Begins to observe with the first call. */
export function processFigures(): Registry {
  if (registry) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
  watchEventLoop(registry);
  return registry;
}

function watchEventLoop(into: Registry): void {
  const delays = new Histogram({
    name: 'face_sign_in_event_loop_delay_seconds',
    help: 'How much later than asked for the event loop came to a timer of 50 ms: what requests wait in addition.',
    buckets: BUCKETS,
    registers: [into],
  });
  new Counter({
    name: 'face_sign_in_event_loop_busy_seconds_total',
    help: 'Time in which the event loop did something. At a rate near 1 the process has no time left for more requests.',
    registers: [into],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / MS);
    },
  });
  let [earlier, now, ticks] = [0, 0, 0];
  new Gauge({
    name: 'face_sign_in_event_loop_delay_max_seconds',
    help: 'The largest delay of the event loop within the last one to two minutes.',
    registers: [into],
    collect() {
      this.set(Math.max(earlier, now));
    },
  });
  let due = performance.now() + TICK_MS;
  const timer = setInterval(() => {
    const came = performance.now();
    const seconds = Math.max(0, came - due) / MS;
    due = came + TICK_MS;
    delays.observe(seconds);
    now = Math.max(now, seconds);
    if (++ticks % WINDOW_TICKS === 0) [earlier, now] = [now, 0];
  }, TICK_MS);
  timer.unref();
}
