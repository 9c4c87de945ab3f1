/** strace on a process that runs already, making its calls fail until it is told to let go. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 5_000;

/** @returns lets go of the process, which runs on */
export async function attach(
  pid: number,
  log: string,
  filter: readonly string[],
  inject: string,
): Promise<() => Promise<void>> {
  const calls = inject.split(':')[0];
  const expressions = ['-e', `trace=${calls}`, '-e', `inject=${inject}`];
  const child = spawn('strace', ['-f', '-qq', '-o', log, ...filter, ...expressions, '-p', String(pid)]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const closed = new Promise<void>(done => child.on('close', () => done()));
  const end = performance.now() + PATIENCE_MS;
  while (!isTraced(pid, child.pid ?? -1)) {
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`strace is not attached: ${said}`);
    await delay(10);
  }
  return async () => {
    child.kill('SIGINT');
    await closed;
  };
}

/** Every thread of it. */
function isTraced(pid: number, tracer: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every(thread => {
    try {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      return /^TracerPid:\s+(\d+)/m.exec(status)?.[1] === String(tracer);
    } catch {
      return true; // gone meanwhile
    }
  });
}
