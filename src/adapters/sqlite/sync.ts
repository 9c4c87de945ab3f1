/** What is in a file, or which files are in a folder, is on the disk when this returns. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
