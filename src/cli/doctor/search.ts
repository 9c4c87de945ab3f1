/** Searches files of any size for a text, one piece at a time. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PIECE = 8 * 1024 * 1024;

interface Searched {
  readonly file: string;
  readonly bytes: number;
  /** Offsets of the text, counted from 0. */
  readonly found: readonly number[];
}

/** All files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Null if the file no longer exists. */
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
    // Keep the end of this piece: the text may begin there.
    kept = Math.min(overlap, piece.length);
    piece.copy(buffer, 0, piece.length - kept);
  }
}
