/**
 * The load generator, a separate process. The parent sends jobs and gets a Report for each. Every answer of a server is
 * checked; the parent decides what to do about wrong ones.
 */
import { closedLoop } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';
import type { Job } from './unit.ts';

/** Median, 95th and 99th percentile. */
export type Percentiles = readonly [number, number, number];

export type Report = Awaited<ReturnType<typeof run>>;

process.on('message', async (job: Job) => process.send?.(await run(job)));

async function run(job: Job) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { latencies, wrong, late } = await (job.open
    ? openLoop(job, job.open.rate, job.open.seed)
    : closedLoop(job));
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const [, , lateP99] = percentiles(late);
  return {
    units: latencies.length,
    wrong,
    seconds,
    /** Milliseconds to the last byte, from a unit's first byte or, if units are scheduled, from its scheduled time. */
    latency: percentiles(latencies),
    /** Share of its core that the generator used. Near 1, the generator was the bottleneck. */
    busy: (user + system) / 1e6 / seconds,
    /** 99th percentile of how many milliseconds late units began, which is part of their latency. */
    lateP99,
  };
}

function percentiles(values: number[]): Percentiles {
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.floor((values.length - 1) * share)] ?? 0;
  return [at(0.5), at(0.95), at(0.99)];
}
