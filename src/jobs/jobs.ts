/** The scheduled jobs: their names, their times (UTC) and the rule that each one carries out. */
import type { AdminDeps } from '../domain/deps.ts';
import {
  deleteExpiredChallenges,
  deleteIdleUsers,
  deleteOldEvents,
  deleteOldTestUsers,
  deleteOutlived,
  rotateOldSigningKey,
} from '../domain/retention.ts';
import { DAY, HOUR } from '../protocol/limits.ts';

export interface Job {
  readonly name: string;
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly schedule: string;
  /** The time between two runs: a job that was not run for longer has missed one. */
  readonly period: number;
  /** Answers how many things it did. */
  readonly act: (deps: AdminDeps) => Promise<number>;
}

export const JOBS: readonly Job[] = [
  { name: 'challenges', schedule: '0 * * * *', period: HOUR, act: deleteExpiredChallenges },
  { name: 'signing-key', schedule: '5 * * * *', period: HOUR, act: rotateOldSigningKey },
  { name: 'tokens', schedule: '10 * * * *', period: HOUR, act: deleteOutlived },
  { name: 'test-users', schedule: '15 3 * * *', period: DAY, act: deleteOldTestUsers },
  { name: 'retention', schedule: '30 3 * * *', period: DAY, act: deleteIdleUsers },
  { name: 'events', schedule: '45 3 * * *', period: DAY, act: deleteOldEvents },
];

/** Runs a job to its end, and remembers when. */
export async function runJob(deps: AdminDeps, job: Job): Promise<number> {
  const affected = await job.act(deps);
  await deps.store.recordJobRun(job.name, deps.clock.now());
  return affected;
}
