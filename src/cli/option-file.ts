/** A file that an option names, for what must not be an argument: other users of the machine could read that. */
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
