/**
 * Writes a file atomically: to a draft that is then renamed. A file that already has the content is left alone.
 * Held by test/encoder/source.test.ts.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Readable by a web server, whatever the umask of the process. */
const [FILE_MODE, FOLDER_MODE] = [0o644, 0o755];

/** Null: there is no such file. @throws a system error if it cannot be read */
export function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns whether it was written. @throws a system error; the file is then unchanged */
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

/** One level at a time: a recursive mkdir never returns where no folder can be created, such as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
    chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
