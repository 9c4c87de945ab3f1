/**
 * Runs first in the npm scripts. Stops with one line if they do not run on the Node.js that npm ci installs. Plain
 * JavaScript, because any Node.js on the machine may run it. Held by test/repo/runtime.test.ts.
 */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const runtimes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
const platform = `${process.platform}-${process.arch}`;
const [name, version] = runtimes.find(([name]) => name.endsWith(`-${platform}`)) ?? [null, runtimes[0][1]];

if (process.versions.node !== version) {
  console.error(
    `face-sign-in: this needs Node.js ${version}, but runs on ${process.versions.node}: ${why()}`,
  );
  process.exit(1);
}

function why() {
  if (name === null) {
    const platforms = runtimes.map(([name]) => name.replace(/^node-(bin-)?/, '')).join(', ');
    return `npm ci installs it for ${platforms}, but not for ${platform}`;
  }
  const folder = `node_modules/${name}`;
  if (!existsSync(new URL(`${folder}/bin/node`, root)))
    return `${folder} is missing; run npm ci, without --omit=optional`;
  const { report } = process;
  if (process.platform === 'linux' && !report.getReport().header.glibcVersionRuntime)
    return `the one in ${folder} needs glibc, which this system does not have; use Debian, for example`;
  return `start it with npm run, which uses the one in ${folder}; if that fails, run npm ci`;
}
