/**
 * Compiles the database engine from the sources that its package brings, for systems as old as Node.js itself runs on: the
 * prebuilt one asks for glibc 2.34, this one for 2.28. Takes a minute, so it is kept, under a name that stands for all that
 * went into it. Held by test/bare, on a machine with glibc 2.31.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeFolder, packageFolder } from '../packages.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const KEPT = join(ROOT, 'node_modules/.cache/face-sign-in');
const ENGINE = packageFolder('better-sqlite3');
const SQLITE = join(ENGINE, 'deps/sqlite3');

const BOTH = [
  '-O3',
  '-w',
  '-fPIC',
  '-fvisibility=hidden',
  '-DNDEBUG',
  '-include',
  join(import.meta.dirname, 'old-glibc.h'),
];
const OWN = [
  '-std=c++20',
  '-fno-exceptions',
  '-fvisibility-inlines-hidden',
  '-DNAPI_VERSION=10',
  '-DNAPI_DISABLE_CPP_EXCEPTIONS',
  '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  ...[join(nodeFolder(), 'include/node'), packageFolder('node-addon-api'), SQLITE].map(path => `-I${path}`),
];
const LINK = [
  '-shared',
  '-s',
  '-Wl,-Bsymbolic',
  '-Wl,--exclude-libs,ALL',
  '-Wl,--as-needed',
  '-ldl',
  '-lpthread',
  '-lm',
];

/**
 * @returns the file of the engine, or null where no compiler is installed
 * @throws Error with what the compiler says
 */
export async function compiledEngine(): Promise<string | null> {
  const compiler = compilerVersion();
  if (compiler === null) return null;
  const file = join(KEPT, `engine-${nameFor(compiler)}.node`);
  if (!existsSync(file)) await compile(file);
  return file;
}

async function compile(file: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  const folder = mkdtempSync(join(KEPT, 'compile-'));
  const object = (name: string) => join(folder, `${name}.o`);
  try {
    await Promise.all([
      run('gcc', [
        ...BOTH,
        '-std=c99',
        ...options(),
        '-c',
        join(SQLITE, 'sqlite3.c'),
        '-o',
        object('sqlite'),
      ]),
      run('g++', [...BOTH, ...OWN, '-c', join(ENGINE, 'src/better_sqlite3.cpp'), '-o', object('engine')]),
      run('gcc', ['-O2', '-fPIC', '-c', join(import.meta.dirname, 'missing.c'), '-o', object('missing')]),
    ]);
    const whole = join(folder, 'whole.node');
    await run('g++', ['-o', whole, object('engine'), object('sqlite'), object('missing'), ...LINK]);
    renameSync(whole, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null where one of the two is missing. */
function compilerVersion(): string | null {
  try {
    return ['gcc', 'g++']
      .map(name => execFileSync(name, ['--version'], { encoding: 'utf8', stdio: 'pipe' }))
      .join();
  } catch {
    return null;
  }
}

function nameFor(compiler: string): string {
  const hash = createHash('sha256').update(compiler).update(process.arch);
  const folders = [packageFolder('better-sqlite3'), packageFolder('node-addon-api'), nodeFolder()];
  const packages = folders.map(folder => join(folder, 'package.json'));
  const own = readdirSync(import.meta.dirname).sort();
  for (const file of [...packages, ...own.map(name => join(import.meta.dirname, name))])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** How the package's authors compile SQLite. */
function options(): string[] {
  const list = readFileSync(join(ENGINE, 'deps/defines.gypi'), 'utf8');
  const found = [...list.matchAll(/^\s+'([A-Z_0-9]+(?:=-?\d+)?)',$/gm)].map(([, option]) => `-D${option}`);
  if (!found.includes('-DSQLITE_THREADSAFE=2'))
    throw new Error('deps/defines.gypi of better-sqlite3 reads differently now');
  return found;
}
