/** Machines with nothing on them but what Debian calls minimal: made by debootstrap, kept between runs, entered by chroot. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT } from '../dist/copy.ts';

/** Where machines are kept between runs. */
export const KEPT = join(tmpdir(), 'face-sign-in-machines');
const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

export interface Machine {
  readonly root: string;
  /** Runs the executable, with nothing in its environment but the settings. */
  run(
    args: readonly string[],
    settings?: Record<string, string>,
  ): { code: number | null; out: string; err: string };
  /** Moves a library away, and gives back what puts it in its place again. */
  without(library: string): () => void;
  remove(): void;
}

/** The files of such a machine. @throws Error naming what is missing, or with what debootstrap says */
export function archiveOf(suite: string, extra: readonly string[]): string {
  if (process.getuid?.() !== 0) throw new Error('machines need root: run npm test -- bare as root');
  if (!existsSync('/usr/sbin/debootstrap'))
    throw new Error('debootstrap is missing: apt-get install -y debootstrap (Debian)');
  const archive = join(KEPT, `${[suite, ...extra].join('+')}.tar`);
  if (!existsSync(archive)) make(suite, extra, archive);
  return archive;
}

/** @throws Error naming what is missing, or with what debootstrap says */
export function machine(suite: string, extra: readonly string[]): Machine {
  const archive = archiveOf(suite, extra);
  const root = mkdtempSync(join(tmpdir(), `face-sign-in-${suite}-`));
  execFileSync('tar', ['-xf', archive, '-C', root]);
  // Its root is for all of its users.
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'srv/app'), { recursive: true });
  copyFileSync(BUILT, join(root, 'srv/app/face-sign-in'));
  return {
    root,
    run(args, settings = {}) {
      const env = Object.entries({ PATH: '', HOME: '', PORT: '0', PORTAL_PORT: '0', ...settings });
      const line = [
        '/usr/bin/env',
        '-i',
        '-C',
        '/srv/app',
        ...env.map(([name, value]) => `${name}=${value}`),
      ];
      const ran = spawnSync('chroot', [root, ...line, '/srv/app/face-sign-in', ...args], {
        encoding: 'utf8',
      });
      return { code: ran.status, out: ran.stdout, err: ran.stderr };
    },
    without(library) {
      const file = join(root, LIBRARIES, library);
      renameSync(file, `${file}.away`);
      return () => renameSync(`${file}.away`, file);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function make(suite: string, extra: readonly string[], archive: string): void {
  mkdirSync(KEPT, { recursive: true, mode: 0o700 });
  const root = mkdtempSync(join(KEPT, `${suite}-`));
  const made = `${root}.tar`;
  try {
    const include = extra.length > 0 ? [`--include=${extra.join()}`] : [];
    execFileSync('debootstrap', ['--variant=minbase', ...include, suite, root, ...mirror()], {
      stdio: 'pipe',
    });
    chmodSync(root, 0o755);
    execFileSync('tar', ['-cf', made, '--exclude=./var/cache/apt', '--exclude=./dev/*', '-C', root, '.']);
    // Whole at once, for whoever looks meanwhile.
    renameSync(made, archive);
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(made, { force: true });
  }
}

/** Where this machine has its own packages from; nothing, where that cannot be told: debootstrap has a place of its own. */
export function mirror(): string[] {
  const lists = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].filter(existsSync);
  const text = lists.map(file => readFileSync(file, 'utf8')).join('\n');
  return /^(?:URIs:|deb)\s+(?:\[.*\]\s+)?(https?:\S*\/debian\/?)(?:\s|$)/m.exec(text)?.slice(1) ?? [];
}
