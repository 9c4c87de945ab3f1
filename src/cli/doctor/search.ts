/** Looks for bytes in every file of some folders, a piece at a time, whatever the size. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PIECE = 8 * 1024 * 1024;

export interface Searched {
  readonly file: string;
  readonly bytes: number;
  /** Where the text begins, counted from 0; empty when it is not there. */
  readonly found: readonly number[];
}

/** Files of a folder and of the folders in it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Null when the file has gone meanwhile. */
export function searchFile(file: string, text: string): Searched | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return { file, ...search(handle, Buffer.from(text)) };
  } finally {
    closeSync(handle);
  }
}

function search(handle: number, wanted: Buffer): Omit<Searched, 'file'> {
  const overlap = wanted.length - 1;
  const buffer = Buffer.alloc(PIECE + overlap);
  const found: number[] = [];
  let kept = 0;
  let bytes = 0;
  for (;;) {
    const read = readSync(handle, buffer, kept, PIECE, bytes);
    if (read === 0) return { bytes, found };
    const piece = buffer.subarray(0, kept + read);
    for (let at = piece.indexOf(wanted); at >= 0; at = piece.indexOf(wanted, at + 1))
      found.push(bytes - kept + at);
    bytes += read;
    // What may be the beginning of the text is looked at again with the next piece.
    kept = Math.min(overlap, piece.length);
    piece.copy(buffer, 0, piece.length - kept);
  }
}
