/** When the scheduled jobs run: by UTC, one run of a job at a time, and once at every start for what was missed. */
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { Deps } from '../domain/deps.ts';
import { deleteExpiredChallenges } from './challenges.ts';

interface Job {
  readonly name: string;
  readonly cron: string;
  /** Answers how many things it did. */
  readonly run: (deps: Deps) => Promise<number>;
}

const JOBS: readonly Job[] = [{ name: 'challenges', cron: '0 * * * *', run: deleteExpiredChallenges }];

/** Starts the schedule. The answer stops it, and waits for runs under way. */
export function startJobs(deps: Deps, log: Logger): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const tasks = JOBS.map(job => {
    const attempt = async () => {
      try {
        log.info({ job: job.name, affected: await job.run(deps) }, 'job done');
      } catch (error) {
        log.error({ job: job.name, cause: String(error) }, 'job failed');
      }
    };
    const run = () => {
      const attempted = attempt().finally(() => running.delete(attempted));
      running.add(attempted);
      return attempted;
    };
    void run();
    return schedule(job.cron, run, { name: job.name, timezone: 'UTC', noOverlap: true });
  });
  return async () => {
    for (const task of tasks) void task.destroy();
    await Promise.all(running);
  };
}
