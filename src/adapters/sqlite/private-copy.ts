/**
 * Copies a file so that only this user can read the copy, from its first byte on. The system's own copy function would
 * give it the mode of the original. It never writes to an existing file or link, which may belong to another user.
 * Held by test/sqlite/private-copy.test.ts.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileIdIn } from '../journal/files.ts';

const PIECE = 1024 * 1024;

/** @returns the id of the copy (journal/files.ts) */
export async function copyPrivately(from: string, to: string): Promise<string> {
  const file = await open(to, 'wx', 0o600);
  const id = fileIdIn(await file.stat());
  await pipeline(createReadStream(from, { highWaterMark: PIECE }), file.createWriteStream());
  return id;
}
