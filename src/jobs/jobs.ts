/** The scheduled jobs: their names, their times (UTC) and what they do. */
import { recordEntry } from '../domain/access/audit.ts';
import type { AdminDeps } from '../domain/deps.ts';
import { clockFault, refuseByAge } from '../domain/known-time.ts';
import { OperatingFault } from '../domain/operating/fault.ts';
import { finishRekeys } from '../domain/rekeying.ts';
import {
  deleteExpiredChallenges,
  deleteExpiredRows,
  deleteIdleUsers,
  deleteOldAuditEntries,
  deleteOldEvents,
  deleteOldOutbox,
  deleteOldTestUsers,
  type RunOptions,
  rotateOldSigningKey,
} from '../domain/retention.ts';
import { DAY, HOUR } from '../protocol/limits.ts';

export interface Job {
  readonly name: string;
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly schedule: string;
  /** The time between two runs. A job that has not run for longer has missed one. */
  readonly period: number;
  /** Description, as in the operator's guide. */
  readonly about: string;
  /** Not while the clock cannot be believed. */
  readonly deletesByAge?: true;
  /** While the clock has leapt, what expires goes by the known time: a sign-out would be forgotten too early. */
  readonly deletesExpired?: true;
  /** @returns how many things it changed */
  readonly act: (deps: AdminDeps, options: RunOptions) => Promise<number>;
}

export const JOBS: readonly Job[] = [
  {
    name: 'challenges',
    schedule: '0 * * * *',
    period: HOUR,
    about: 'deletes challenges that have expired',
    act: deleteExpiredChallenges,
    deletesExpired: true,
  },
  {
    name: 'signing-key',
    schedule: '5 * * * *',
    period: HOUR,
    about: 'replaces the signing key when it is SIGNING_KEY_DAYS old',
    act: rotateOldSigningKey,
  },
  {
    name: 'tokens',
    schedule: '10 * * * *',
    period: HOUR,
    about:
      'deletes expired sign-outs, codes and rate-limit windows, and ended sessions and links of operators',
    act: deleteExpiredRows,
    deletesExpired: true,
  },
  {
    name: 'data-keys',
    schedule: '20 * * * *',
    period: HOUR,
    about: 'finishes interrupted changes of app keys',
    act: finishRekeys,
  },
  {
    name: 'outbox',
    schedule: '25 * * * *',
    period: HOUR,
    about: "deletes events for apps' servers, and deliveries of webhooks, after 7 days",
    act: deleteOldOutbox,
    deletesByAge: true,
  },
  {
    name: 'test-users',
    schedule: '15 3 * * *',
    period: DAY,
    about: 'deletes test users 30 days after they enrolled, with their events',
    act: deleteOldTestUsers,
    deletesByAge: true,
  },
  {
    name: 'retention',
    schedule: '30 3 * * *',
    period: DAY,
    about: 'erases users who have not signed in for three years, and removes interrupted imports',
    act: deleteIdleUsers,
    deletesByAge: true,
  },
  {
    name: 'events',
    schedule: '45 3 * * *',
    period: DAY,
    about:
      'deletes events and the record of erasures older than 400 days, and ids of templates removed a day ago',
    act: deleteOldEvents,
    deletesByAge: true,
  },
  {
    name: 'audit',
    schedule: '50 3 * * *',
    period: DAY,
    about: 'deletes entries of the audit log older than 400 days',
    act: deleteOldAuditEntries,
    deletesByAge: true,
  },
];

/** @property lastRun when the job last ended; null: never */
type KnownJob = Job & { readonly lastRun: number | null };

export async function listJobs({ store }: Pick<AdminDeps, 'store'>): Promise<KnownJob[]> {
  const runs = await store.jobRuns();
  return JOBS.map(job => ({ ...job, lastRun: runs.get(job.name) ?? null }));
}

/** @throws OperatingFault not_found */
export function findJob(name: string): Job {
  const job = JOBS.find(known => known.name === name);
  if (job) return job;
  const names = JOBS.map(known => known.name).join(', ');
  throw new OperatingFault('job', 'not_found', `there is no job "${name}": use one of ${names}`);
}

/**
 * Runs a job, on one node at a time, and records when it ended. It changes things in pieces: its entry goes first.
 * @throws OperatingFault too_soon: another node is running it, or it deletes by age and the clock has leapt
 */
export async function runJob(
  { entry, ...deps }: AdminDeps,
  job: Job,
  options: RunOptions = {},
): Promise<number> {
  const affected = await deps.store.alone(`job ${job.name}`, async lost => {
    const fault = await clockFault(deps);
    // Also when it is behind: the known time may be of a clock that was ahead.
    if (fault && job.deletesByAge) refuseByAge(fault, `the job "${job.name}"`);
    await recordEntry({ store: deps.store, entry });
    const known = fault?.kind === 'leap' && job.deletesExpired ? fault.known : null;
    const signals = [options.signal, lost].filter(signal => signal !== undefined);
    const count = await job.act(known === null ? deps : asOf(deps, known), {
      ...options,
      signal: AbortSignal.any(signals),
    });
    await deps.store.recordJobRun(job.name, deps.clock.now());
    return { count };
  });
  if (affected) return affected.count;
  throw new OperatingFault('job', 'too_soon', 'another node is running this job: wait until it has ended');
}

function asOf(deps: AdminDeps, moment: number): AdminDeps {
  return { ...deps, clock: { ...deps.clock, now: () => moment } };
}
