/**
 * The program as an operator runs it, on a folder of a trial's: started, watched until it is healthy, ended by its
 * process id. Its port changes with every start; its tokens stay good, because the issuer does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../../src/config.ts';
import { openAdmin } from '../../../src/service/data.ts';
import { makeTestApp } from '../../support/apps.ts';
import { NO_LIMITS } from '../../support/no-limits.ts';
import { type Env, environment, ROOT } from '../../support/process.ts';
import type { TestApp } from '../../support/service.ts';

const PATIENCE_MS = 30_000;
const USUAL = /"level":"(trace|debug|info)"/;
const ADDRESS = /^ {2}API +(http:\S+)$/m;

export interface Start {
  readonly dataDir: string;
  readonly env?: Env;
  /** A command that starts the program under conditions of its own; it has to become the program, by exec. */
  readonly prefix?: readonly string[];
}

export type Program = Awaited<ReturnType<typeof startProgram>>;

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

/** An app with keys in a data folder, made before the program runs on it or beside it. */
export async function makeApp(dataDir: string, env: Env = {}): Promise<TestApp> {
  const admin = await openAdmin(loadConfig({ ...settings(dataDir), ...env }));
  try {
    return await makeTestApp(admin, { name: 'Crash' });
  } finally {
    await admin.close();
  }
}

/** Starts the program without waiting for it to answer. */
export function launch({ dataDir, env = {}, prefix = [] }: Start) {
  const [command = '', ...args] = [...prefix, process.execPath, join(ROOT, 'src/main.ts'), 'serve'];
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: environment({ ...settings(dataDir), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let printed = '';
  let lines = 0;
  for (const input of [child.stdout, child.stderr])
    createInterface(input).on('line', line => {
      lines += 1;
      // Of a log that grows for minutes the beginning tells most.
      if (!USUAL.test(line) && printed.length < 100_000) printed += `${line}\n`;
    });
  let over = false;
  const ended = new Promise<{ code: number | null; printed: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      over = true;
      living.delete(child);
      resolve({ code, printed });
    });
  });
  ended.catch(() => undefined); // told to whoever waits
  return { child, began, ended, isOver: () => over, printed: () => printed, lines: () => lines };
}

/** @throws Error when it ends, or is not healthy in time */
export async function startProgram(start: Start) {
  const { child, began, isOver, printed, lines, ended } = launch(start);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  // Told on stderr as soon as it listens. To ask for it over HTTP would slow the start down.
  const address = () => ADDRESS.exec(printed())?.[1];
  for (let base = address(); !base || !(await isHealthy(base)); base = address()) {
    const isLate = performance.now() - began > PATIENCE_MS;
    if (isOver() || isLate) child.kill('SIGKILL');
    if (isOver()) throw new Error(`the program ended at its start: ${printed()}`);
    if (isLate) throw new Error(`the program is not healthy: ${printed()}`);
    await delay(5);
  }
  const pid = child.pid ?? 0;
  return {
    base: address() ?? '',
    pid,
    /** From the start of the process to the first 200 of /health. */
    healthyAfterMs: performance.now() - began,
    /** Of that time, how long its main thread was ready to run while other processes had the processors. */
    waitedMs: waitOf(pid),
    isOver,
    /** All but the usual lines of its log. */
    printed,
    lines,
    /** Sends the signal, and waits until the process is gone. */
    end,
  };
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
