/** Rebuilds a database file daily, if a user was erased since the last rebuild. Held by test/sqlite/compaction.ts. */
import type { StoreFile } from '../../../ports/upkeep.ts';
import type { Driver, DriverFile, Sql } from '../driver.ts';
import { isRebuildOwed, rebuildDone } from '../keys/meta.ts';
import { SERVICE } from '../scope.ts';

export function storeFile(driver: Driver, file: DriverFile): StoreFile {
  return {
    async compactAfterErasures(now) {
      if (!(await erasedSinceCompaction(driver.read))) return false;
      await file.compact();
      await driver.write(SERVICE, async sql => {
        await sql.run(
          `INSERT INTO meta (name, value) VALUES ('compacted_at', $1) ON CONFLICT (name) DO UPDATE SET value = $1`,
          String(now),
        );
        await rebuildDone(sql);
      });
      return true;
    },
  };
}

/** Whether a user or app was erased, or keys were destroyed, since the last daily rebuild. */
export async function erasedSinceCompaction(sql: Sql): Promise<boolean> {
  if (await isRebuildOwed(sql)) return true;
  const since = await sql.get<{ value: string }>(`SELECT value FROM meta WHERE name = 'compacted_at'`);
  const erased = await sql.get(
    'SELECT 1 FROM erasures WHERE erased_at >= $1 LIMIT 1',
    Number(since?.value ?? 0),
  );
  return erased !== undefined;
}
