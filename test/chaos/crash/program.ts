/**
 * The program as an operator runs it, on a folder of a trial's: started, watched until it is healthy, ended by its
 * process id. Its port changes with every start; its tokens stay good, because the issuer does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { type Env, environment, ROOT } from '../../support/process.ts';

const PATIENCE_MS = 30_000;
const ADDRESS = /^ {2}API +(http:\S+)$/m;

export interface Start {
  readonly dataDir: string;
  readonly env?: Env;
  /** A checkout other than this one. */
  readonly root?: string;
  /** A command that starts the program under conditions of its own; it has to become the program, by exec. */
  readonly prefix?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly printed: string;
}

export interface Program {
  readonly base: string;
  readonly pid: number;
  /** From the start of the process to the first 200 of /health. */
  readonly healthyAfterMs: number;
  /** Of that time, how long its main thread was ready to run while other processes had the processors. */
  readonly waitedMs: number;
  readonly ended: Promise<Ended>;
  isOver(): boolean;
  /** Lines of its log that tell of a fault. */
  printed(): string;
  /** Sends the signal, and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export const mailFolder = (dataDir: string) => join(dataDir, 'mail');

/** Requests are not limited, and codes arrive as files. */
export function settings(dataDir: string): Env {
  return {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    BASE_URL: 'http://127.0.0.1:1',
    MAIL_URL: `file:${mailFolder(dataDir)}`,
    MAIL_ANSWER_MS: '100',
    LOG_LEVEL: 'error',
  };
}

/** Starts the program without waiting for it to answer. */
export function launch({ dataDir, env = {}, root = ROOT, prefix = [] }: Start) {
  const [command = '', ...args] = [...prefix, process.execPath, join(root, 'src/main.ts'), 'serve'];
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: environment({ ...settings(dataDir), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      // Of a log that grows for minutes the beginning tells most.
      if (printed.length < 100_000) printed += text;
    });
  let over = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      over = true;
      living.delete(child);
      resolve({ code, signal, printed });
    });
  });
  ended.catch(() => undefined); // told to whoever waits
  return { child, began, ended, isOver: () => over, printed: () => printed };
}

/** @throws Error when it ends, or is not healthy in time */
export async function startProgram(start: Start): Promise<Program> {
  const { child, began, ended, isOver, printed } = launch(start);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  try {
    const base = await addressOf();
    while (!(await isHealthy(base))) {
      check();
      await delay(10);
    }
    const healthyAfterMs = performance.now() - began;
    const pid = child.pid ?? 0;
    return { base, pid, healthyAfterMs, waitedMs: waitOf(pid), ended, isOver, printed, end };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }

  /** Told on stderr as soon as it listens. To ask for it over HTTP would slow the start down. */
  async function addressOf(): Promise<string> {
    for (;;) {
      const found = ADDRESS.exec(printed())?.[1];
      if (found) return found;
      check();
      await delay(5);
    }
  }

  function check(): void {
    if (isOver()) throw new Error(`the program ended at its start: ${printed()}`);
    if (performance.now() - began > PATIENCE_MS) throw new Error(`the program is not healthy: ${printed()}`);
  }
}

/** The second number of schedstat, in nanoseconds; 0 where the kernel does not keep it. */
function waitOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** One question, on a connection of its own. */
export async function isHealthy(base: string, patienceMs = 5_000): Promise<boolean> {
  return (await healthOf(base, patienceMs)) === 200;
}

/** The status of /health; 0: no answer. */
export async function healthOf(base: string, patienceMs = 5_000): Promise<number> {
  try {
    const headers = { connection: 'close' };
    const answer = await fetch(`${base}/health`, { headers, signal: AbortSignal.timeout(patienceMs) });
    await answer.text();
    return answer.status;
  } catch {
    return 0;
  }
}
