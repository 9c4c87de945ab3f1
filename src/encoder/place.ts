/**
 * Puts files into a folder so that each is there whole or not at all: written beside its place, then renamed. A file that
 * has the right content is left alone. Held by test/encoder/place.test.ts.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** For a web server to read, whatever the umask of the process. */
const [FILE_MODE, FOLDER_MODE] = [0o644, 0o755];

/** Null: there is no such file. @throws an error of the system when it cannot be read */
export function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns whether it was written. @throws an error of the system; the file is then what it was */
export function place(file: string, content: Buffer): boolean {
  if (contentOf(file)?.equals(content)) return false;
  makeFolder(dirname(resolve(file)));
  const draft = `${file}.${process.pid}.draft`;
  try {
    writeFileSync(draft, content, { flush: true });
    chmodSync(draft, FILE_MODE);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return true;
}

/** One at a time: asked for all at once, Node.js never comes back where none can be made, as beneath /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
    chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    // Another process may have made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
