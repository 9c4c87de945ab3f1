/**
 * Remembers the outcome of scheduled jobs: the attempts of this process, and the last success of any process (a command
 * may have run the job). Held by test/jobs/watch.test.ts.
 */
import { JOBS } from './jobs.ts';

/** A job is overdue after this many periods. */
const OVERDUE_AFTER = 1.5;

interface Attempt {
  readonly at: number;
  readonly seconds: number;
  readonly failed: boolean;
}

export interface JobState {
  readonly name: string;
  /** The last attempt in this process; null before the first one. */
  readonly last: Attempt | null;
  /** When it last succeeded. */
  readonly succeededAt: number | null;
  /** Attempts of this process, and how many of them failed. */
  readonly runs: number;
  readonly failures: number;
  /** When the current series of failures began. */
  readonly failingSince: number | null;
  readonly isOverdue: boolean;
}

export interface JobWatch {
  ended(name: string, attempt: Attempt): void;
  /** @param successes the time of each job's last success, from the store */
  states(successes: ReadonlyMap<string, number>, now: number): JobState[];
}

interface Attempts {
  last: Attempt;
  runs: number;
  failures: number;
  failingSince: number | null;
}

/** @param startedAt start of the service: jobs missed before it run now, and are not overdue yet */
export function createJobWatch(startedAt: number): JobWatch {
  const attempts = new Map<string, Attempts>();
  return {
    ended(name, attempt) {
      const before = attempts.get(name);
      attempts.set(name, {
        last: attempt,
        runs: (before?.runs ?? 0) + 1,
        failures: (before?.failures ?? 0) + (attempt.failed ? 1 : 0),
        failingSince: attempt.failed ? (before?.failingSince ?? attempt.at) : null,
      });
    },

    states: (successes, now) =>
      JOBS.map(({ name, period }) => {
        const { last = null, runs = 0, failures = 0, failingSince = null } = attempts.get(name) ?? {};
        const succeededAt = successes.get(name) ?? null;
        const hasRecovered = failingSince !== null && succeededAt !== null && succeededAt > (last?.at ?? 0);
        return {
          name,
          last,
          succeededAt,
          runs,
          failures,
          failingSince: hasRecovered ? null : failingSince,
          isOverdue: now - Math.max(succeededAt ?? 0, startedAt) > period * OVERDUE_AFTER,
        };
      }),
  };
}
