/** Syncs a file, or the list of files in a folder, to the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
