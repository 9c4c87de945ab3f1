/**
 * Revoked tokens, as rows of one table: a single token by its jti, or all tokens of a user with an unproven address.
 * The second kind lets the first verification of an address revoke all earlier tokens. It needs no list of tokens and
 * no clock: before the verification every token of the user says `email_verified: false`, afterwards none does.
 *
 * Until the owner has confirmed the face, the user stays unverified and still gets such tokens. Then the tokens that
 * are not younger than the last code are revoked. A token by face from that same second may be revoked too. Held by
 * test/contract/first-verification.ts and test/http/first-verification.test.ts.
 */
import type { TokenFacts } from '../../../ports/store.ts';
import { DAY } from '../../../protocol/limits.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';

/** Much longer than a token lives, so that a corrected clock or a slow sign-in does no harm. */
const KEPT = DAY;

/** @returns false if it was already revoked: of many callers, one gets true */
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

/** Revokes the user's unproven tokens that were issued up to this moment. Replaces an earlier moment. */
export async function revokeEarlier(sql: Sql, vault: Vault, userId: string, at: number): Promise<void> {
  await sql.run(
    `INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2)
     ON CONFLICT (jti) DO UPDATE SET expires_at = excluded.expires_at`,
    earlierOf(vault, userId),
    at + KEPT,
  );
}

export async function isRevoked(sql: Sql, vault: Vault, token: TokenFacts): Promise<boolean> {
  const { jti, sub, iat, email_verified: proven } = token;
  const names = [jti, proven ? jti : unprovenOf(vault, sub), proven ? jti : earlierOf(vault, sub)];
  const row = await sql.get(
    `SELECT 1 FROM revoked_tokens WHERE jti IN ($1, $2) OR (jti = $3 AND expires_at >= $4)`,
    ...names,
    iat * 1_000 + KEPT,
  );
  return row !== undefined;
}

/** Stored instead of a jti (those begin with `jti_`). A hash, because the row outlives the user. */
function unprovenOf(vault: Vault, userId: string): string {
  return `unproven:${vault.hash('unproven-tokens', userId)}`;
}

/** The same for tokens up to a moment: the expiry of the row minus KEPT. */
function earlierOf(vault: Vault, userId: string): string {
  return `earlier:${vault.hash('unproven-tokens', userId)}`;
}
