/** The SDK packages as `npm pack` makes them, for tests of what an integrator has. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES } from '../../src/sdk/build/packages.ts';

const ROOT = join(import.meta.dirname, '../..');
export const EXAMPLES = join(ROOT, 'src/sdk/examples');
const run = promisify(execFile);

export interface Packed {
  /** A folder with all packages as `npm pack` makes them. */
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

/** What the compiler says of a strict consumer's file in this folder, which has packages installed; nothing of a good one. */
export async function compiled(
  folder: string,
  file: string,
  code: string,
  module: 'node16' | 'nodenext' | 'bundler',
  more: object = {},
): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    module: module === 'bundler' ? 'esnext' : module,
    moduleResolution: module,
    jsx: 'react-jsx',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  };
  await writeFile(join(folder, file), code);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
    () => '',
    error => error.stdout,
  );
}
