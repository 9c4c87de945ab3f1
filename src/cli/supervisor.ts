/**
 * Notifies systemd that the service is starting, ready, alive or stopping (sd_notify(3), for units of Type=notify).
 * Node.js cannot open systemd's socket without native code, so each message runs systemd's own `systemd-notify`, which
 * is present wherever NOTIFY_SOCKET is set.
 *
 * A large process is slow to fork: with 1.5 GB of galleries each message would block the event loop for 0.1 s. So a
 * shell is started once, while the process is small, and runs the program for each line of its input. The messages come
 * from child processes, so the unit needs NotifyAccess=all.
 *
 * The pings come from the event loop: if it hangs they stop, and systemd restarts the service.
 * Held by test/cli/supervisor.long.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Time allowed for a start. The migration of a large database blocks everything else. */
const START_SECONDS = 600;
/** Pings per watchdog period. */
const PINGS = 3;
const US_PER_MS = 1_000;
const PROGRAM = 'systemd-notify';
/** The shell ignores signals, which go to all processes of the unit. It ends with its input, after the last message. */
const SHELL = `trap '' TERM INT HUP; set -f; IFS='\t'; while read -r line; do ${PROGRAM} $line || exit; done`;

interface Supervisor {
  starting(): void;
  /** The service accepts requests. @param status one line, for `systemctl status` */
  ready(status: string): void;
  stopping(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Does nothing without NOTIFY_SOCKET. @param warn gets one line, once, if systemd cannot be notified */
export function createSupervisor(env: Environment, warn: (line: string) => void): Supervisor {
  const socket = env.NOTIFY_SOCKET;
  const shell = socket ? startShell(socket, env.PATH) : null;
  shell?.once('error', error => fail(String((error as NodeJS.ErrnoException).code)));
  shell?.once('exit', code => fail(`exit code ${code}`));
  let hasFailed = false;

  function notify(...fields: string[]): void {
    if (!hasFailed) shell?.stdin?.write(`${fields.join('\t')}\n`);
  }

  function fail(why: string): void {
    if (!hasFailed)
      warn(
        `systemd cannot be notified (${PROGRAM}: ${why}): install ${PROGRAM}, or set Type=exec and no WatchdogSec in the unit`,
      );
    hasFailed = true;
  }

  return {
    starting: () =>
      notify('STATUS=Opening the database', `EXTEND_TIMEOUT_USEC=${START_SECONDS * US_PER_MS * US_PER_MS}`),
    ready(status) {
      notify('READY=1', `STATUS=${status}`);
      const within = watchdogMs(env);
      if (within !== null) setInterval(() => notify('WATCHDOG=1'), within / PINGS).unref();
    },
    stopping: () => notify('STOPPING=1', 'STATUS=Waiting for running requests'),
  };
}

/** The shell does not keep the process alive. */
function startShell(socket: string, path: string | undefined): ChildProcess {
  const env = { NOTIFY_SOCKET: socket, PATH: path };
  const shell = spawn('/bin/sh', ['-c', SHELL], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  const input = shell.stdin as unknown as Socket;
  input.unref();
  // The shell's own `error` and `exit` report a failure.
  input.on('error', () => undefined);
  return shell;
}

/** Null: there is no watchdog, or it is for another process. */
function watchdogMs({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | null {
  const ms = Number(usec) / US_PER_MS;
  return ms > 0 && (pid === undefined || pid === String(process.pid)) ? ms : null;
}
