/**
 * The build steps and their inputs. The inputs must name everything that a step reads; test/build/steps.test.ts follows
 * the imports of the SDK to check this. All output goes to stderr, because stdout of `npm start` is the log.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from './stamp.ts';

/** These decide the versions of the tools, and how they are called. */
const TOOLS = ['package.json', 'package-lock.json', 'src/build/*.ts'];
const ASC = 'node_modules/assemblyscript/bin/asc.js';

const CORE: Step = {
  name: 'core',
  inputs: ['assembly/**', 'asconfig.json', ...TOOLS],
  output: 'dist/core',
  make(root) {
    mkdirSync(join(root, 'dist'), { recursive: true });
    const draft = mkdtempSync(join(root, 'dist/.core-'));
    try {
      for (const [target, file] of [
        ['simd', 'matcher.wasm'],
        ['relaxed', 'matcher-relaxed.wasm'],
      ] as const) {
        const out = ['--target', target, '--outFile', join(draft, file)];
        node(root, ASC, 'assembly/index.ts', '--config', 'asconfig.json', ...out);
      }
      mkdirSync(join(root, CORE.output), { recursive: true });
      for (const file of globSync('*', { cwd: draft }))
        renameSync(join(draft, file), join(root, CORE.output, file));
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  },
};

const SDK: Step = {
  name: 'sdk',
  inputs: [
    'src/sdk/**',
    'src/protocol/**',
    'src/brand.ts',
    'src/click-guard.ts',
    'src/slips.ts',
    'src/version.ts',
    'tsconfig.json',
    'LICENSE',
    ...TOOLS,
  ],
  output: 'dist/sdk',
  make: root => node(root, 'src/sdk/build/main.ts'),
};

const PORTAL: Step = {
  name: 'portal',
  inputs: [
    'src/portal/app/**',
    'src/protocol/**',
    'src/click-guard.ts',
    'src/sdk/build/whole-folder.ts',
    'tsconfig.json',
    ...TOOLS,
  ],
  output: 'dist/portal',
  make: root => node(root, 'src/build/portal.ts'),
};

export const STEPS: readonly Step[] = [CORE, SDK, PORTAL];

/** Checks for itself whether it is up to date. */
export const makeEncoder = (root: string) => node(root, 'src/encoder/main.ts');

/** @throws Error if the program fails; it has printed why */
function node(root: string, program: string, ...args: string[]): void {
  execFileSync(process.execPath, [program, ...args], {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, 'inherit'],
  });
}
