/** Reads a secret from a file that an option names. Other users of the machine could read it as an argument. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inWords } from '../settings/folder.ts';
import { WrongUsage } from './command.ts';

/** @throws WrongUsage naming the option and the file */
export function readOptionFile(option: string, path: string): string {
  const file = resolve(path);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`--${option} ${file} cannot be read: ${inWords(error)}`);
  }
}
