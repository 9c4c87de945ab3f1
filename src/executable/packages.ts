/**
 * Finds the packages that go into the executable. The locked Node.js of another platform, which npm ci leaves out, is
 * downloaded by npm and must have the checksum of the lock file. Held for Node.js by test/repo/runtime.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

export const HOST = `${process.platform}-${process.arch}`;
const LOCK = join(import.meta.dirname, '../../package-lock.json');

export function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

const RUNTIMES = Object.entries(manifest.optionalDependencies);

/** @throws Error if the lock file has no Node.js for this platform */
export function runtimePackage(platform = HOST): [name: string, version: string] {
  const found = RUNTIMES.find(([name]) => name.startsWith('node-') && name.endsWith(`-${platform}`));
  if (!found) throw new Error(`package-lock.json has no Node.js for ${platform}`);
  return found;
}

/** Folder of the locked Node.js for this machine. */
export function nodeFolder(): string {
  return packageFolder(runtimePackage(HOST)[0]);
}

/**
 * The Node.js file that builds the executable: always the locked one.
 * @throws Error if this process runs on another one
 */
export function lockedNode(running = { path: process.execPath, version: process.versions.node }): string {
  const [name, version] = runtimePackage(HOST);
  const file = join(nodeFolder(), 'bin/node');
  if (running.version === version && realpathSync(running.path) === realpathSync(file)) return file;
  throw new Error(
    `the executable is built from Node.js ${version} in node_modules/${name}, but this is ${running.version} at ${running.path}: run npm ci, then npm run build`,
  );
}

/**
 * Downloads the locked Node.js for another platform, or takes it from npm's cache.
 * @param into the folder that it is unpacked in
 * @returns the folder of the package
 * @throws Error if npm or tar fails, or the package is not the one of the lock file
 */
export function downloadedNode(platform: string, into: string): string {
  const [name, version] = runtimePackage(platform);
  const { integrity } = JSON.parse(readFileSync(LOCK, 'utf8')).packages[`node_modules/${name}`];
  const options = ['--prefer-offline', '--ignore-scripts', '--silent', '--pack-destination', into];
  execFileSync('npm', ['pack', `${name}@${version}`, ...options], {
    cwd: into,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = join(into, `${name}-${version}.tgz`);
  const checksum = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (checksum !== integrity)
    throw new Error(
      `npm returned a ${name}@${version} with the checksum ${checksum}, but package-lock.json has ${integrity}: use another registry`,
    );
  execFileSync('tar', ['-xzf', file, '-C', into]);
  return join(into, 'package');
}
