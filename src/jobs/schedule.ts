/** Runs the jobs at their times, never two of a kind at once, and at every start those that were missed. */
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { AdminDeps } from '../domain/deps.ts';
import { JOBS, type Job, runJob } from './jobs.ts';
import type { JobWatch } from './watch.ts';

const MS = 1_000;

/** Starts the schedule. The answer stops it, and waits for the step of a job that is under way. */
export function startJobs(deps: AdminDeps, log: Logger, watch: JobWatch): () => Promise<void> {
  let stopped = false;
  const stopping = new AbortController();
  // One job after another: they are many small writes, and requests come first.
  let line: Promise<void> = Promise.resolve();

  function enqueue(job: Job): Promise<void> {
    line = line.then(() => (stopped ? undefined : attempt(job)));
    return line;
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
      // Nothing went wrong: what is left is for the next start.
      if (error === stopping.signal.reason) return;
      ended(true);
      log.error({ job: job.name, cause: String(error) }, 'job failed');
    }
  }

  const tasks = JOBS.map(job =>
    schedule(job.schedule, () => enqueue(job), { name: job.name, timezone: 'UTC', noOverlap: true }),
  );
  void missed(deps).then(
    jobs => jobs.forEach(enqueue),
    error => log.error({ cause: String(error) }, 'missed jobs are not known'),
  );

  return async () => {
    stopped = true;
    stopping.abort();
    for (const task of tasks) void task.destroy();
    await line;
  };
}

async function missed({ store, clock }: AdminDeps): Promise<Job[]> {
  const runs = await store.jobRuns();
  return JOBS.filter(({ name, period }) => clock.now() - (runs.get(name) ?? 0) >= period);
}
