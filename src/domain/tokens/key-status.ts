/** Which of the published signing keys is in use. Held by test/domain/signing-keys.test.ts. */
import type { SigningKeyRecord } from '../../ports/store.ts';

/** Of the published keys the one that signs: the newest whose time has come; the oldest, should the clock be behind. */
export function currentOf(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord | undefined {
  return keys.findLast(key => key.signsAt <= now) ?? keys[0];
}

/** `next` before its time, then `current`, then `previous`. */
export function statusOf(
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
  now: number,
): 'next' | 'current' | 'previous' {
  if (currentOf(keys, now)?.kid === key.kid) return 'current';
  return key.signsAt > now ? 'next' : 'previous';
}
