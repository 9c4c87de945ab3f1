/**
 * Challenges for passkeys: 32 bytes, once, for five minutes, for one purpose and one browser. Anybody may ask for one,
 * so asking stores nothing: the browser keeps a cookie with random bytes and its end, and the challenge is their keyed
 * hash. Only what was used is stored, until it ends. Held by test/domain/access/passkeys.test.ts.
 */
import type { RelyingParty } from '../../ports/passkeys.ts';
import type { CeremonyPurpose, CeremonyRecord } from '../../ports/store/operators.ts';
import { MINUTE } from '../../protocol/limits.ts';
import type { OperatorDeps } from './deps.ts';
import { newToken, tokenHash } from './tokens.ts';

export const CEREMONY_LIFETIME = 5 * MINUTE;
/** Of a token's 32 bytes: the moment of its end, in milliseconds. */
const END_BYTES = 6;

export function relyingParty({ portal }: Pick<OperatorDeps, 'portal'>): RelyingParty {
  const { origin, hostname } = new URL(portal.url);
  return { origin, id: hostname };
}

/** @returns the challenge, and the value of the browser's cookie: always a new one */
export function startCeremony(
  { secrets, random, clock }: Pick<OperatorDeps, 'secrets' | 'random' | 'clock'>,
  purpose: CeremonyPurpose,
  operatorId: string | null,
): { challenge: string; browser: string } {
  const bytes = Buffer.from(newToken(random), 'base64url');
  bytes.writeUIntBE(clock.now() + CEREMONY_LIFETIME, bytes.length - END_BYTES, END_BYTES);
  const browser = bytes.toString('base64url');
  return { challenge: challengeOf({ secrets }, browser, purpose, operatorId), browser };
}

/** What the browser was asked, if it was for this purpose and operator. Null: its time is over, or there is none. */
export function openCeremony(
  { secrets, clock }: Pick<OperatorDeps, 'secrets' | 'clock'>,
  browser: string | undefined,
  purpose: CeremonyPurpose,
  operatorId: string | null,
): CeremonyRecord | null {
  const hash = tokenHash(browser);
  if (browser === undefined || hash === null) return null;
  const bytes = Buffer.from(browser, 'base64url');
  const expiresAt = bytes.readUIntBE(bytes.length - END_BYTES, END_BYTES);
  const left = expiresAt - clock.now();
  if (left <= 0 || left > CEREMONY_LIFETIME) return null;
  const challenge = challengeOf({ secrets }, browser, purpose, operatorId);
  return { browser: hash, challenge, purpose, operatorId, expiresAt };
}

/** Nobody can compute it for a cookie of their own. */
function challengeOf(
  { secrets }: Pick<OperatorDeps, 'secrets'>,
  browser: string,
  purpose: CeremonyPurpose,
  operatorId: string | null,
): string {
  return secrets.hash('portal challenge', JSON.stringify([browser, purpose, operatorId]));
}
