/** The fuzz's side of the service in test/fuzz/service-process.ts. It looks like a running service to `call` and `raw`. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { AppOptions, Running, TestApp } from '../support/service.ts';
import type { Question } from './service-process.ts';

const START_MS = 20_000;

export interface Service {
  /** For `call` and `raw`, which only need the address. */
  readonly run: Running;
  /** Why the process is gone; null while it runs. */
  readonly ended: () => string | null;
  createApp(options: AppOptions): Promise<TestApp>;
  /** How many lines were logged, and some that hold a secret or tell of a fault of the service. */
  logs(): Promise<{ lines: number; bad: string[] }>;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'service-process.ts'));
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
    const timer = setTimeout(() => one.reject(new Error('the service does not react')), START_MS);
    return one.promise.finally(() => clearTimeout(timer));
  }
  function ask(question: Omit<Question, 'id'>): Promise<unknown> {
    const id = ++asked;
    child.send({ ...question, id });
    return answer(id);
  }

  const base = (await answer(0)) as string;
  return {
    run: { base } as Running,
    ended: () => ended,
    createApp: options => ask({ ask: 'app', options } as Question) as Promise<TestApp>,
    logs: () => ask({ ask: 'logs' }) as Promise<{ lines: number; bad: string[] }>,
    async close() {
      await ask({ ask: 'close' });
      process.off('exit', leaving);
    },
  };
}
