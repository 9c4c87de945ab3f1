/** Programs of the system that the trial needs, and what to say when one of them is not there. */
import { spawnSync } from 'node:child_process';

const PACKAGES: Record<string, string> = {
  mount: 'mount',
  setpriv: 'util-linux',
  chattr: 'e2fsprogs',
  strace: 'strace',
};

/** @throws Error with what the program said */
export function run(command: string, ...args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw new Error(missing(command) ?? String(error));
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${stderr.trim() || `exit code ${status}`}`);
}

/** What to install; null when it is there. */
export function missing(command: string): string | null {
  const { error } = spawnSync(command, ['--version']);
  return error ? `${command} is missing: apt-get install -y ${PACKAGES[command] ?? command} (Debian)` : null;
}

/** Why the commands cannot be used here; null when they can. */
export function cannot(...commands: readonly string[]): string | null {
  const absent = commands.map(missing).find(text => text !== null);
  if (absent) return absent;
  return process.getuid?.() === 0 ? null : `${commands.join(' and ')} would need root`;
}

/** The number of a user of this machine. */
export function userId(name: string): number {
  const { status, stdout } = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`there is no user ${name}`);
  return Number(stdout);
}
