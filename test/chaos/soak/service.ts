/** The service of serve.ts from outside: started, asked every few seconds, ended. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { environment, newDataDir } from '../../support/process.ts';
import { settings } from '../crash/program.ts';
import { handlesOf, memoryOf } from './process-figures.ts';
import type { Inside } from './serve.ts';

const ADDRESS = /^ {2}API +(http:\S+)$/m;
const PATIENCE_MS = 30_000;
/** Every answer is written to the log, as in operation; only lines above `info` are kept. */
const USUAL = /"level":"(trace|debug|info)"/;

export interface Sample extends Inside {
  /** Seconds since the load began. */
  readonly at: number;
  readonly rss: number;
  readonly handles: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
}

export interface Soaked {
  readonly base: string;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** Lines of the log above `info`, the first hundred. */
  readonly complaints: readonly string[];
  /** Lines of the log. */
  logged(): number;
  isOver(): boolean;
  handles(): number;
  sample(at: number): Promise<Sample>;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

export async function startSoaked(mailUrl: string): Promise<Soaked> {
  const dataDir = newDataDir();
  const env = { ...settings(dataDir), MAIL_URL: mailUrl, LOG_LEVEL: 'info', MATCH_THREADS: '1' };
  const child = fork(join(import.meta.dirname, 'serve.ts'), {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const leaving = () => child.kill('SIGKILL');
  process.once('exit', leaving);
  const complaints: string[] = [];
  let lines = 0;
  let printed = '';
  if (!child.stdout || !child.stderr) throw new Error('the service has no pipes');
  createInterface(child.stdout).on('line', line => {
    lines++;
    if (!USUAL.test(line) && complaints.length < 100) complaints.push(line);
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    if (printed.length < 10_000) printed += text;
  });
  let over = false;
  const ended = once(child, 'exit').then(([code]) => {
    over = true;
    process.off('exit', leaving);
    return code as number | null;
  });
  const pid = child.pid as number;
  const end = performance.now() + PATIENCE_MS;
  while (!ADDRESS.test(printed)) {
    if (over || performance.now() > end) throw new Error(`the service does not start: ${printed}`);
    await delay(20);
  }
  const file = join(dataDir, 'face-sign-in.db');
  return {
    base: ADDRESS.exec(printed)?.[1] ?? '',
    dataDir,
    env,
    complaints,
    logged: () => lines,
    isOver: () => over,
    handles: () => handlesOf(pid),
    async sample(at) {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
      child.send('sample');
      const [inside] = (await answer) as [Inside];
      const rss = memoryOf(pid);
      const [walBytes, databaseBytes] = [sizeOf(`${file}-wal`), sizeOf(file)];
      return { at, rss, handles: handlesOf(pid), walBytes, databaseBytes, ...inside };
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
