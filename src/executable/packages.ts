/** Finds the packages that go into the executable. Held for Node.js by test/repo/runtime.test.ts. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

export function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

const RUNTIMES = Object.entries(manifest.optionalDependencies);

/** @throws Error if the lock file has no Node.js for this platform */
export function runtimePackage(): [name: string, version: string] {
  const platform = `${process.platform}-${process.arch}`;
  const found = RUNTIMES.find(([name]) => name.startsWith('node-') && name.endsWith(`-${platform}`));
  if (!found) throw new Error(`package-lock.json has no Node.js for ${platform}`);
  return found;
}

/** Folder of the locked Node.js for this platform. */
export function nodeFolder(): string {
  return packageFolder(runtimePackage()[0]);
}

/**
 * The Node.js file to build the executable from: always the locked one.
 * @throws Error if this process runs on another one
 */
export function lockedNode(running = { path: process.execPath, version: process.versions.node }): string {
  const [name, version] = runtimePackage();
  const file = join(nodeFolder(), 'bin/node');
  if (running.version === version && realpathSync(running.path) === realpathSync(file)) return file;
  throw new Error(
    `the executable is built from Node.js ${version} in node_modules/${name}, but this is ${running.version} at ${running.path}: run npm ci, then npm run build`,
  );
}
