/**
 * A trial's side of the service in forked-service-process.ts. It looks like a running service to the helpers of test/support,
 * reads the database by a handle of its own, and gets the service's mail.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openedIn } from './data-keys.ts';
import type { Question } from './forked-service-process.ts';
import { openPostbox } from './postbox.ts';
import type { Running, TestApp } from './service.ts';

const PATIENCE_MS = 60_000;

/** A setting of null is the built-in one. */
export type Env = Readonly<Record<string, string | null>>;

export interface Service {
  readonly run: Running;
  readonly pid: number;
  /** Why the process is gone; null while it runs. */
  ended(): string | null;
  advance(ms: number): Promise<void>;
  /** Locks the database against writing, until its answer is called. */
  lock(): () => void;
  /** Lines of the log that hold a secret or show a fault of the service. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
}

type Ask = Question extends infer One ? (One extends Question ? Omit<One, 'id'> : never) : never;

export async function startService(env: Env = {}): Promise<Service> {
  const postbox = await openPostbox();
  const settings = JSON.stringify({ MAIL_URL: postbox.url, ...env });
  const child: ChildProcess = fork(join(import.meta.dirname, 'forked-service-process.ts'), {
    env: { ...process.env, SERVICE_ENV: settings },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let ended: string | null = null;
  let asked = 0;
  const leaving = () => child.kill('SIGKILL');
  process.once('exit', leaving);
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => waiting.get(id)?.resolve(answer));
  child.on('exit', (code, signal) => {
    ended = `the service ended with ${signal ?? code}`;
    for (const one of waiting.values()) one.reject(new Error(ended));
  });

  function answer(id: number): Promise<unknown> {
    const one = Promise.withResolvers<unknown>();
    waiting.set(id, one);
    const timer = setTimeout(() => one.reject(new Error('the service does not react')), PATIENCE_MS);
    return one.promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(id);
    });
  }
  function ask(question: Ask): Promise<unknown> {
    if (ended !== null) return Promise.reject(new Error(ended));
    const id = ++asked;
    child.send({ ...question, id });
    return answer(id);
  }

  const { base, dataDir, now: began } = (await answer(0)) as { base: string; dataDir: string; now: number };
  const reader = new Database(join(dataDir, 'face-sign-in.db'), { readonly: true });
  const locker = new Database(join(dataDir, 'face-sign-in.db'));
  let now = began;
  const refuse = () => {
    throw new Error('not from another process');
  };
  const run: Running = {
    base,
    dataDir,
    portal: '',
    logs: [],
    clock: { now: () => now, advance: refuse },
    mails: to => postbox.mails(to),
    createApp: (options = {}) => ask({ ask: 'app', options }) as Promise<TestApp>,
    cli: args => ask({ ask: 'cli', args: [...args] }) as ReturnType<Running['cli']>,
    rows: (sql, ...values) => reader.prepare(sql).all(...values),
    opened: table => openedIn(dataDir, table),
    change: refuse,
    restart: refuse,
    close: refuse,
  };
  return {
    run,
    pid: child.pid as number,
    ended: () => ended,
    async advance(ms) {
      now = (await ask({ ask: 'advance', ms })) as number;
    },
    lock: () => lockWith(locker),
    faults: () => ask({ ask: 'logs' }) as Promise<string[]>,
    async close() {
      reader.close();
      locker.close();
      await ask({ ask: 'close' }).finally(() => {
        process.off('exit', leaving);
        postbox.close();
      });
    },
  };
}

/** Waits for a transaction under way, at most as long as better-sqlite3 waits by itself. */
export function lockWith(handle: Database.Database): () => void {
  handle.exec('BEGIN IMMEDIATE');
  return () => void handle.exec('ROLLBACK');
}
