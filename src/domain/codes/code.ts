/** The 6 digits: how they are generated and hashed, and the minimum time before a wrong code is reported. */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Random } from '../../ports/system.ts';
import { TEST_CODE, WRONG_CODE_FLOOR } from '../../protocol/limits.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

const CODES = 1_000_000;
/** Numbers from this value on would favour the first codes, so they are discarded. */
const UNBIASED_BELOW = 2 ** 32 - (2 ** 32 % CODES);

/** Every code is equally likely. Test mode has one fixed code, so that tests need no mail. */
export function newCode(random: Random, mode: Mode): string {
  if (mode === 'test') return TEST_CODE;
  for (;;) {
    const number = random.bytes(4).readUInt32BE();
    if (number < UNBIASED_BELOW) return String(number % CODES).padStart(TEST_CODE.length, '0');
  }
}

type CodeKind = 'sign-in' | 'email-change';

/** The stored hash of a code, bound to its purpose and its user. */
export function codeHash(
  { secrets }: Deps,
  kind: CodeKind,
  { appId, mode }: GalleryKey,
  userId: string,
  code: string,
): string {
  return secrets.hash(`code-${kind}`, [appId, mode, userId, code].join('\0'));
}

/** The same message for every reason, so that it reveals nothing about the code. */
export function invalidCode(): Refusal {
  return new Refusal('invalid_code', 'The code is wrong, expired or used. Request a new one.');
}

/** Starts now, and resolves when a wrong code may be reported. Test mode does not wait. */
export function wrongCodeFloor(mode: Mode): Promise<void> {
  return mode === 'test' ? Promise.resolve() : delay(WRONG_CODE_FLOOR);
}
