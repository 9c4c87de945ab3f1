/**
 * The example apps as an integrator has them: copied into an empty folder, with the packed SDKs unpacked beside what else they
 * import, and their server running there.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES } from '../../src/sdk/build/packages.ts';

const ROOT = join(import.meta.dirname, '../..');
export const EXAMPLES = join(ROOT, 'src/sdk/examples');
const run = promisify(execFile);

export interface Packed {
  /** A folder with both packages as `npm pack` makes them. */
  readonly folder: string;
  readonly archives: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

export async function packSdks(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'face-sign-in-examples-'));
  const archives = new Map<string, string>();
  for (const of of PACKAGES) {
    const built = await buildPackage(of, join(folder, 'dist'));
    if (!built) throw new Error(`${of.name} could not be built`);
    const how = ['pack', '--offline', '--json', '--pack-destination', folder];
    const { stdout } = await run('npm', how, { cwd: built.folder });
    archives.set(of.name, join(folder, JSON.parse(stdout)[0].filename));
  }
  return { folder, archives, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Example {
  readonly folder: string;
  /** Address of its server. */
  readonly address: string;
  close(): Promise<void>;
}

/** @param beside packages of this project that the example imports or serves */
export async function startExample(
  { folder: parent, archives }: Packed,
  name: 'plain' | 'react',
  beside: readonly string[],
  env: Record<string, string>,
): Promise<Example> {
  const folder = join(parent, name);
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  for (const [sdk, archive] of archives) {
    const place = join(folder, 'node_modules', sdk);
    await mkdir(place, { recursive: true });
    await run('tar', ['xzf', archive, '-C', place, '--strip-components=1']);
  }
  for (const one of beside) {
    const place = join(folder, 'node_modules', one);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(ROOT, 'node_modules', one), place);
  }
  await cp(join(ROOT, 'dist/encoder'), join(folder, 'encoder'), { recursive: true });
  if ((await readdir(folder)).includes('app.jsx')) await bundle(folder);
  const server = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { folder, address: await addressOf(server), close: () => ended(server) };
}

/** As the first line of app.jsx says. */
async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: [join(folder, 'app.jsx')],
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'public'),
    jsx: 'automatic',
    logLevel: 'error',
  });
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('the example has no output');
  for await (const line of createInterface({ input: server.stdout })) return line;
  throw new Error('the example ended before it listened');
}

async function ended(server: ChildProcess): Promise<void> {
  const gone = new Promise(done => server.once('exit', done));
  server.kill('SIGTERM');
  await gone;
}
