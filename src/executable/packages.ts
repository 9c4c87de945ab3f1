/** Where the packages lie that the executable is made of. The Node.js in it is held by test/repo/runtime.test.ts. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

export function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

const RUNTIMES = Object.entries(manifest.optionalDependencies);

/** Name and version of the package that has Node.js for this platform. @throws Error where there is none */
function runtimePackage(): [name: string, version: string] {
  const platform = `${process.platform}-${process.arch}`;
  const found = RUNTIMES.find(([name]) => name.startsWith('node-') && name.endsWith(`-${platform}`));
  if (!found) throw new Error(`no package of Node.js is locked for ${platform}`);
  return found;
}

/** Where Node.js is: the package of this platform, as the lock file has it. */
export function nodeFolder(): string {
  return packageFolder(runtimePackage()[0]);
}

/**
 * The file of Node.js that the executable is made of. Only the locked one will do, whichever one was started to build it.
 * @throws Error when this process runs on another one
 */
export function lockedNode(running = { path: process.execPath, version: process.versions.node }): string {
  const [name, version] = runtimePackage();
  const file = join(nodeFolder(), 'bin/node');
  if (running.version === version && realpathSync(running.path) === realpathSync(file)) return file;
  throw new Error(
    `the executable is made of Node.js ${version} in node_modules/${name}, but this is ${running.version} at ${running.path}: run npm ci, then npm run build`,
  );
}
