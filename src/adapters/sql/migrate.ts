/**
 * Brings a database to the newest schema. Migrations are files that run once, in the order of their numbers, all in
 * one transaction that holds the write lock: of two processes that start together, one migrates and one waits.
 * Refuses a database of a newer program, and one of a development version. test/sqlite/migration.ts holds it.
 */
import { StoreMisfit } from '../../ports/store.ts';
import type { Driver, Sql } from './driver.ts';
import { type Migration, migrations } from './migrations.ts';
import { SERVICE } from './scope.ts';

/**
 * @param then what the newest schema needs besides statements: in the same transaction
 * @throws StoreMisfit for a database that this program cannot bring forward
 */
export async function migrate<Answer>(
  driver: Driver,
  then: (sql: Sql) => Promise<Answer>,
  known: readonly Migration[] = migrations(),
): Promise<Answer> {
  return driver.write(SERVICE, async sql => {
    await sql.run(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const done = await sql.all<{ version: number; name: string }>(
      'SELECT version, name FROM schema_migrations ORDER BY version',
    );
    const version = done.at(-1)?.version ?? 0;
    const newest = known.at(-1)?.number ?? 0;
    if (
      done.some(({ version: number, name }) => known.some(one => one.number === number && one.name !== name))
    )
      throw new StoreMisfit(
        'the database was made by a development version from before the first release, which no release can read: start with an empty DATA_DIR',
      );
    if (version > newest) {
      throw new StoreMisfit(
        `the database has schema version ${version}, this program knows ${newest}: use a newer program`,
      );
    }
    for (const { number, name, text } of known) {
      if (number <= version) continue;
      for (const statement of statements(text())) await sql.run(statement);
      await sql.run('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', number, name);
    }
    return then(sql);
  });
}

/** Splits a migration at its semicolons; migrations hold no text literals with semicolons in them. */
function statements(text: string): string[] {
  const bare = text.replace(/^\s*--.*$/gm, '');
  return bare
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '');
}
