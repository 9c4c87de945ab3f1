/**
 * Which tokens are revoked, as rows of one table: a single token by its jti, or all tokens of a user that say the address
 * is unproven. The second kind is how the first verification of an address ends what was issued before it. It needs no list of
 * tokens and no clock: until that moment every token of the user says `email_verified: false`, from then on none does.
 * While an owner is still to say whether the face is theirs, the user stays unverified and gets such tokens on: then those
 * count as revoked that are not younger than the last code. A token of the face in that very second may be caught as well.
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

/** Revokes the unproven tokens of the user that were issued up to the moment; it ends an earlier one. */
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

/** Stands in the place of a jti, and is none: those begin with `jti_`. A hash, since it outlives the user. */
function unprovenOf(vault: Vault, userId: string): string {
  return `unproven:${vault.hash('unproven-tokens', userId)}`;
}

/** The same for tokens up to a moment, which is the row's end less the time that it is kept. */
function earlierOf(vault: Vault, userId: string): string {
  return `earlier:${vault.hash('unproven-tokens', userId)}`;
}
