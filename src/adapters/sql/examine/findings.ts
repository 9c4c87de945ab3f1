/** For `doctor`: what it finds in a database, in the same words on every engine. It changes nothing. */
import type { CountedApp, Finding } from '../../../ports/upkeep.ts';
import { counted, grouped } from '../../../protocol/amounts.ts';
import { keyedHashes, type Master } from '../../secrets/master.ts';
import type { Sql } from '../driver.ts';
import { type GuardedTable, unbelieved } from '../keys/guarded.ts';
import { checkValue } from '../keys/meta.ts';
import { hashKeyOf } from '../keys/prepare.ts';
import { countOf } from '../many-rows.ts';
import { verifyAudit } from '../store/audit.ts';
import { NOT_IMPORTING } from '../store/imports.ts';

export function bad(detail: string): Finding {
  return { ok: false, detail };
}

/** Null: no import is running, and none was interrupted. */
export async function unfinishedImport(sql: Sql): Promise<Finding | null> {
  return (await sql.get('SELECT 1 FROM apps WHERE importing = 1 LIMIT 1'))
    ? bad(
        'an import is running or was interrupted: run "app import" again to repeat it, or "job run retention" to remove it',
      )
    : null;
}

/** How many users each app has in live mode. Held by test/cli/doctor-sizes.test.ts. */
export async function countApps(sql: Sql): Promise<CountedApp[]> {
  const rows = await sql.all<{ app_id: string; users: number; encoder: string | null }>(
    `SELECT app_id, COUNT(*) AS users,
       (SELECT encoder FROM galleries g WHERE g.app_id = users.app_id AND g.mode = 'live') AS encoder
     FROM users WHERE mode = 'live' AND ${NOT_IMPORTING} GROUP BY app_id ORDER BY app_id`,
  );
  return rows.map(({ app_id: appId, users, encoder }) => ({ appId, users, encoder }));
}

/**
 * Whether nobody has changed the audit log outside the service.
 * @param sql reads one moment: a running server adds entries meanwhile
 */
export async function examineAudit(sql: Sql, master: Master): Promise<Finding> {
  const fault = await verifyAudit(sql, keyedHashes(await hashKeyOf(sql, master)));
  const count = await countOf(sql, 'audit_log');
  const entries = `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`;
  if (!fault) return { ok: true, detail: `${entries}, each follows from the one before` };
  return bad(
    `entry ${fault.seq} ${fault.reason}: somebody has written to the database; compare with a backup`,
  );
}

/** One row of each table, in words. */
const WORDS: Readonly<Record<GuardedTable, string>> = {
  operators: 'operator',
  members: 'membership',
  passkeys: 'passkey',
  ceremonies: 'passkey challenge',
  operator_sessions: 'session',
  operator_links: 'link',
  apps: 'team of an app',
};
const MOST_NAMED = 3;

/** Names the rows of the portal that the service did not write. They are not believed. */
export async function examineGuarded(sql: Sql, master: Master): Promise<Finding> {
  const found = await unbelieved(sql, keyedHashes(await hashKeyOf(sql, master)));
  if (found.size === 0)
    return {
      ok: true,
      detail: `${counted(await countOf(sql, 'operators'), 'operator')}, and all that gives them rights, as the service wrote it`,
    };
  const what = [...found].map(([table, ids]) => {
    const more = ids.length > MOST_NAMED ? ', …' : '';
    return `${ids.length} × ${WORDS[table]} (${ids.slice(0, MOST_NAMED).join(', ')}${more})`;
  });
  return bad(
    `${what.join(', ')}: written or changed outside the service, and refused. Such an operator is disabled: check the address, then run "operator enable EMAIL"; an admin moves such an app to its team; or restore a backup that only you can write to`,
  );
}

/** The one of these secrets that fits the database. @throws Error if none does */
export async function fittingMaster(sql: Sql, masters: readonly Master[]): Promise<Master> {
  const stored = await checkValue(sql);
  const master = masters.find(one => one.checkValue === stored);
  if (master) return master;
  throw new Error('the master secret does not fit the database: put the right one back');
}

/** Each owner has one key. If there are more, a change of keys was interrupted. */
export async function examineDataKeys(sql: Sql): Promise<Finding> {
  const owners = await sql.all<{ owner: string; n: number }>(
    'SELECT owner, COUNT(*) AS n FROM data_keys GROUP BY owner ORDER BY owner',
  );
  const older = owners.filter(({ n }) => n > 1);
  if (older.length === 0) return { ok: true, detail: `${owners.length}, none needs to be replaced` };
  const names = older.map(({ owner }) => owner).slice(0, 3);
  const more = older.length > names.length ? ', …' : '';
  return bad(
    `a change of keys is running or was interrupted for ${older.length} of ${owners.length} (${names.join(', ')}${more}): run "job run data-keys"`,
  );
}
