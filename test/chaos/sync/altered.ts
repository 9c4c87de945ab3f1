/** A copy of the source in which something is left out: what a trial must notice. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tempFolder } from '../../support/process.ts';

export interface Cut {
  readonly file: string;
  /** Has to be there once. */
  readonly text: string;
}

/** @throws Error when a text is not there any more: then the trial proves nothing, and has to be brought up to date */
export function alteredCopy(cuts: readonly Cut[]): string {
  const root = join(tempFolder(), 'altered');
  mkdirSync(root);
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(root, name));
  for (const { file, text } of cuts) {
    const path = join(root, file);
    const before = readFileSync(path, 'utf8');
    if (before.split(text).length !== 2) throw new Error(`"${text}" is not once in ${file} any more`);
    writeFileSync(path, before.replace(text, ''));
  }
  return root;
}
