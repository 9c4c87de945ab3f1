/**
 * Writes a release into `dist/release`: the packed SDK packages, the executable, the SBOM, what is new, and checksums.
 * Publishes nothing. Held by test/dist/release.long.test.ts.
 *
 * Use: node src/release/main.ts [--out FOLDER]   (`npm run build -- release` builds first)
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TARBALLS } from '../sdk/build/pack.ts';
import { PACKAGES, tarballOf } from '../sdk/build/packages.ts';
import { wholeFolder } from '../sdk/build/whole-folder.ts';
import { VERSION } from '../version.ts';
import { excerptOf } from './changelog.ts';
import { bomOf } from './sbom.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXECUTABLE = 'dist/face-sign-in';
const SUMS = 'SHA256SUMS';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(ROOT, 'dist/release'));
try {
  await release();
} catch (error) {
  console.error(`face-sign-in: no release: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { names, commit } = await wholeFolder(out, async draft => {
    const put = (from: string, name: string, mode = 0o644) => {
      if (!existsSync(join(ROOT, from))) throw new Error(`there is no ${from}: run npm run build -- release`);
      copyFileSync(join(ROOT, from), join(draft, name));
      chmodSync(join(draft, name), mode);
    };
    const add = (name: string, text: string) => writeFileSync(join(draft, name), text, { mode: 0o644 });
    add('CHANGELOG.md', excerptOf(readFileSync(join(ROOT, '.github/CHANGELOG.md'), 'utf8'), VERSION));
    for (const each of PACKAGES) put(`dist/sdk/${TARBALLS}/${tarballOf(each)}`, tarballOf(each));
    const executable = `face-sign-in-${VERSION}-${process.platform}-${process.arch}`;
    put(EXECUTABLE, executable, 0o755);
    const commit = commitOf(join(draft, executable));
    add(`face-sign-in-${VERSION}.cdx.json`, await bomOf(ROOT));
    const names = readdirSync(draft).sort();
    add(SUMS, names.map(name => `${sha256(join(draft, name))}  ${name}\n`).join(''));
    return { names, commit };
  });
  for (const name of [...names, SUMS])
    console.log(`${join(relative('', out), name)}: ${statSync(join(out, name)).size} bytes`);
  console.log(`version ${VERSION}, commit ${commit ?? 'unknown: not built from a clone'}`);
}

/** @throws Error if the executable is of another version */
function commitOf(executable: string): string | null {
  const { version, commit } = JSON.parse(
    execFileSync(executable, ['--version', '--json'], { encoding: 'utf8', env: {} }),
  );
  if (version !== VERSION)
    throw new Error(
      `${EXECUTABLE} is ${version}, but package.json is ${VERSION}: run npm run build -- release`,
    );
  return commit;
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
