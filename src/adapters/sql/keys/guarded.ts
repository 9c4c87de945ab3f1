/**
 * Rows that give rights in the portal. Each has a keyed hash (`mac`) of the columns below, so whoever can write the
 * database or a backup, but has no master secret, can neither plant, change nor move one. What does not fit is not
 * believed: an operator is disabled and no admin, an app belongs to no team, every other row is not there. The hashes
 * of secrets are keyed by their kind too. An older state of a row is accepted, as of everything in the database
 * (.github/SECURITY.md). Held by test/sqlite/planted.ts.
 */
import type { Secrets } from '../../../ports/system.ts';
import type { Sql, Value } from '../driver.ts';

/**
 * The first column is the key of the row. Left out is what gives no right: names, labels, and what is written often.
 * A column that is added to a list needs a migration that gives all rows of the table a new hash.
 */
const GUARDED = {
  operators: [
    'id',
    'email',
    'email_key',
    'is_admin',
    'created_at',
    'disabled_at',
    'invited_by',
    'email_changed_at',
  ],
  members: ['team_id', 'operator_id', 'role'],
  passkeys: ['id', 'operator_id', 'credential_id', 'public_key', 'created_at'],
  ceremonies: ['browser', 'challenge', 'purpose', 'operator_id', 'expires_at'],
  operator_sessions: [
    'id',
    'hash',
    'secret_hash',
    'operator_id',
    'means',
    'began_at',
    'stepped_up_at',
    'ends_at',
  ],
  operator_links: [
    'id',
    'hash',
    'email',
    'operator_id',
    'team_id',
    'role',
    'makes_admin',
    'made_by',
    'created_at',
    'expires_at',
  ],
  apps: ['id', 'team_id'],
} as const satisfies Record<string, readonly string[]>;

export type GuardedTable = keyof typeof GUARDED;
const GUARDED_TABLES = Object.keys(GUARDED) as GuardedTable[];

type Columns<Table extends GuardedTable> = Record<(typeof GUARDED)[Table][number], Value>;

export function rowMac<Table extends GuardedTable>(
  secrets: Secrets,
  table: Table,
  row: Columns<Table>,
): string {
  const columns: readonly string[] = GUARDED[table];
  const values = columns.map(name => (row as Readonly<Record<string, Value>>)[name]);
  return secrets.hash(
    `row of ${table}`,
    JSON.stringify(
      values.map(value => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
    ),
  );
}

export function isBelieved<Table extends GuardedTable>(
  secrets: Secrets,
  table: Table,
  row: Columns<Table> & { readonly mac: string | null },
): boolean {
  return row.mac !== null && row.mac === rowMac(secrets, table, row);
}

/** @param end of the statement, like `ON CONFLICT …`. @returns how many rows were inserted */
export function insertGuarded<Table extends GuardedTable>(
  sql: Sql,
  secrets: Secrets,
  table: Table,
  row: Columns<Table> & Record<string, Value>,
  end = '',
): Promise<number> {
  const whole = { ...row, mac: rowMac(secrets, table, row) };
  const places = Object.keys(whole).map((_, at) => `$${at + 1}`);
  return sql.run(
    `INSERT INTO ${table} (${Object.keys(whole).join(', ')}) VALUES (${places.join(', ')}) ${end}`,
    ...Object.values<Value>(whole),
  );
}

/** How the hash of a secret is stored. */
export const keyedHash = (
  secrets: Secrets,
  kind: 'session cookie' | 'session header' | 'link' | 'ceremony',
  hash: string,
): string => secrets.hash(`portal ${kind}`, hash);

export const recoveryHash = (secrets: Secrets, operatorId: string, hash: string): string =>
  secrets.hash('portal recovery code', `${operatorId}\0${hash}`);

/** Rows that are not believed, by their first column; tables without any are left out. */
export async function unbelieved(sql: Sql, secrets: Secrets): Promise<Map<GuardedTable, string[]>> {
  const found = new Map<GuardedTable, string[]>();
  for (const table of GUARDED_TABLES) {
    const rows = await guardedRows(sql, table);
    const some = rows.filter(row => !isBelieved(secrets, table, row));
    const key = GUARDED[table][0] as keyof (typeof rows)[number];
    if (some.length > 0)
      found.set(
        table,
        some.map(row => String(row[key])),
      );
  }
  return found;
}

function guardedRows<Table extends GuardedTable>(
  sql: Sql,
  table: Table,
): Promise<(Columns<GuardedTable> & { mac: string | null })[]> {
  return sql.all(`SELECT ${GUARDED[table].join(', ')}, mac FROM ${table}`);
}
