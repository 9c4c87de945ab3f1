/**
 * Creates the folder of a setting if it is missing, and checks that it can be used. Missing folders are created one
 * level at a time: a recursive mkdir never returns where no folder can be created, such as below /proc.
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
  ENOENT: 'cannot be created',
};

export const folder: Read<string> = (_, given) => resolve(given);

/** @throws SettingFault if the folder cannot be used */
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

/** The meaning of a system error code, and the code itself. */
export function inWords(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  return words ? `${words}, ${code}` : code;
}
