/** For `doctor`: what the rows of a database file hold, without changing anything. A server may run meanwhile. */
import { existsSync } from 'node:fs';
import type { Finding, Findings } from '../../ports/upkeep.ts';
import { mastersOf } from '../journal/examine-keys.ts';
import {
  countApps,
  examineAudit,
  examineDataKeys,
  examineGuarded,
  fittingMaster,
} from '../sql/examine/findings.ts';
import { examineSealed } from '../sql/examine/sealed-rows.ts';
import { migrations } from '../sql/migrations.ts';
import { failed, withSql } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

export async function examineRows(
  location: StoreLocation,
): Promise<Pick<Findings, 'dataKeys' | 'sealed' | 'operators' | 'audit' | 'apps'>> {
  const { path } = location;
  if (!existsSync(path)) {
    const none: Finding = { ok: true, detail: 'no database yet' };
    return { dataKeys: none, sealed: none, operators: none, audit: none, apps: [] };
  }
  type Ask = Parameters<typeof withSql<Finding>>[1];
  const finding = (ask: Ask) => withSql(path, ask).catch(failed);
  const migrated =
    (examine: typeof examineSealed): Ask =>
    async (sql, _, version) =>
      version < migrations().length
        ? { ok: true, detail: 'checked after the next start, which migrates the database' }
        : examine(sql, await fittingMaster(sql, mastersOf(location)));
  return {
    dataKeys: await finding(sql => examineDataKeys(sql)),
    sealed: await finding(migrated(examineSealed)),
    operators: await finding(migrated(examineGuarded)),
    audit: await finding(async (sql, database) => {
      database.exec('BEGIN');
      return examineAudit(sql, await fittingMaster(sql, mastersOf(location)));
    }),
    apps: await withSql(path, countApps).catch(() => []),
  };
}
