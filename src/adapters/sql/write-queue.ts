/**
 * Commits the transactions that wait together as one, because a durable commit costs more than its statements. Between
 * two commits the event loop always gets a turn. The queue is independent of the engine.
 * Held by test/contract.
 */
import type { Sql } from './driver.ts';

export interface Job {
  run(sql: Sql): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export interface WriteQueue {
  /** Resolves with the answer of `work` once its transaction is durable. */
  add<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
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
      if (jobs.length > 0 && !(await commit(jobs))) for (const job of jobs) await commit([job]);
      committing = 0;
    }
    busy = null;
  }

  return {
    add: run =>
      new Promise((resolve, reject) => {
        let answer: Awaited<ReturnType<typeof run>>;
        const once = async (sql: Sql) => {
          answer = await run(sql);
        };
        waiting.push({ run: once, resolve: () => resolve(answer), reject });
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
