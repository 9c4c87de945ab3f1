/**
 * Migrates a database to the newest schema. Migrations are files that run once, in order, all in one transaction that
 * holds the write lock: if two processes start together, one migrates and the other waits. Refuses a database whose
 * schema it does not know (schema.ts). Held by test/sqlite/migration.ts.
 */
import type { Driver, Sql } from './driver.ts';
import { type Migration, migrations, SCHEMA_MIGRATIONS, statementsOf } from './migrations.ts';
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
    await sql.run(SCHEMA_MIGRATIONS);
    const applied = await sql.all<Applied>(APPLIED);
    if (!isNew) refuseMisfit(applied, databaseAt(file), { known });
    for (const migration of known.slice(applied.length)) {
      const { number, name } = migration;
      for (const statement of statementsOf(migration)) await sql.run(statement);
      await sql.run('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', number, name);
    }
    return then(sql);
  });
}
