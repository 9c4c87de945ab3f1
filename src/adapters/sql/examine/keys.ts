/** For `doctor`: the keys of a database, without changing anything. */
import type { Finding } from '../../../ports/upkeep.ts';
import type { Master } from '../../secrets/master.ts';
import type { Sql } from '../driver.ts';
import { checkValue } from '../keys/meta.ts';

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
  return {
    ok: false,
    detail: `a change of keys is running or was interrupted for ${older.length} of ${owners.length} (${names.join(', ')}${more}): run "job run data-keys"`,
  };
}
