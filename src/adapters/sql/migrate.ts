/**
 * Migrates a database to the newest schema. Migrations are files that run once, in order, all in one transaction that
 * holds the write lock: if two processes start together, one migrates and the other waits. Refuses a database whose
 * schema it does not know (schema.ts). Held by test/sqlite/migration.ts.
 */
import type { Driver, Sql } from './driver.ts';
import { type Migration, migrations } from './migrations.ts';
import { APPLIED, type Applied, databaseAt, refuseMisfit } from './schema.ts';
import { SERVICE } from './scope.ts';

/**
 * @param file the database, as messages name it
 * @param then further work on the newest schema, in the same transaction
 * @throws SchemaMisfit if this program cannot migrate the database
 */
export async function migrate<Answer>(
  driver: Driver,
  file: string,
  then: (sql: Sql) => Promise<Answer>,
  known: readonly Migration[] = migrations(),
): Promise<Answer> {
  return driver.write(SERVICE, async sql => {
    const isNew = (await sql.get(driver.tables)) === undefined;
    await sql.run(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const applied = await sql.all<Applied>(APPLIED);
    if (!isNew) refuseMisfit(applied, databaseAt(file), { known });
    for (const { number, name, text } of known.slice(applied.length)) {
      for (const statement of statements(text())) await sql.run(statement);
      await sql.run('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', number, name);
    }
    return then(sql);
  });
}

/** A trigger up to its END, or anything else up to a semicolon. Migrations contain no strings with semicolons. */
const STATEMENT = /\s*(?:CREATE TRIGGER.*?\bEND(?=;)|[^;]+)/gs;

function statements(text: string): string[] {
  const bare = text.replace(/^\s*--.*$/gm, '');
  return [...bare.matchAll(STATEMENT)].map(([part]) => part.trim()).filter(part => part !== '');
}
