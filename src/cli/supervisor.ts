/**
 * Tells systemd how the service is: started, alive, being stopped (sd_notify(3), for units of Type=notify). Its socket is
 * of a kind that Node.js cannot open, and native code for that alone would have to be built for every machine; so systemd's
 * own `systemd-notify` is run for each message, which is there wherever NOTIFY_SOCKET is set.
 *
 * A large process is slow to fork: with 1.5 GB of galleries each message would hold up the event loop for 0.1 s. So a shell
 * is started once, while the process is small, and runs the program for every line that it is given. Messages come from
 * children that way: the unit has to say NotifyAccess=all.
 *
 * The pings come from the event loop: when it hangs there are none, and systemd restarts the service.
 * Held by test/cli/supervisor.long.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** How long a start may take before it says more: a migration of a large database lets nothing else happen meanwhile. */
const START_SECONDS = 600;
const PINGS = 3;
const US_PER_MS = 1_000;
const PROGRAM = 'systemd-notify';
/** Signals to all of the unit's processes are for the service: the shell ends with its input, after the last message. */
const SHELL = `trap '' TERM INT HUP; set -f; IFS='\t'; while read -r line; do ${PROGRAM} $line || exit; done`;

export interface Supervisor {
  starting(): void;
  /** It answers. @param status one line, for `systemctl status` */
  ready(status: string): void;
  /** It was told to stop. */
  stopping(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @param warn is told once, in one line, when systemd cannot be told. Without NOTIFY_SOCKET nothing happens. */
export function createSupervisor(env: Environment, warn: (line: string) => void): Supervisor {
  const socket = env.NOTIFY_SOCKET;
  const shell = socket ? startShell(socket, env.PATH) : null;
  shell?.once('error', error => fail(String((error as NodeJS.ErrnoException).code)));
  shell?.once('exit', code => fail(`exit code ${code}`));
  let hasFailed = false;

  function tell(...fields: string[]): void {
    if (!hasFailed) shell?.stdin?.write(`${fields.join('\t')}\n`);
  }

  function fail(why: string): void {
    if (!hasFailed)
      warn(
        `systemd cannot be told how the service is (${PROGRAM}: ${why}): install it, or set Type=exec and no WatchdogSec in the unit`,
      );
    hasFailed = true;
  }

  return {
    starting: () =>
      tell('STATUS=Opening the database', `EXTEND_TIMEOUT_USEC=${START_SECONDS * US_PER_MS * US_PER_MS}`),
    ready(status) {
      tell('READY=1', `STATUS=${status}`);
      const within = watchdogMs(env);
      if (within !== null) setInterval(() => tell('WATCHDOG=1'), within / PINGS).unref();
    },
    stopping: () => tell('STOPPING=1', 'STATUS=Letting requests under way finish'),
  };
}

/** It keeps nothing waiting for it. */
function startShell(socket: string, path: string | undefined): ChildProcess {
  const env = { NOTIFY_SOCKET: socket, PATH: path };
  const shell = spawn('/bin/sh', ['-c', SHELL], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  const input = shell.stdin as unknown as Socket;
  input.unref();
  // Its end is told by itself.
  input.on('error', () => undefined);
  return shell;
}

/** Null: no watchdog, or that of another process. */
function watchdogMs({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | null {
  const ms = Number(usec) / US_PER_MS;
  return ms > 0 && (pid === undefined || pid === String(process.pid)) ? ms : null;
}
