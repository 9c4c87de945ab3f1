/**
 * Metrics of the process: one set per process, however many services it has run. They come from prom-client, except the
 * event-loop delay. prom-client resets that delay with every scrape, so each of two scrapers would miss a part. Here
 * the delay is a cumulative histogram, from which each scraper computes its percentiles.
 * Held by test/portal/metrics.test.ts.
 */
import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BUCKETS } from './requests.ts';

/** Long enough that the timer costs an idle machine almost nothing. */
const TICK_MS = 50;
const MS = 1_000;
/** The reported maximum covers the last one to two windows of this many ticks, for every scraper. */
const WINDOW_TICKS = 1_200;
/** Interval of prom-client's own event-loop monitor, which cannot be switched off. */
const NEVER_MS = 1_000_000_000;
/** Left out: the event-loop delay, internals that are also in active_resources, and a gauge named like a counter. */
const LEFT_OUT = /^nodejs_(?:eventloop_lag|active_(?:handles|requests)|active_resources_total)/;

let registry: Registry | null = null;

/** The first call starts the measurements. */
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
    help: 'How late the event loop ran a timer of 50 ms. Requests wait this much longer.',
    buckets: BUCKETS,
    registers: [into],
  });
  new Counter({
    name: 'face_sign_in_event_loop_busy_seconds_total',
    help: 'Time the event loop was busy. At a rate near 1 the process has no time for more requests.',
    registers: [into],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / MS);
    },
  });
  let [earlier, now, ticks] = [0, 0, 0];
  new Gauge({
    name: 'face_sign_in_event_loop_delay_max_seconds',
    help: 'Maximum event-loop delay of the last one to two minutes.',
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
