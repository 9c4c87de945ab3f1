/** The two servers of the trial on one core, and the load generator on the other. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** Starts a script on the servers' core. */
export function startServer(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const command = ['-c', SERVER_CORE, process.execPath, ...args];
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

/** User and system time that the process has used, in microseconds (Linux counts hundredths of a second). */
export function cpuMicros({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
