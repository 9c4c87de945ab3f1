/** The servers of a trial, all their threads on one core if nothing else is said, and the load generator on the other. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Delays, ProbeOrder } from './delay-probe.ts';

/** As `taskset -c` takes them. */
export const SERVER_CORES = '0';
const LOAD_CORE = '1';
const PROBE = new URL('./delay-probe.ts', import.meta.url).href;

/** Starts a script on the servers' cores, with the probe of its event loop. It ends with this process. */
export function startServer(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  cores = SERVER_CORES,
): ChildProcess {
  const command = ['-c', cores, process.execPath, '--import', PROBE, ...args];
  return spawn('taskset', command, { env, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
}

export function startLoad(): ChildProcess {
  const execArgv = ['-c', LOAD_CORE, process.execPath];
  return fork(new URL('./load.ts', import.meta.url), { execPath: 'taskset', execArgv });
}

/** The address that a server prints, in the group of the form. */
export function listening(child: ChildProcess, form: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', chunk => {
      if (text.length < 10_000) text += chunk;
      const address = form.exec(text)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`a server ended before it listened: ${text}`)));
  });
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await new Promise(done => child.once('exit', done));
}

/** Processor time that the threads of a server used. */
export interface CpuTime {
  readonly all: number;
  /** The one with the event loop. */
  readonly main: number;
  /** Workers of the matcher; a server that has none has 0. */
  readonly matcher: number;
}

/** The profiler's own threads are no part of the server. */
const PROFILER = /^(?:v8:Prof|SignalInspector)/;

/** Counts from now on; the answer tells microseconds. Linux keeps them to the nanosecond, by thread. */
export function cpuClock({ pid }: ChildProcess): () => CpuTime {
  const tasks = `/proc/${pid}/task`;
  const read = () =>
    new Map(
      readdirSync(tasks).flatMap(id => {
        try {
          const [nanos] = readFileSync(join(tasks, id, 'schedstat'), 'utf8').split(' ');
          return [[id, Number(nanos) / 1_000] as const];
        } catch {
          return []; // The thread has ended.
        }
      }),
    );
  const before = read();
  const names = new Map([...before.keys()].map(id => [id, nameOf(join(tasks, id))]));
  return () => {
    const used = [...read()]
      .filter(([id]) => !PROFILER.test(names.get(id) ?? ''))
      .map(([id, micros]) => ({ id, micros: micros - (before.get(id) ?? 0) }));
    const sum = (of: typeof used) => of.reduce((total, { micros }) => total + micros, 0);
    return {
      all: sum(used),
      main: sum(used.filter(({ id }) => id === String(pid))),
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

export function endProbe(child: ChildProcess): Promise<Delays> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('a server ended while it was measured'));
    child.once('exit', gone);
    child.once('message', message => {
      child.off('exit', gone);
      resolve(message as Delays);
    });
    child.send('end probe' satisfies ProbeOrder);
  });
}
