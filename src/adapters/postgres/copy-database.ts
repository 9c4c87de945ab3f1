/**
 * Moves a whole deployment from its database file to an empty database on a server: all rows in one transaction, with
 * everything that is sealed as it is, because the master secret stays the same. Before the commit both sides are
 * counted, and every sealed row and the audit log are read on the server. Held by test/postgres/copy.ts.
 */
import { StoreMisfit } from '../../ports/store.ts';
import type { Finding } from '../../ports/upkeep.ts';
import { grouped } from '../../protocol/amounts.ts';
import type { Master } from '../secrets/master.ts';
import type { Driver, Sql, Value } from '../sql/driver.ts';
import { examineAudit, examineGuarded, fittingMaster } from '../sql/examine/findings.ts';
import { examineSealed } from '../sql/examine/sealed-rows.ts';
import { countOf, insertRows } from '../sql/many-rows.ts';
import { SERVICE } from '../sql/scope.ts';

/** In an order in which no row points to one that is not there yet. */
export const COPIED = [
  'meta',
  'jobs',
  'data_keys',
  'signing_keys',
  'erasures',
  'teams',
  'apps',
  'api_keys',
  'galleries',
  'users',
  'consents',
  'templates',
  'removed_templates',
  'challenges',
  'email_codes',
  'known_networks',
  'look_alikes',
  'revoked_tokens',
  'windows',
  'usage',
  'auth_events',
  'event_days',
  'outbox_heads',
  'outbox',
  'webhooks',
  'webhook_waiting',
  'webhook_deliveries',
  'distance_days',
  'operators',
  'members',
  'passkeys',
  'recovery_codes',
  'ceremonies',
  'operator_sessions',
  'operator_links',
  'audit_log',
] as const;
/** What lasts for moments, and the list of migrations. The row of `audit_anchor` is moved instead. */
export const NOT_COPIED = ['leases', 'nodes', 'minute_windows', 'schema_migrations', 'audit_anchor'] as const;

const ROWS_AT_ONCE = 500;

/** The target is not empty, or what arrived is not what was sent. Nothing was copied. */
export class CopyFault extends StoreMisfit {}

export interface Copying {
  readonly from: Driver;
  readonly to: Driver;
  /** The target, for messages. */
  readonly shown: string;
  /** Master secrets that may fit. */
  readonly masters: readonly Master[];
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * @returns how many rows
 * @throws CopyFault, nothing was copied then; StoreUnavailable, nothing was copied then, unless only the answer to the
 * commit was lost: then the target is whole, and a second copy is refused
 */
export async function copyDatabase({ from, to, shown, masters, onProgress }: Copying): Promise<number> {
  const master = await fittingMaster(from.read, masters);
  await requireEmpty(to.read, shown);
  const counts = new Map<string, number>();
  for (const table of COPIED) counts.set(table, await countOf(from.read, table));
  // Rows altered in the source stay as they are: no service uses them, and doctor reports them on both sides.
  const found = await findingsIn(from.read, master);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return to.write(SERVICE, async sql => {
    // What the migrations have put there.
    for (const table of ['meta', 'data_keys', 'teams']) await sql.run(`DELETE FROM ${table}`);
    await copyAnchor(from.read, sql);
    let done = 0;
    for (const table of COPIED)
      await copyTable(from.read, sql, table, rows => {
        done += rows;
        onProgress?.(done, total);
      });
    for (const [table, count] of counts) {
      const arrived = await countOf(sql, table);
      if (arrived !== count)
        throw new CopyFault(
          `${table} has ${grouped(count)} rows, but ${grouped(arrived)} arrived: stop whatever writes, and copy again`,
        );
    }
    for (const [place, arrived] of (await findingsIn(sql, master)).entries())
      if (!arrived.ok && arrived.detail !== found[place]?.detail)
        throw new CopyFault(`what arrived is not whole: ${arrived.detail}`);
    return done;
  });
}

const findingsIn = async (sql: Sql, master: Master): Promise<Finding[]> => [
  await examineSealed(sql, master),
  await examineGuarded(sql, master),
  await examineAudit(sql, master),
];

async function requireEmpty(sql: Sql, shown: string): Promise<void> {
  for (const table of ['apps', 'operators', 'signing_keys', 'audit_log'])
    if ((await countOf(sql, table)) > 0)
      throw new CopyFault(
        `${shown} is not empty (it has ${table}): name an empty database; if a copy lost its connection at the end, run doctor there: it may be whole`,
      );
}

async function copyAnchor(from: Sql, to: Sql): Promise<void> {
  const anchor = await from.get<{ seq: number; hash: string }>('SELECT seq, hash FROM audit_anchor');
  if (anchor) await to.run('UPDATE audit_anchor SET seq = $1, hash = $2', anchor.seq, anchor.hash);
}

async function copyTable(from: Sql, to: Sql, table: string, copied: (rows: number) => void): Promise<void> {
  // Nothing else in the store depends on `rowid`: here it only gives every table an order.
  const page = `SELECT rowid AS place_of_row, * FROM ${table} WHERE rowid > $1 ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`;
  for (let after = -1; ; ) {
    const rows = await from.all<Record<string, Value> & { place_of_row: number }>(page, after);
    const last = rows.at(-1);
    if (!last) return;
    after = last.place_of_row;
    const columns = Object.keys(last).filter(name => name !== 'place_of_row');
    await insertRows(
      to,
      `${table} (${columns.join(', ')})`,
      rows.map(row => columns.map(column => row[column] ?? null)),
    );
    copied(rows.length);
  }
}
