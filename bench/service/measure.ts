/** Measures one server: runs a job of the load generator, and records the server's CPU time and event-loop delay. */
import type { ChildProcess } from 'node:child_process';
import type { Report } from './load.ts';
import { answerOf, beginProbe, cpuClock, endProbe } from './servers.ts';
import type { Job } from './unit.ts';

export interface Side {
  readonly engine: 'service' | 'bare-koa' | 'sqlite' | 'postgres';
  /** Users of its gallery, each with one template; 0 if it has none. */
  readonly templates: number;
  readonly server: ChildProcess;
  readonly job: Omit<Job, 'connections' | 'seconds' | 'open'>;
}

export type Measured = Awaited<ReturnType<typeof measure>>;
/** The numbers of a row. */
export type Figures = Measured['figures'];

export type Load = Pick<Job, 'connections' | 'seconds' | 'open'>;

/**
 * @param after work of the server that still belongs to its processor time
 * @throws Error when one answer was wrong
 */
export async function measure(
  generator: ChildProcess,
  side: Side,
  load: Load,
  after?: (units: number) => Promise<unknown>,
) {
  const { engine, templates, server } = side;
  const cpu = cpuClock(server);
  beginProbe(server);
  const report = await run(generator, { ...side.job, ...load });
  const loop = await endProbe(server);
  await after?.(report.units);
  const { all, main, matcher } = cpu();
  const { units, wrong, seconds, latency, busy, lateP99 } = report;
  if (wrong > 0 || units === 0)
    throw new Error(
      `${engine} (${templates} templates) gave ${wrong} wrong answers of ${units}: no figure is shown`,
    );
  const [p50_ms, p95_ms, p99_ms] = latency;
  const figures = {
    ...{ per_second: Math.round(units / seconds), p50_ms, p95_ms, p99_ms },
    cpu_us: Math.round(all / units),
    main_us: Math.round(main / units),
    matcher_us: Math.round(matcher / units),
    server_busy: all / 1e6 / seconds,
    ...{ loop_p99_ms: loop.p99, loop_max_ms: loop.max },
    ...{ load_busy: busy, load_late_ms: lateP99 },
  };
  return { figures, units, wrong };
}

/** One job of the load generator. */
export function run(generator: ChildProcess, job: Job): Promise<Report> {
  return answerOf<Report>(generator, job, 'the load generator ended');
}
