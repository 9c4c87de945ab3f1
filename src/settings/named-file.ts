/** Reads a file that a setting names. */
import { readFileSync } from 'node:fs';
import { SettingFault } from './values.ts';

/** @throws SettingFault naming the setting and the file */
export function readNamedFile(name: string, path: string, example: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingFault(
      name,
      `cannot be read: ${path}: ${(error as NodeJS.ErrnoException).code}`,
      example,
    );
  }
}
