/** Runs the jobs at their times, one after another, and at every start those that were missed. */
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { AdminDeps } from '../domain/deps.ts';
import { JOBS, type Job, runJob } from './jobs.ts';
import type { JobWatch } from './watch.ts';

const MS = 1_000;

/** @returns a function that stops the schedule and waits for the current step of a job */
export function startJobs(deps: AdminDeps, log: Logger, watch: JobWatch): () => Promise<void> {
  let stopped = false;
  const stopping = new AbortController();
  // One job at a time: they make many small writes, and requests come first.
  let queue: Promise<void> = Promise.resolve();

  function enqueue(job: Job): Promise<void> {
    queue = queue.then(() => (stopped ? undefined : attempt(job)));
    return queue;
  }

  async function attempt(job: Job): Promise<void> {
    const began = performance.now();
    log.debug({ job: job.name }, 'job begins');
    const ended = (failed: boolean) => {
      const seconds = (performance.now() - began) / MS;
      watch.ended(job.name, { at: deps.clock.now(), seconds, failed });
    };
    try {
      const affected = await runJob(deps, job, { signal: stopping.signal });
      ended(false);
      log.info({ job: job.name, affected }, 'job done');
    } catch (error) {
      // Stopped, not failed: the next start does the rest.
      if (error === stopping.signal.reason) return;
      ended(true);
      log.error({ job: job.name, cause: String(error) }, 'job failed');
    }
  }

  const tasks = JOBS.map(job =>
    schedule(job.schedule, () => enqueue(job), { name: job.name, timezone: 'UTC', noOverlap: true }),
  );
  void missedJobs(deps).then(
    jobs => jobs.forEach(enqueue),
    error => log.error({ cause: String(error) }, 'missed jobs are not known'),
  );

  return async () => {
    stopped = true;
    stopping.abort();
    for (const task of tasks) void task.destroy();
    await queue;
  };
}

async function missedJobs({ store, clock }: AdminDeps): Promise<Job[]> {
  const runs = await store.jobRuns();
  return JOBS.filter(({ name, period }) => clock.now() - (runs.get(name) ?? 0) >= period);
}
