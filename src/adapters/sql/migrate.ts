/**
 * Migrates a database to the newest schema. Migrations are files that run once, in order, all in one transaction that
 * holds the write lock: if two processes start together, one migrates and the other waits. Refuses a database of a
 * newer program or of a development version. Held by test/sqlite/migration.ts.
 */
import { StoreMisfit } from '../../ports/store.ts';
import type { Driver, Sql } from './driver.ts';
import { type Migration, migrations } from './migrations.ts';
import { SERVICE } from './scope.ts';

/**
 * @param then further work on the newest schema, in the same transaction
 * @throws StoreMisfit if this program cannot migrate the database
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
        'the database was created by a development version before the first release, which no release can read: start with an empty DATA_DIR',
      );
    if (version > newest) {
      throw new StoreMisfit(
        `the database has schema version ${version}, but this program knows only ${newest}: use a newer program`,
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

/** Splits a migration at its semicolons. Migrations contain no string literals with semicolons. */
function statements(text: string): string[] {
  const bare = text.replace(/^\s*--.*$/gm, '');
  return bare
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '');
}
