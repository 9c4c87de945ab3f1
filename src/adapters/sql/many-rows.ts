/**
 * Rows counted, many rows in one statement, because each statement is a round trip where the database is on a network,
 * and many rows deleted in several. A statement takes at most 32,766 values on SQLite and 65,535 on PostgreSQL: callers
 * go page by page, of at most 500 rows.
 */
import type { Driver, Sql, Value } from './driver.ts';
import type { Scope } from './scope.ts';

/**
 * @param into the table and its columns
 * @param onConflict a clause
 */
export async function insertRows(
  sql: Sql,
  into: string,
  rows: readonly (readonly Value[])[],
  onConflict = '',
): Promise<void> {
  if (rows.length === 0) return;
  let place = 0;
  const values = rows.map(row => `(${row.map(() => `$${++place}`).join(', ')})`);
  await sql.run(`INSERT INTO ${into} VALUES ${values.join(', ')} ${onConflict}`, ...rows.flat());
}

/** @param select ends with the column that has one of the values */
export async function rowsWith<Row>(sql: Sql, select: string, values: readonly string[]): Promise<Row[]> {
  if (values.length === 0) return [];
  return sql.all<Row>(`${select} IN (${values.map((_, at) => `$${at + 1}`).join(', ')})`, ...values);
}

/** @param from a table and its conditions, as after FROM */
export async function countOf(sql: Sql, from: string, ...values: Value[]): Promise<number> {
  const row = await sql.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`, ...values);
  return row?.n ?? 0;
}

/** Rows deleted at once. */
const AT_ONCE = 500;

/** A part at a time, so that nothing waits for long. @param where with `$1` for `value` */
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
