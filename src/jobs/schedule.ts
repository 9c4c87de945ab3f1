/** Runs the jobs at their times, one after another, and at every start those that were missed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AdminDeps } from '../domain/deps.ts';
import { OperatingFault } from '../domain/operating/fault.ts';
import type { Recording } from '../ports/store.ts';
import { findJob, JOBS, type Job, runJob } from './jobs.ts';
import type { JobWatch } from './watch.ts';

const MS = 1_000;
/** More than clocks differ, and less than the shortest period. */
const RECENT_MS = 60_000;
/** A node that runs a job may die: the others look again until it has run. */
const LOOK_AGAIN_MS = 10_000;

export interface Schedule {
  /** Runs a job now, after those that run or wait already. @returns how many things it changed */
  run(job: Job, entry?: Recording): Promise<number>;
  /** Stops the schedule and waits for the current step of a job. */
  stop(): Promise<void>;
}

export function startJobs(
  deps: AdminDeps,
  log: Logger,
  watch: JobWatch,
  lookAgainMs = LOOK_AGAIN_MS,
): Schedule {
  let stopped = false;
  const stopping = new AbortController();
  // One job at a time: they make many small writes, and requests come first.
  let queue: Promise<unknown> = Promise.resolve();

  /** Failures are logged; only `run` reports them to its caller. */
  function enqueue(job: Job, entry?: Recording): Promise<number> {
    const turn = queue.then(() => (stopped ? 0 : attempt(job, entry)));
    queue = turn.catch(() => undefined);
    return turn;
  }

  async function attempt(job: Job, entry?: Recording): Promise<number> {
    const began = performance.now();
    log.debug({ job: job.name }, 'job begins');
    const ended = (failed: boolean) => {
      const seconds = (performance.now() - began) / MS;
      watch.ended(job.name, { at: deps.clock.now(), seconds, failed });
    };
    try {
      const affected = await runJob({ ...deps, entry }, job, { signal: stopping.signal });
      ended(false);
      log.info({ job: job.name, affected }, 'job done');
      return affected;
    } catch (error) {
      // Stopped, not failed: the next start does the rest.
      if (error === stopping.signal.reason) return 0;
      if (error instanceof OperatingFault) {
        if (error.field === 'clock') log.warn({ job: job.name }, error.message);
        else log.debug({ job: job.name }, 'another node runs the job');
        throw error;
      }
      ended(true);
      log.error({ job: job.name, cause: String(error) }, 'job failed');
      throw error;
    }
  }

  /** Runs a job unless it has run just now: other nodes have the same times. */
  async function attend(job: Job): Promise<void> {
    const since = deps.clock.now() - RECENT_MS;
    try {
      while (!(await hasRun(deps, job, since).catch(() => false)) && !(await isEnded(job)))
        await delay(lookAgainMs, undefined, { ref: false, signal: stopping.signal });
    } catch {
      // It stops.
    }
  }

  /** False: another node runs it. */
  async function isEnded(job: Job): Promise<boolean> {
    try {
      await enqueue(job);
      return true;
    } catch (error) {
      return !(error instanceof OperatingFault) || error.field === 'clock';
    }
  }

  const note = (message: string | Error) => log.debug({ cause: String(message) }, 'schedule');
  const logger = { error: note, warn: note, info: note, debug: note };
  // Not sooner: node-cron needs Intl, whose first use takes longer than the rest of the start's last part.
  const tasks = import('node-cron').then(({ schedule }) => {
    if (stopped) return [];
    const rest = { timezone: 'UTC', noOverlap: true, suppressMissedWarning: true, logger };
    return JOBS.map(job =>
      schedule(job.schedule, () => attend(job), { ...rest, missedExecutionTolerance: job.period }),
    );
  });
  void tasks
    .then(() => missedJobs(deps))
    .then(
      jobs => {
        for (const job of jobs) void attend(job);
      },
      error => log.error({ cause: String(error) }, 'missed jobs are not known'),
    );

  return {
    run: enqueue,
    async stop() {
      stopped = true;
      stopping.abort();
      for (const task of await tasks) task.destroy();
      await queue;
    },
  };
}

/** @throws OperatingFault not_found; Error while the service is starting */
export function runNow(schedule: Schedule | null, name: string, entry?: Recording): Promise<number> {
  const job = findJob(name);
  if (!schedule) throw new Error('jobs do not run yet');
  return schedule.run(job, entry);
}

async function hasRun({ store, clock }: AdminDeps, { name }: Job, since: number): Promise<boolean> {
  const at = (await store.jobRuns()).get(name) ?? 0;
  return at > since && at < clock.now() + RECENT_MS;
}

async function missedJobs({ store, clock }: AdminDeps): Promise<Job[]> {
  const runs = await store.jobRuns();
  // A run in the future was noted by a clock that was wrong.
  return JOBS.filter(({ name, period }) => {
    const ago = clock.now() - (runs.get(name) ?? 0);
    return ago >= period || ago <= -RECENT_MS;
  });
}
