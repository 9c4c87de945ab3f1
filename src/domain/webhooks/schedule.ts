/** When an event is tried again. Held by test/domain/webhooks.test.ts. */
import type { Random } from '../../ports/system.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../protocol/limits.ts';

/** After each failed attempt. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  DAY,
  DAY,
] as const;
/** A pause is longer or shorter by at most this, so that what failed together does not come together. */
const JITTER = 0.1;
const UINT32 = 2 ** 32;

/** @param attempt how many there were. @returns null: it was the last one */
export function nextAttemptAt(attempt: number, now: number, random: Random): number | null {
  const pause = PAUSES[attempt - 1];
  if (pause === undefined) return null;
  const chance = (2 * random.bytes(4).readUInt32LE()) / UINT32 - 1;
  return now + Math.round(pause * (1 + JITTER * chance));
}
