/**
 * Gathers the transactions of one turn of the event loop, so that they are committed together: one durable commit
 * costs more than the statements in it. Between two commits the event loop always gets a turn, however many writes
 * follow each other. It knows no engine. test/contract holds it.
 */
import type { Sql } from '../sql/driver.ts';

export interface Job {
  run(sql: Sql): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export interface WriteQueue {
  /** Resolves with the answer once the transaction that `work` was part of is durable. */
  add<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  /** Runs the task between two commits, while no transaction is open. */
  between<Answer>(task: () => Answer): Promise<Answer>;
  /** Transactions that wait or are being committed. */
  size(): number;
  /** Resolves when nothing waits and nothing is being committed. */
  idle(): Promise<void>;
}

/**
 * @param commit settles the jobs as one transaction; false: one of several threw, nothing happened, and each is to be
 * tried alone
 */
export function createWriteQueue(commit: (jobs: readonly Job[]) => Promise<boolean>): WriteQueue {
  let waiting: Job[] = [];
  let tasks: (() => void)[] = [];
  let busy: Promise<void> | null = null;
  let committing = 0;

  async function work(): Promise<void> {
    while (waiting.length > 0 || tasks.length > 0) {
      await new Promise(turn => setImmediate(turn));
      const due = tasks;
      tasks = [];
      for (const task of due) task();
      const jobs = waiting;
      waiting = [];
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
