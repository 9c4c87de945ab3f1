/**
 * Removes deleted rows soon after an erasure, from the tables that hold personal data of users and operators, and from
 * those of keys. The server does the same by itself, but only when many rows have changed. Small tables are also
 * rewritten once a day (rewrite.ts). What its write-ahead log and copies keep is not in reach of this.
 */
import type { Driver, Sql } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import type { Lease } from '../sql/store/context.ts';
import { NOW } from './own-words.ts';

/** Erasures that come together are vacuumed together. */
const EVERY_MS = 60_000;
export const TABLES = [
  'users',
  'templates',
  'consents',
  'email_codes',
  'known_networks',
  'look_alikes',
  'auth_events',
  'outbox',
  'webhooks',
  'windows',
  'data_keys',
  'signing_keys',
  'operators',
  'operator_sessions',
  'operator_links',
  'audit_log',
];

/** An erasure becomes visible with its commit, some time after it was made. */
const LATE_MS = 60_000;
/** Row of `meta` with a moment: what was deleted before it, a vacuum has removed. */
const BEGAN = `'vacuum_began'`;
/**
 * Whether anybody was erased since: also by a node that is gone. A vacuum leaves rows that a transaction from before
 * their deletion may still read, such as a dump, so it counts only for what was deleted before the oldest began.
 */
const LOOK = `SELECT LEAST(${NOW}, (SELECT CAST(EXTRACT(EPOCH FROM MIN(xact_start)) * 1000 AS BIGINT)
    FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL)) AS removes, EXISTS (SELECT 1 FROM erasures WHERE seen_at >=
    COALESCE((SELECT CAST(value AS BIGINT) FROM meta WHERE name = ${BEGAN}), 0) - ${LATE_MS}) AS owed`;
const DONE = `INSERT INTO meta (name, value) VALUES (${BEGAN}, CAST(CAST($1 AS BIGINT) AS TEXT))
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Runs work outside of a transaction. */
export type Connection = <Answer>(work: (sql: Sql) => Promise<Answer>) => Promise<Answer>;

/** @param alone null: another node vacuums. @param rewrite rewrites the tables if that is due */
export function createVacuum(
  { read, write }: Pick<Driver, 'read' | 'write'>,
  onConnection: Connection,
  alone: () => Promise<Lease | null>,
  rewrite: () => Promise<void>,
): {
  /** @param owedOnly do what earlier calls left, and what is due; otherwise only note that there is something to do */
  scrub(owedOnly?: boolean): Promise<void>;
  /** Does now what is owed: a command ends, and nobody would do it later. */
  settle(): Promise<void>;
} {
  let isOwed = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function vacuum(): Promise<void> {
    const look = await read.get<{ removes: number; owed: boolean }>(LOOK);
    const { removes, owed } = look as NonNullable<typeof look>;
    if (!isOwed && !owed) return;
    const lease = await alone();
    if (!lease) return;
    // An erasure that comes meanwhile is owed again.
    isOwed = false;
    try {
      await onConnection(async sql => {
        for (const table of TABLES) await sql.run(`VACUUM ${table}`);
      });
      await write(ROWS, sql => sql.run(DONE, removes));
    } catch (error) {
      isOwed = true;
      throw error;
    } finally {
      await lease.release();
    }
  }

  return {
    async scrub(owedOnly = false) {
      if (!owedOnly) {
        isOwed = true;
        return;
      }
      if (performance.now() - lookedAt < EVERY_MS) return;
      lookedAt = performance.now();
      await vacuum();
      await rewrite();
    },
    settle: async () => {
      if (isOwed) await vacuum();
    },
  };
}
