/**
 * Writes of one transaction at the same time, so that their statements travel together. There are no savepoints, which
 * would get mixed up and cost two statements each: if something must be undone, the whole transaction is.
 * Held by test/postgres/together.ts and test/contract/concurrency.ts.
 */
import type { Transaction } from '../sql/driver.ts';
import type { Job } from '../sql/write-queue.ts';

/** The transaction must be undone, and its writes run one after the other. */
export class Undone extends Error {}

/** @throws Undone */
export const hope: Transaction['attempt'] = async (work, isKept) => {
  const answer = await work();
  if (!isKept(answer)) throw new Undone();
  return answer;
};

/** One that does not commute has the transaction to itself meanwhile. */
export async function runAtOnce(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<void> {
  let running: Promise<void>[] = [];
  for (const job of jobs) {
    if (!job.commutes) await allOf(running);
    running = job.commutes ? [...running, run(job)] : [];
    if (!job.commutes) await run(job);
  }
  await allOf(running);
}

/** Waits for all, whatever becomes of them: nothing else may use their connection before. @throws the first fault */
async function allOf(running: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(running)).find(end => end.status === 'rejected');
  if (fault) throw fault.reason;
}
