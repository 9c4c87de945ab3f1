/**
 * What became of the scheduled jobs: each attempt of this process, and the last success of anybody (a command may have
 * run the job beside it). Held by test/domain/job-watch.test.ts.
 */
import { JOBS } from './jobs.ts';

/** A job is overdue after so many of its periods. */
const PATIENCE = 1.5;

export interface Attempt {
  readonly at: number;
  readonly seconds: number;
  readonly failed: boolean;
}

export interface JobState {
  readonly name: string;
  /** Of the last attempt in this process; null before the first one. */
  readonly last: Attempt | null;
  /** When it last ended well. */
  readonly succeededAt: number | null;
  /** Attempts of this process, and how many of them failed. */
  readonly runs: number;
  readonly failures: number;
  /** When the failures began that nothing has ended since. */
  readonly failingSince: number | null;
  readonly isOverdue: boolean;
}

export interface JobWatch {
  ended(name: string, attempt: Attempt): void;
  /** @param successes when jobs last ended well, by name, as the store knows */
  states(successes: ReadonlyMap<string, number>, now: number): JobState[];
}

interface Told {
  last: Attempt;
  runs: number;
  failures: number;
  failingSince: number | null;
}

/** @param startedAt jobs that were missed before it are run then, and are not overdue yet */
export function createJobWatch(startedAt: number): JobWatch {
  const told = new Map<string, Told>();
  return {
    ended(name, attempt) {
      const before = told.get(name);
      told.set(name, {
        last: attempt,
        runs: (before?.runs ?? 0) + 1,
        failures: (before?.failures ?? 0) + (attempt.failed ? 1 : 0),
        failingSince: attempt.failed ? (before?.failingSince ?? attempt.at) : null,
      });
    },

    states: (successes, now) =>
      JOBS.map(({ name, period }) => {
        const { last = null, runs = 0, failures = 0, failingSince = null } = told.get(name) ?? {};
        const succeededAt = successes.get(name) ?? null;
        const isMadeUp = failingSince !== null && succeededAt !== null && succeededAt > (last?.at ?? 0);
        return {
          name,
          last,
          succeededAt,
          runs,
          failures,
          failingSince: isMadeUp ? null : failingSince,
          isOverdue: now - Math.max(succeededAt ?? 0, startedAt) > period * PATIENCE,
        };
      }),
  };
}
