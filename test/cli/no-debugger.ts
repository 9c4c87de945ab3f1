/** Asks a running server for a debugger, as `kill -USR1` does, and wants none. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Server } from '../support/process.ts';

const TIMES = 5;
/** Node.js opens the port on a thread of its own, within milliseconds; an answer of the server comes after that. */
const PAUSE_MS = 50;

export async function assertNoDebugger(server: Server): Promise<void> {
  const before = listening(server.pid);
  for (let time = 0; time < TIMES; time++) {
    server.kill('SIGUSR1');
    await new Promise(resume => setTimeout(resume, PAUSE_MS));
    assert.is((await fetch(`${server.base}/health`)).status, 200);
  }
  assert.equal(listening(server.pid), before);
  assert.not.match(server.printed.stderr, /debugger/i);
}

/** The ports that a process listens on, where the system tells. */
function listening(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/fd`)) return [];
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map(fd => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    }),
  );
  return ['tcp', 'tcp6']
    .filter(name => existsSync(`/proc/${pid}/net/${name}`))
    .flatMap(name => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').trim().split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16))
    .sort((a, b) => a - b);
}
