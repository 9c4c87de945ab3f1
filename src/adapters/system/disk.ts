/** Free disk space for this user. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** @param file a file on the disk; it need not exist. @returns bytes */
export async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
