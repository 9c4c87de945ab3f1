/**
 * Copies a file so that only this user can read the copy, from its first byte on. The system's own copy function would
 * give it the mode of the original. It never writes to an existing file or link, which may belong to another user.
 * Held by test/sqlite/private-copy.test.ts.
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
