/**
 * Brings a database to the newest schema. Migrations are files that run once, in the order of their numbers, all in
 * one transaction that holds the write lock: of two processes that start together, one migrates and one waits.
 * Refuses a database that a newer program has made.
 */
import { StoreMisfit } from '../../ports/store.ts';
import type { Driver, Sql } from './driver.ts';
import { migrations } from './migrations.ts';
import { SERVICE } from './scope.ts';

/**
 * @param then what the newest schema needs besides statements: in the same transaction
 * @throws StoreMisfit for a database of a newer program
 */
export async function migrate<Answer>(driver: Driver, then: (sql: Sql) => Promise<Answer>): Promise<Answer> {
  const known = migrations();
  return driver.write(SERVICE, async sql => {
    await sql.run(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const done = await sql.get<{ version: number | null }>(
      'SELECT MAX(version) AS version FROM schema_migrations',
    );
    const version = done?.version ?? 0;
    const newest = known.at(-1)?.number ?? 0;
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
