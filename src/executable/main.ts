/**
 * Builds the single executable: the Node.js of the lock file, without symbols, with the program, its threads and every
 * file that it reads. The new file replaces the old one only after it has printed its version. The build takes some
 * seconds, so `npm start` skips it. Held by test/dist.
 *
 * Use: node src/executable/main.ts [--out FILE]
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ADDON } from './addon.ts';
import { bundle, PROGRAM } from './bundle.ts';
import { packedFiles, THREADS } from './contents.ts';
import { engineFor } from './engine.ts';
import { licencesOf } from './licences.ts';
import { lockedNode } from './packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLATFORM = `${process.platform}-${process.arch}`;
const BOOT = 'src/executable/boot.ts';
const KNOWN = ['linux-x64', 'linux-arm64'];

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(ROOT, 'dist/face-sign-in'));

if (KNOWN.includes(PLATFORM)) await make(theNode());
else console.log(`no executable: it can be built on ${KNOWN.join(' and ')}, not on ${PLATFORM}`);

async function make(node: string): Promise<void> {
  const engine = engineFor(PLATFORM);
  mkdirSync(join(out, '..'), { recursive: true });
  const folder = mkdtempSync(`${out}-`);
  try {
    const scripts = new Map([BOOT, PROGRAM, ...THREADS].map((entry, i) => [entry, join(folder, `${i}.js`)]));
    const script = (entry: string) => scripts.get(entry) as string;
    const bundles = await bundle(ROOT, PLATFORM, engine, scripts);
    const licences = join(folder, 'licences.txt');
    writeFileSync(licences, licencesOf(ROOT, bundles));
    const compiled = join(folder, 'program.compiled');
    const warm = [join(ROOT, 'src/executable/warm.ts'), script(PROGRAM), engine.file, compiled];
    execFileSync(node, warm, { stdio: ['ignore', 'ignore', 'inherit'] });
    const info = join(folder, 'build.json');
    writeFileSync(info, JSON.stringify({ commit: commit() }));
    const built = join(folder, 'face-sign-in');
    const config = {
      main: script(BOOT),
      executable: withoutSymbols(node, join(folder, 'node')),
      output: built,
      disableExperimentalSEAWarning: true,
      // Ignore NODE_OPTIONS, which is for other Node.js programs on the machine.
      execArgvExtension: 'none',
      // Open no debugger port: any user of the machine could read the program's secrets through it.
      execArgv: ['--disable-sigusr1'],
      assets: {
        ...Object.fromEntries(packedFiles(ROOT).map(path => [path, join(ROOT, path)])),
        ...Object.fromEntries(THREADS.map(entry => [entry, script(entry)])),
        'program.js': script(PROGRAM),
        'program.compiled': compiled,
        [ADDON]: engine.file,
        'build.json': info,
        'licences.txt': licences,
      },
    };
    const file = join(folder, 'executable.json');
    writeFileSync(file, JSON.stringify(config));
    execFileSync(node, ['--build-sea', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    chmodSync(built, 0o755);
    const [version] = execFileSync(built, ['--version'], { encoding: 'utf8', env: {} }).split('\n');
    renameSync(built, out);
    console.log(
      `face-sign-in ${version} → ${relative('', out)}: ${(statSync(out).size / 1e6).toFixed(1)} MB, for glibc ${engine.glibc} and newer`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function theNode(): string {
  try {
    return lockedNode();
  } catch (error) {
    console.error(`no executable: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** A quarter of Node.js is symbols for debuggers. Without binutils they stay in. */
function withoutSymbols(node: string, path: string): string {
  try {
    execFileSync('strip', ['-o', path, node], { stdio: 'pipe' });
    return path;
  } catch (error) {
    console.log(
      `strip (from binutils) failed (${(error as Error).message.split('\n')[0]}): the executable will be larger`,
    );
    return node;
  }
}

/** Null outside a clone. */
function commit(): string | null {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
    const changed = git('status', '--porcelain') !== '';
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ', with changes' : '');
  } catch {
    return null;
  }
}
