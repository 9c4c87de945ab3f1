/** The servers of a trial, with all threads on one core by default, and the load generator on the other. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Delays, ProbeOrder } from './delay-probe.ts';

/** In the format of `taskset -c`. */
export const SERVER_CORES = '0';
const LOAD_CORE = '1';
const PROBE = new URL('./delay-probe.ts', import.meta.url).href;

/** Starts a script on the servers' cores, with the event-loop probe. It stops when this process ends. */
export function startServer(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  cores = SERVER_CORES,
): ChildProcess {
  const command = ['-c', cores, process.execPath, '--import', PROBE, ...args];
  return spawn('taskset', command, { env, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
}

export const startLoad = () => startOnLoadCore(new URL('./load.ts', import.meta.url));

export function startOnLoadCore(script: URL): ChildProcess {
  const execArgv = ['-c', LOAD_CORE, process.execPath];
  return fork(script, { execPath: 'taskset', execArgv });
}

/** Waits for a server to print its address. @param pattern its first group is the address */
export function listening(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', chunk => {
      if (text.length < 10_000) text += chunk;
      const address = pattern.exec(text)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`a server stopped before it listened: ${text}`)));
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await new Promise(done => child.once('exit', done));
}

/**
 * Starts counting. Linux counts nanoseconds per thread.
 * @returns microseconds since the start
 */
export function cpuClock({ pid }: ChildProcess) {
  const tasks = `/proc/${pid}/task`;
  const read = () =>
    new Map(
      readdirSync(tasks).flatMap(id => {
        try {
          const [nanos] = readFileSync(join(tasks, id, 'schedstat'), 'utf8').split(' ');
          return [[id, Number(nanos) / 1_000] as const];
        } catch {
          return []; // The thread is gone.
        }
      }),
    );
  const before = read();
  const names = new Map([...before.keys()].map(id => [id, nameOf(join(tasks, id))]));
  return () => {
    const used = [...read()].map(([id, micros]) => ({ id, micros: micros - (before.get(id) ?? 0) }));
    const sum = (of: typeof used) => of.reduce((total, { micros }) => total + micros, 0);
    return {
      all: sum(used),
      /** The thread with the event loop. */
      main: sum(used.filter(({ id }) => id === String(pid))),
      /** The matcher's workers; 0 for a server without any. */
      matcher: sum(used.filter(({ id }) => names.get(id) === 'matcher')),
    };
  };
}

function nameOf(task: string): string {
  return readFileSync(join(task, 'comm'), 'utf8').trim();
}

export function beginProbe(child: ChildProcess): void {
  child.send('begin probe' satisfies ProbeOrder);
}

export const endProbe = (child: ChildProcess) =>
  answerOf<Delays>(child, 'end probe' satisfies ProbeOrder, 'a server stopped during the measurement');

/** What a process answers to a message. @throws Error when it ends instead */
export async function answerOf<Answer>(child: ChildProcess, asked: string | object, ended: string) {
  const over = new AbortController();
  const [answer, gone] = [once(child, 'message', over), once(child, 'exit', over)];
  child.send(asked);
  try {
    const first = await Promise.race([answer, gone.then(() => null)]);
    if (first === null) throw new Error(ended);
    return first[0] as Answer;
  } finally {
    for (const one of [answer, gone]) one.catch(() => undefined);
    over.abort();
  }
}
