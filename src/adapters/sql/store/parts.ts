/** Deletes many rows a part at a time, so that nothing waits for long. */
import type { Driver } from '../driver.ts';
import type { Scope } from '../scope.ts';

/** Rows deleted at once. */
const AT_ONCE = 500;

/** @param where with `$1` for `value` */
export async function deleteInParts(
  driver: Driver,
  scope: Scope,
  table: string,
  key: string,
  where: string,
  value: string,
  signal?: AbortSignal,
): Promise<void> {
  const some = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT $2)`;
  do signal?.throwIfAborted();
  while ((await driver.write(scope, sql => sql.run(some, value, AT_ONCE))) === AT_ONCE);
}
