/** Runs the jobs at their times, never two of a kind at once, and at every start those that were missed. */
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { AdminDeps } from '../domain/deps.ts';
import { JOBS, type Job, runJob } from './jobs.ts';

/** Starts the schedule. The answer stops it, and waits for the run under way. */
export function startJobs(deps: AdminDeps, log: Logger): () => Promise<void> {
  let stopped = false;
  // One job after another: they are many small writes, and requests come first.
  let line: Promise<void> = Promise.resolve();

  function enqueue(job: Job): Promise<void> {
    line = line.then(() => (stopped ? undefined : attempt(deps, log, job)));
    return line;
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
    for (const task of tasks) void task.destroy();
    await line;
  };
}

async function missed({ store, clock }: AdminDeps): Promise<Job[]> {
  const runs = await store.jobRuns();
  return JOBS.filter(({ name, period }) => clock.now() - (runs.get(name) ?? 0) >= period);
}

async function attempt(deps: AdminDeps, log: Logger, job: Job): Promise<void> {
  try {
    log.info({ job: job.name, affected: await runJob(deps, job) }, 'job done');
  } catch (error) {
    log.error({ job: job.name, cause: String(error) }, 'job failed');
  }
}
