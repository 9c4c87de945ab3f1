/**
 * Measures how late a server's event loop is. Loaded with `--import`, so the server needs no change. Its parent starts
 * and stops the measurement. When the parent is gone, the probe stops the server.
 *
 * A timer is due every millisecond, and its lateness is recorded. `monitorEventLoopDelay` is not used for two reasons:
 * it includes the period of its own timer, and counts a stall of 50 ms as one of many samples, although everything that
 * arrived during those 50 ms waited. Here every millisecond of a stall counts with what was left of the stall.
 */
import { createHistogram, type EventLoopUtilization, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const PERIOD_MS = 1;

export type ProbeOrder = 'begin probe' | 'end probe';

/** How many milliseconds late a task runs that is due, over all milliseconds between begin and end. */
export type Delays = ReturnType<typeof end>;

/** In microseconds. */
const histogram = createHistogram();
let timer: NodeJS.Timeout | undefined;
let last = 0;
let before: EventLoopUtilization;

function begin(): void {
  histogram.reset();
  before = performance.eventLoopUtilization();
  last = performance.now();
  timer = setTimeout(tick, PERIOD_MS);
}

function tick(): void {
  const now = performance.now();
  let late = now - last - PERIOD_MS;
  do {
    histogram.record(Math.max(1, Math.round(late * 1_000)));
    late -= PERIOD_MS;
  } while (late > 0);
  last = now;
  timer?.refresh();
}

function end() {
  clearTimeout(timer);
  // Share of the time in which the loop did not wait for events.
  const { utilization } = performance.eventLoopUtilization(before);
  const ms = (share: number) => histogram.percentile(share) / 1_000;
  return { p50: ms(50), p99: ms(99), max: histogram.max / 1_000, utilization };
}

if (isMainThread && process.send) {
  process.on('message', (order: ProbeOrder) => {
    if (order === 'begin probe') begin();
    else if (order === 'end probe') process.send?.(end());
  });
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep a stopping server alive.
  process.channel?.unref();
}
