/**
 * Challenges for passkeys: 32 bytes, once, for five minutes, for one purpose and one browser. The browser is known by a
 * cookie with a random value, of which only the hash is stored. Held by test/domain/operators/passkeys.test.ts.
 */
import type { RelyingParty } from '../../ports/passkeys.ts';
import type { CeremonyPurpose, CeremonyRecord } from '../../ports/store/operators.ts';
import { MINUTE } from '../../protocol/limits.ts';
import type { OperatorDeps } from './deps.ts';
import { newToken, tokenHash } from './tokens.ts';

export const CEREMONY_LIFETIME = 5 * MINUTE;

export function relyingParty({ portal }: Pick<OperatorDeps, 'portal'>): RelyingParty {
  const { origin, hostname } = new URL(portal.url);
  return { origin, id: hostname };
}

/** @returns the challenge, and the value of the browser's cookie: always a new one */
export async function startCeremony(
  { store, random, clock }: OperatorDeps,
  purpose: CeremonyPurpose,
  operatorId: string | null,
): Promise<{ challenge: string; browser: string }> {
  const [challenge, browser] = [newToken(random), newToken(random)];
  const expiresAt = clock.now() + CEREMONY_LIFETIME;
  await store.startCeremony({
    browser: tokenHash(browser) as string,
    challenge,
    purpose,
    operatorId,
    expiresAt,
  });
  return { challenge, browser };
}

/** Consumes the challenge. Null if this browser has none for this purpose and operator. */
export async function endCeremony(
  { store, clock }: OperatorDeps,
  browser: string | undefined,
  purpose: CeremonyPurpose,
  operatorId: string | null,
): Promise<CeremonyRecord | null> {
  const hash = tokenHash(browser);
  const ceremony = hash === null ? null : await store.endCeremony(hash, purpose, clock.now());
  return ceremony?.operatorId === operatorId ? ceremony : null;
}
