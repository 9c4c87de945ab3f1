/** The machine's wall clock, free disk space and random bytes. */

import { randomFillSync } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Random } from '../../ports/system.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Free disk space for this user. @param file a file on the disk; it need not exist. @returns bytes */
export async function freeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}

/** Random bytes are fetched a page at a time, because a call for few bytes costs as much. */
const PAGE = 4_096;

export function systemRandom(): Random {
  const page = Buffer.allocUnsafeSlow(PAGE);
  let used = PAGE;
  return {
    bytes(length) {
      if (length > PAGE) return randomFillSync(Buffer.allocUnsafe(length));
      if (used + length > PAGE) {
        randomFillSync(page);
        used = 0;
      }
      const taken = Buffer.from(page.subarray(used, used + length));
      page.fill(0, used, used + length);
      used += length;
      return taken;
    },
  };
}
