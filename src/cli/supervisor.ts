/**
 * Tells systemd how the service is: started, alive, being stopped (sd_notify(3), for units of Type=notify). Its socket is
 * of a kind that Node.js cannot open, and native code for that alone would have to be built for every machine; so systemd's
 * own `systemd-notify` is run for each message, which is there wherever NOTIFY_SOCKET is set: a few milliseconds of
 * another process, at the start, at the stop, and three times in each WatchdogSec. The messages come from a child, so the
 * unit has to say NotifyAccess=all.
 *
 * The pings come from the event loop: when it hangs there are none, and systemd restarts the service.
 * Held by test/cli/supervisor.test.ts.
 */
import { spawn } from 'node:child_process';

/** How long a start may take before it says more: a migration of a large database lets nothing else happen meanwhile. */
const START_SECONDS = 600;
const PINGS = 3;
const US_PER_MS = 1_000;
const PROGRAM = 'systemd-notify';

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
  let hasFailed = false;
  let waiting = 0;
  /** One after another, so that they arrive in order. */
  let last: Promise<void> = Promise.resolve();

  function tell(...fields: string[]): void {
    if (!socket || hasFailed) return;
    waiting++;
    last = last.then(() => notify(fields)).finally(() => waiting--);
  }

  function notify(fields: readonly string[]): Promise<void> {
    return new Promise(done => {
      const own = { NOTIFY_SOCKET: socket, PATH: env.PATH };
      const child = spawn(PROGRAM, fields, { env: own, stdio: 'ignore' });
      child.unref();
      child.on('error', error => fail(String((error as NodeJS.ErrnoException).code), done));
      child.on('exit', code => (code === 0 ? done() : fail(`exit code ${code}`, done)));
    });
  }

  function fail(why: string, done: () => void): void {
    if (!hasFailed)
      warn(
        `systemd cannot be told how the service is (${PROGRAM}: ${why}): install it, or set Type=exec and no WatchdogSec in the unit`,
      );
    hasFailed = true;
    done();
  }

  function ping(): void {
    // One that is late must not be followed by a heap of others.
    if (waiting === 0) tell('WATCHDOG=1');
  }

  return {
    starting: () =>
      tell('STATUS=Opening the database', `EXTEND_TIMEOUT_USEC=${START_SECONDS * US_PER_MS * US_PER_MS}`),
    ready(status) {
      tell('READY=1', `STATUS=${status}`);
      const within = watchdogMs(env);
      if (within !== null) setInterval(ping, within / PINGS).unref();
    },
    stopping: () => tell('STOPPING=1', 'STATUS=Letting requests under way finish'),
  };
}

/** Null: no watchdog, or that of another process. */
function watchdogMs({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | null {
  const ms = Number(usec) / US_PER_MS;
  return ms > 0 && (pid === undefined || pid === String(process.pid)) ? ms : null;
}
