/**
 * Commits the transactions that wait together as one, because a durable commit costs more than its statements. Between
 * two commits the event loop always gets a turn. The queue is independent of the engine.
 *
 * A commit may wait for a lock that somebody else holds. If it waited in vain, what came meanwhile is refused with it:
 * otherwise each batch would wait for as long again, and the last request for minutes.
 * Held by test/contract.
 */
import { StoreUnavailable } from '../../ports/store.ts';
import type { Transaction } from './driver.ts';

/** A commit that failed after this long has waited for a lock in vain. In milliseconds. */
const IN_VAIN_MS = 5_000;

export interface Job {
  /** As in `Driver.write`. */
  readonly commutes: boolean;
  run(sql: Transaction): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export interface WriteQueue {
  /** Resolves with the answer of `work` once its transaction is durable. */
  add<Answer>(work: (sql: Transaction) => Promise<Answer>, commutes?: boolean): Promise<Answer>;
  /** Runs the task between two commits, when no transaction is open. */
  between<Answer>(task: () => Answer): Promise<Answer>;
  /** Number of transactions that wait or are being committed. */
  size(): number;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
}

/**
 * @param commit runs the jobs as one transaction and settles them. False: one of several threw, nothing was committed,
 * and each must be tried alone
 * @param most jobs of one transaction
 */
export function createWriteQueue(
  commit: (jobs: readonly Job[]) => Promise<boolean>,
  most = Number.POSITIVE_INFINITY,
  now = () => performance.now(),
): WriteQueue {
  const waiting: Job[] = [];
  let tasks: (() => void)[] = [];
  let busy: Promise<void> | null = null;
  let committing = 0;

  async function work(): Promise<void> {
    while (waiting.length > 0 || tasks.length > 0) {
      await new Promise(turn => setImmediate(turn));
      const due = tasks;
      tasks = [];
      for (const task of due) task();
      const jobs = waiting.splice(0, most);
      committing = jobs.length;
      const patienceEnds = now() + IN_VAIN_MS;
      let fault: unknown;
      const isVain = () => fault instanceof StoreUnavailable && now() >= patienceEnds;
      const refuse = (behind: readonly Job[]) => {
        for (const job of behind) job.reject(fault);
      };
      const watched = jobs.map(job => ({
        ...job,
        reject(error: unknown) {
          fault = error;
          job.reject(error);
        },
      }));
      if (jobs.length > 0 && !(await commit(watched)))
        for (const job of watched)
          if (isVain()) refuse([job]);
          else await commit([job]);
      committing = 0;
      if (isVain()) refuse(waiting.splice(0));
    }
    busy = null;
  }

  return {
    add: (run, commutes = false) =>
      new Promise((resolve, reject) => {
        let answer: Awaited<ReturnType<typeof run>>;
        const once = async (sql: Transaction) => {
          answer = await run(sql);
        };
        waiting.push({ commutes, run: once, resolve: () => resolve(answer), reject });
        busy ??= work();
      }),

    between: task =>
      new Promise((resolve, reject) => {
        tasks.push(() => {
          try {
            resolve(task());
          } catch (error) {
            reject(error);
          }
        });
        busy ??= work();
      }),

    size: () => waiting.length + committing,

    async idle() {
      while (busy) await busy;
    },
  };
}
