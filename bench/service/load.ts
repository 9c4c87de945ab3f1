/**
 * The load generator, a process of its own. Works on jobs that the parent sends, and answers each with a Report. Every
 * answer of a server is checked; what becomes of wrong ones is the parent's business.
 */
import { closedLoop } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';

export interface Job {
  readonly address: string;
  readonly paths: readonly [empty: string, full: string];
  readonly headers: Record<string, string>;
  /** JSON without the challenge: `,"descriptors":…}`. Taken in turn. */
  readonly bodies: readonly string[];
  /** A text that each second answer must hold, by body. */
  readonly expected: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Units a second, at times of this seed. Without it each connection begins its next unit when it has its answer. */
  readonly open?: { readonly rate: number; readonly seed: number };
}

/** Median, 95th and 99th percentile. */
export type Percentiles = readonly [number, number, number];

export interface Report {
  readonly units: number;
  readonly wrong: number;
  readonly seconds: number;
  /** Milliseconds to the last byte, from a unit's first byte or, where units have times, from its time. */
  readonly latency: Percentiles;
  /** Share of its core that the generator used: near 1, it is the generator that was measured. */
  readonly busy: number;
  /** 99th percentile of the milliseconds that units were begun after their times: part of their latency. */
  readonly lateP99: number;
}

process.on('message', async (job: Job) => process.send?.(await run(job)));

async function run(job: Job): Promise<Report> {
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
    latency: percentiles(latencies),
    busy: (user + system) / 1e6 / seconds,
    lateP99,
  };
}

function percentiles(values: number[]): Percentiles {
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.floor((values.length - 1) * share)] ?? 0;
  return [at(0.5), at(0.95), at(0.99)];
}
