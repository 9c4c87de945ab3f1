/**
 * Which tokens are revoked, as rows of one table: a single token by its jti, or all tokens of a user that say the address
 * is unproven. The second kind is how the first verification of an address ends what was issued before it. It needs no list of
 * tokens and no clock: until that moment every token of the user says `email_verified: false`, from then on none does.
 * Held by test/contract/first-verification.ts and test/http/first-verification.test.ts.
 */
import type { TokenFacts } from '../../../ports/store.ts';
import { DAY } from '../../../protocol/limits.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';

/** Far longer than a token lives, so that a clock put right or a sign-in that was held up changes nothing. */
const KEPT = DAY;

/** False when it was revoked already: of many callers one gets true. */
export async function revoke(sql: Sql, jti: string, until: number): Promise<boolean> {
  const rows = await sql.run(
    'INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2) ON CONFLICT (jti) DO NOTHING',
    jti,
    until,
  );
  return rows === 1;
}

export async function revokeUnproven(sql: Sql, vault: Vault, userId: string, at: number): Promise<void> {
  await revoke(sql, unprovenOf(vault, userId), at + KEPT);
}

export async function isRevoked(sql: Sql, vault: Vault, token: TokenFacts): Promise<boolean> {
  const { jti, sub, email_verified: proven } = token;
  const names = [jti, proven ? jti : unprovenOf(vault, sub)];
  return (await sql.get('SELECT 1 FROM revoked_tokens WHERE jti IN ($1, $2)', ...names)) !== undefined;
}

/** Stands in the place of a jti, and is none: those begin with `jti_`. A hash, since it outlives the user. */
function unprovenOf(vault: Vault, userId: string): string {
  return `unproven:${vault.hash('unproven-tokens', userId)}`;
}
