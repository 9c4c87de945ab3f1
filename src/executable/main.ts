/**
 * Builds the single executable: the Node.js of the lock file, without symbols, with the program, its threads and every
 * file that it reads. The new file replaces the old one only after it has printed its version. The build takes some
 * seconds, so `npm start` skips it. Held by test/dist and test/bare.
 *
 * Use: node src/executable/main.ts [--platform linux-arm64] [--emulator COMMAND] [--out FILE]
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Metafile } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { ADDON } from './addon.ts';
import { bundle, PROGRAM } from './bundle.ts';
import { packedFiles, THREADS } from './contents.ts';
import { engineFor } from './engine.ts';
import { licencesOf } from './licences.ts';
import { downloadedNode, HOST, lockedNode, nodeFolder } from './packages.ts';
import { CODE_CACHE } from './program.ts';
import { withoutSymbols } from './strip.ts';

const ROOT = join(import.meta.dirname, '../..');
const BOOT = 'src/executable/boot.ts';
const KNOWN = ['linux-x64', 'linux-arm64'];

const { values } = parseArgs({
  options: { platform: { type: 'string' }, emulator: { type: 'string' }, out: { type: 'string' } },
});
const platform = values.platform ?? HOST;
const isForeign = platform !== HOST;
const out = resolve(
  values.out ?? join(ROOT, isForeign ? `dist/face-sign-in-${platform}` : 'dist/face-sign-in'),
);
/** What to put in front of a file of that platform to start it here; undefined if that is not possible. */
const emulator = isForeign ? values.emulator?.split(' ') : [];

if (values.platform && !KNOWN.includes(platform))
  stop(`--platform is ${platform}, but must be ${KNOWN.join(' or ')}`);
if (values.emulator && !isForeign) stop(`--emulator is for another --platform than ${HOST}`);
if (KNOWN.includes(HOST)) await make();
else console.log(`no executable: it can be built on ${KNOWN.join(' and ')}, not on ${HOST}`);

async function make(): Promise<void> {
  const builder = orStop(lockedNode);
  const engine = engineFor(platform);
  mkdirSync(join(out, '..'), { recursive: true });
  const folder = mkdtempSync(`${out}-`);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const runtime = isForeign ? orStop(() => downloadedNode(platform, folder)) : nodeFolder();
  const node = join(runtime, 'bin/node');
  const scripts = new Map([BOOT, PROGRAM, ...THREADS].map((entry, i) => [entry, join(folder, `${i}.js`)]));
  const script = (entry: string) => scripts.get(entry) as string;
  const bundles = await bundle(ROOT, platform, engine, scripts);
  const licences = join(folder, 'licences.txt');
  const inputs = [...bundles, portalBundle()].flatMap(one => Object.keys(one.inputs));
  const files = packedFiles(ROOT);
  writeFileSync(licences, licencesOf(ROOT, [...inputs, ...files], runtime));
  const info = join(folder, 'build.json');
  writeFileSync(info, JSON.stringify({ commit: commit() }));
  const built = join(folder, 'face-sign-in');
  const config = {
    main: script(BOOT),
    executable: withoutSymbols(node, platform, join(folder, 'node')),
    output: built,
    disableExperimentalSEAWarning: true,
    // Ignore NODE_OPTIONS, which is for other Node.js programs on the machine.
    execArgvExtension: 'none',
    // Open no debugger port: any user of the machine could read the program's secrets through it.
    execArgv: ['--disable-sigusr1'],
    assets: {
      ...Object.fromEntries(files.map(path => [path, join(ROOT, path)])),
      ...Object.fromEntries(THREADS.map(entry => [entry, script(entry)])),
      'program.js': script(PROGRAM),
      ...orStop(() => codeCache(node, [script(PROGRAM), engine.file, join(folder, CODE_CACHE)])),
      [ADDON]: engine.file,
      'build.json': info,
      'licences.txt': licences,
    },
  };
  const file = join(folder, 'executable.json');
  writeFileSync(file, JSON.stringify(config));
  execFileSync(builder, ['--build-sea', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  chmodSync(built, 0o755);
  const version = orStop(() => checked(built));
  renameSync(built, out);
  console.log(
    `face-sign-in ${version} → ${relative('', out)}: ${(statSync(out).size / 1e6).toFixed(1)} MB, for ${platform} and glibc ${engine.glibc} and newer`,
  );
}

/** What the portal's pages were built from. */
function portalBundle(): Metafile {
  return JSON.parse(readFileSync(join(ROOT, 'dist/portal/metafile.json'), 'utf8'));
}

/** V8's code cache, which only the target's own Node.js can make: one from other processors must not be used. */
function codeCache(node: string, [program, addon, file]: [string, string, string]): Record<string, string> {
  if (!emulator) {
    console.log(
      `no code cache: without --emulator, ${HOST} cannot make it, so the program will start slower`,
    );
    return {};
  }
  const [start = '', ...args] = [
    ...emulator,
    node,
    join(ROOT, 'src/executable/warm.ts'),
    program,
    addon,
    file,
  ];
  execFileSync(start, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return { [CODE_CACHE]: file };
}

/** The version that the executable prints. */
function checked(built: string): string {
  if (emulator) {
    const [program = '', ...args] = [...emulator, built, '--version'];
    return execFileSync(program, args, { encoding: 'utf8', env: {} }).split('\n')[0] as string;
  }
  console.log(`not checked: without --emulator, ${HOST} cannot start it`);
  return manifest.version;
}

/** What the function returns. An error ends the build with one line. */
function orStop<T>(get: () => T): T {
  try {
    return get();
  } catch (error) {
    return stop((error as Error).message);
  }
}

function stop(reason: string): never {
  console.error(`no executable: ${reason}`);
  process.exit(1);
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
