/**
 * A machine that is booted, with systemd as its first process and a network of its own: for what a service manager does.
 * A script of commands runs in it as root, each of them is kept with its exit code and output, and it is switched off.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../bare/machines.ts';

/** What a machine needs to boot. */
export const BOOTABLE = ['dbus', 'libatomic1', 'systemd', 'systemd-sysv'];

const LONGEST_MS = 180_000;
const UNIT = `[Unit]
After=network.target
[Service]
Type=oneshot
ExecStart=/srv/script
ExecStopPost=/bin/systemctl poweroff --no-block
[Install]
WantedBy=multi-user.target
`;

export interface Done {
  readonly code: number;
  /** What it wrote, to either stream. */
  readonly out: string;
}

/**
 * @param commands name → a line of bash
 * @returns name → what came of it
 * @throws Error when the machine did not come up, or did not get to the end in three minutes
 */
export function boot<Name extends string>(
  { root }: Machine,
  commands: Record<Name, string>,
): Record<Name, Done> {
  const names = Object.keys(commands) as Name[];
  const kept = join(root, 'srv/kept');
  mkdirSync(kept, { recursive: true });
  const lines = names.map(
    name => `( ${commands[name]}\n) >/srv/kept/${name} 2>&1; echo $? >/srv/kept/${name}.code`,
  );
  const script = join(root, 'srv/script');
  writeFileSync(script, `#!/bin/bash\ncd /\n${lines.join('\n')}\n`);
  chmodSync(script, 0o755);
  const units = join(root, 'etc/systemd/system');
  writeFileSync(join(units, 'script.service'), UNIT);
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true });
  symlinkSync('../script.service', join(units, 'multi-user.target.wants/script.service'));
  const args = ['-D', root, '--register=no', '--keep-unit', '--private-network', '--boot'];
  const { status, stdout, stderr } = spawnSync('systemd-nspawn', args, {
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  const results = names.map(name => [name, resultOf(kept, name)] as const);
  const missing = results.find(([, result]) => result === null);
  if (missing) {
    const said = JSON.stringify(Object.fromEntries(results), null, 2);
    throw new Error(
      `the machine did not get through ${missing[0]} (${status}): ${said}${(stdout + stderr).slice(-500)}`,
    );
  }
  return Object.fromEntries(results) as Record<Name, Done>;
}

/** Null where the command did not end, or never began. */
function resultOf(kept: string, name: string): Done | null {
  const [out, code] = [join(kept, name), join(kept, `${name}.code`)];
  return existsSync(code)
    ? { code: Number(readFileSync(code, 'utf8')), out: readFileSync(out, 'utf8') }
    : null;
}
