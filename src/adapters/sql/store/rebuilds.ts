/** Rebuilds a database file daily, if a user was erased since the last rebuild. Held by test/sqlite/compaction.ts. */
import type { StoreFile } from '../../../ports/upkeep.ts';
import type { Driver, DriverFile, Sql } from '../driver.ts';
import { isRebuildOwed, rebuildDone, rebuiltAt, setRebuiltAt } from '../keys/meta.ts';
import { SERVICE } from '../scope.ts';

export function storeFile(driver: Driver, file: DriverFile): StoreFile {
  return {
    async compactAfterErasures(now) {
      if (!(await erasedSinceCompaction(driver.read))) return false;
      await file.compact();
      await driver.write(SERVICE, async sql => {
        await setRebuiltAt(sql, now);
        await rebuildDone(sql);
      });
      return true;
    },
  };
}

/** Whether a user or app was erased, or keys were destroyed, since the last daily rebuild. */
export async function erasedSinceCompaction(sql: Sql): Promise<boolean> {
  if (await isRebuildOwed(sql)) return true;
  const since = 'SELECT 1 FROM erasures WHERE erased_at >= $1 LIMIT 1';
  const erased = await sql.get(since, await rebuiltAt(sql));
  return erased !== undefined;
}
