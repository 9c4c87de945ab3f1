/** The status of the published signing keys. Held by test/domain/signing-keys.test.ts. */
import type { SigningKeyRecord } from '../../ports/store.ts';

/** The key that signs: the newest one whose time has come, or the oldest if the clock is behind. */
export function currentOf(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord | undefined {
  return keys.findLast(key => key.signsAt <= now) ?? keys[0];
}

/** A key is first `next`, then `current`, then `previous`. */
export function statusOf(
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
  now: number,
): 'next' | 'current' | 'previous' {
  if (currentOf(keys, now)?.kid === key.kid) return 'current';
  return key.signsAt > now ? 'next' : 'previous';
}
