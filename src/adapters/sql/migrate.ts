/**
 * Migrates a database to the newest schema. Migrations are files that run once, in order, all in one transaction that
 * holds the write lock: if two processes start together, one migrates and the other waits. Refuses a database whose
 * schema it does not know (schema.ts). Held by test/sqlite/migration.ts.
 */

import type { Driver, Sql } from './driver.ts';
import { oldestProgram } from './keys/meta.ts';
import { type Migration, migrations, SCHEMA_MIGRATIONS } from './migrations.ts';
import { APPLIED, type Applied, refuseMisfit, type Subject, schemaOf } from './schema.ts';
import { SCHEMA } from './scope.ts';

/**
 * Where there are several nodes, those of the version before must start too while an upgrade rolls.
 * @throws SchemaMisfit if this program cannot use or migrate the database
 */
export async function refuseUnusable(
  driver: Pick<Driver, 'file'>,
  sql: Sql,
  applied: readonly Applied[],
  subject: Subject,
  known: readonly Migration[] = migrations(),
): Promise<void> {
  const mayBeNewer = driver.file === null && schemaOf(applied, known) === 'newer';
  const acceptNewer = mayBeNewer && (await oldestProgram(sql)) <= known.length;
  refuseMisfit(applied, subject, { known, acceptNewer });
}

/**
 * @param subject the database, as messages name it
 * @param open opens the keys of the database, in the same transaction
 * @throws SchemaMisfit if this program cannot migrate the database
 */
export async function migrate<Answer>(
  driver: Driver,
  subject: Subject,
  open: (sql: Sql) => Promise<Answer>,
  known: readonly Migration[] = migrations(),
): Promise<Answer> {
  return driver.write(SCHEMA, async sql => {
    const isNew = (await sql.get(driver.tables)) === undefined;
    await sql.run(SCHEMA_MIGRATIONS);
    const applied = await sql.all<Applied>(APPLIED);
    if (!isNew) await refuseUnusable(driver, sql, applied, subject, known);
    for (const migration of known.slice(applied.length)) {
      for (const statement of driver.statementsOf(migration)) await sql.run(statement);
      const { number, name } = migration;
      await sql.run('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', number, name);
    }
    return open(sql);
  });
}
