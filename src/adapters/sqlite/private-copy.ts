/**
 * Copies a file so that the copy is this user's alone from its first byte on, whatever mode the original has: the
 * system's own copying gives a file the original's mode before it has copied anything. It refuses a name that exists,
 * so that no file or link of another user gets the bytes. Held by test/sqlite/private-copy.test.ts.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const PIECE = 1024 * 1024;

export function copyPrivately(from: string, to: string): Promise<void> {
  return pipeline(
    createReadStream(from, { highWaterMark: PIECE }),
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  );
}
