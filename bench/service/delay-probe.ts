/**
 * Loaded into a server by `--import`: how late its event loop is, without a change of the server. Told to begin and to
 * end by its parent. Also ends the server when its parent is gone.
 *
 * A timer is due every millisecond; its lateness is what is told. `monitorEventLoopDelay` is not used for two reasons:
 * what it tells includes the period of its own timer, and a stall of 50 ms counts in it as one of many samples, although
 * whatever came during those 50 ms waited. Here every millisecond that passed in a stall counts with what was left of it.
 */
import { createHistogram, type EventLoopUtilization, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const PERIOD_MS = 1;

export type ProbeOrder = 'begin probe' | 'end probe';

/** Milliseconds that a task which is due runs late, over all milliseconds of the time between begin and end. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Share of the time that the loop did not wait for events. */
  readonly utilization: number;
}

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

function end(): Delays {
  clearTimeout(timer);
  const { utilization } = performance.eventLoopUtilization(before);
  const ms = (micros: number) => micros / 1_000;
  return {
    p50: ms(histogram.percentile(50)),
    p99: ms(histogram.percentile(99)),
    max: ms(histogram.max),
    utilization,
  };
}

if (isMainThread && process.send) {
  process.on('message', (order: ProbeOrder) => {
    if (order === 'begin probe') begin();
    else if (order === 'end probe') process.send?.(end());
  });
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // A server that is told to stop must not stay for us.
  process.channel?.unref();
}
