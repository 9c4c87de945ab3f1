/**
 * Removes deleted rows soon after an erasure, from the tables that hold personal data of users and operators, and from
 * those of keys. The server does the same by itself, but only when many rows have changed. Small tables are also
 * rewritten once a day (rewrite.ts). What its write-ahead log and copies keep is not in reach of this.
 */
import type { Sql } from '../sql/driver.ts';

/** Erasures that come together are vacuumed together. */
const EVERY_MS = 60_000;
export const TABLES = [
  'users',
  'templates',
  'consents',
  'email_codes',
  'auth_events',
  'windows',
  'data_keys',
  'signing_keys',
  'operators',
  'operator_sessions',
  'operator_links',
];

/** Runs work outside of a transaction. */
export type Connection = <Answer>(work: (sql: Sql) => Promise<Answer>) => Promise<Answer>;

/** @param rewrite rewrites the tables if that is due */
export function createVacuum(
  onConnection: Connection,
  rewrite: () => Promise<void>,
): {
  /** @param owedOnly do what earlier calls left, and what is due; otherwise only note that there is something to do */
  scrub(owedOnly?: boolean): Promise<void>;
  /** Does now what is owed: a command ends, and nobody would do it later. */
  settle(): Promise<void>;
} {
  let isOwed = false;
  let ranAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function settle(): Promise<void> {
    if (!isOwed) return;
    ranAt = performance.now();
    // An erasure that comes meanwhile is owed again.
    isOwed = false;
    try {
      await onConnection(async sql => {
        for (const table of TABLES) await sql.run(`VACUUM ${table}`);
      });
    } catch (error) {
      isOwed = true;
      throw error;
    }
  }

  return {
    async scrub(owedOnly = false) {
      if (!owedOnly) {
        isOwed = true;
        return;
      }
      if (performance.now() - ranAt >= EVERY_MS) await settle();
      if (performance.now() - lookedAt < EVERY_MS) return;
      lookedAt = performance.now();
      await rewrite();
    },
    settle,
  };
}
