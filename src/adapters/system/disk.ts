/** How much room a disk has for this user. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** @param file one on the disk, or that is to be there. @returns bytes */
export async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
