/** Wraps every key of the database with another master secret. Held by test/cli/master-secret.long.test.ts. */

import { StoreMisfit } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import type { Master } from '../../secrets/master.ts';
import type { Sql } from '../driver.ts';
import { generation, lockedCheckValue, oweRebuild, setCheckValue, setGeneration } from './meta.ts';
import type { KeyRow } from './vault.ts';

/** @returns how many keys there are. @throws StoreMisfit if the current secret no longer fits the database */
export async function rewrapKeys(
  sql: Sql,
  current: Master,
  following: Master,
  random: Random,
): Promise<number> {
  // Before the keys are read: a key that is made meanwhile would be wrapped with the old secret.
  if ((await lockedCheckValue(sql, 'UPDATE')) !== current.checkValue)
    throw new StoreMisfit('the master secret was rotated a moment ago: run the command again');
  const rows = await sql.all<KeyRow>('SELECT id, owner, version, generation, wrapped FROM data_keys');
  for (const row of rows) {
    const bytes = current.unwrap(row, row.wrapped);
    const wrapped = following.wrap(row, bytes, random);
    bytes.fill(0);
    // The same number of bytes, so the engine overwrites the old ones.
    await sql.run('UPDATE data_keys SET wrapped = $1 WHERE id = $2', wrapped, row.id);
  }
  await setCheckValue(sql, following.checkValue);
  await setGeneration(sql, (await generation(sql)) + 1);
  await oweRebuild(sql);
  return rows.length;
}
