/** The operating system's random bytes. Fetched a page at a time, because a call for few bytes costs as much. */
import { randomFillSync } from 'node:crypto';
import type { Random } from '../../ports/system.ts';

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
