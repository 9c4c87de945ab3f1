/**
 * Podman and buildah in folders of their own, without a registry: images are built on a machine made by debootstrap, and
 * containers run with the flags that the Dockerfile tells.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT } from '../dist/copy.ts';
import { ROOT } from '../support/process.ts';
import { archiveOf } from './machines.ts';

const IMAGE = 'localhost/face-sign-in';
const BASE = 'localhost/debian:bookworm';
const PROGRAMS = ['/usr/bin/podman', '/usr/bin/buildah', '/usr/sbin/runc'];
const DOCKERFILE = join(ROOT, 'Dockerfile');

export interface Podman {
  readonly image: string;
  /** What a command prints. @throws Error with what it says */
  run(args: readonly string[]): string;
  /** The flags after `docker run -d` in the Dockerfile, without name, address and volume. */
  readonly safety: readonly string[];
  remove(): void;
}

/** Builds the image of the Dockerfile; the executable at hand takes the place of its first stage. @throws Error saying what is missing */
export function buildImage(): Podman {
  const missing = PROGRAMS.find(file => !existsSync(file));
  if (missing)
    throw new Error(
      `${missing} is missing: apt-get install -y --no-install-recommends podman buildah runc (Debian)`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-image-'));
  const store = ['--storage-driver=vfs', '--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const remove = () => {
    spawnSync('podman', [...store, 'rm', '-af'], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  const exec = (program: string, args: readonly string[]) =>
    execFileSync(program, [...store, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const stage = join(folder, 'build/src/dist');
    mkdirSync(stage, { recursive: true });
    copyFileSync(BUILT, join(stage, 'face-sign-in'));
    chmodSync(join(stage, 'face-sign-in'), 0o755);
    exec('podman', ['import', '-q', archiveOf('bookworm', ['libatomic1']), BASE]);
    const context = ['--build-context', `build=${join(folder, 'build')}`, '--build-arg', `BASE=${BASE}`];
    const how = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host'];
    exec('buildah', ['build', '-q', ...how, ...context, '-t', IMAGE, ROOT]);
  } catch (error) {
    remove();
    throw new Error(`the image cannot be built: ${(error as { stderr?: string }).stderr ?? error}`);
  }
  const runtime = ['--runtime', '/usr/sbin/runc', '--cgroup-manager=cgroupfs'];
  return { image: IMAGE, safety: safetyFlags(), run: args => exec('podman', [...runtime, ...args]), remove };
}

function safetyFlags(): string[] {
  const [, line = ''] =
    /docker run -d ([\s\S]*?) face-sign-in\n/.exec(readFileSync(DOCKERFILE, 'utf8')) ?? [];
  const words = line.replaceAll(/\\\n#/g, ' ').split(/\s+/).filter(Boolean);
  const from = words.indexOf('--read-only');
  if (from < 0) throw new Error('the Dockerfile does not tell how to run the image');
  return words.slice(from);
}
