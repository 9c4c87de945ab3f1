/**
 * Folders that a setting names: made where they are missing, and tried before anything is kept in them. Missing ones are
 * made one at a time: asked for all at once, Node.js never comes back where none can be made, as beneath /proc.
 */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Read, SettingFault } from './values.ts';

const WORDS: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a file is in the way',
  EACCES: 'not readable and writable',
  EPERM: 'not writable',
  EROFS: 'not writable',
  ENOENT: 'cannot be made',
};

export const folder: Read<string> = (_, given) => resolve(given);

/** @throws SettingFault naming the setting when its folder cannot be used */
export function makeFolder(name: string, path: string, example: string): void {
  try {
    makeMissing(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SettingFault(
      name,
      `names a folder that this user cannot use (${path}: ${inWords(error)})`,
      example,
    );
  }
}

function makeMissing(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    makeMissing(parent);
    mkdirSync(path, { mode: 0o700 });
  }
}

/** What the system's code means, and the code. */
export function inWords(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  return words ? `${words}, ${code}` : code;
}
