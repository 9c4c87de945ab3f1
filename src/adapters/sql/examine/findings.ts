/** For `doctor`: what it finds in the same words on every engine. */
import type { Finding } from '../../../ports/upkeep.ts';
import type { Sql } from '../driver.ts';

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
