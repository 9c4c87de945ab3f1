/** How a database comes to the newest schema, with a migration more than there is: for the next one, which changes rows. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { masterOf } from '../../src/adapters/secrets/master.ts';
import type { Sql } from '../../src/adapters/sql/driver.ts';
import { prepareKeys } from '../../src/adapters/sql/keys/prepare.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { type Migration, migrations } from '../../src/adapters/sql/migrations.ts';
import { databaseAt } from '../../src/adapters/sql/schema.ts';
import { openSqlite } from '../../src/adapters/sqlite/driver.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import { closing } from '../support/closing.ts';
import type { Suite } from '../support/suite.ts';

/** Of databases that were never opened otherwise. */
export const openKeys = (sql: Sql) =>
  prepareKeys(sql, [masterOf(Buffer.alloc(32, 1))], () => [], systemRandom());

export const NEXT = {
  number: (migrations().at(-1)?.number ?? 0) + 1,
  name: '999-next.sql',
  text: () => `-- A comment.
    ALTER TABLE jobs ADD COLUMN next TEXT;
    INSERT INTO jobs (name, last_run) VALUES ('planted', 1)`,
};

/** The work is given a way to migrate the file of a new database, whose rows it reads afterwards. */
export async function onNewFile(
  work: (
    run: (known?: readonly Migration[]) => Promise<void>,
    rows: (sql: string) => unknown[],
    file: string,
  ) => Promise<void>,
): Promise<void> {
  const db = await sqliteEngine.create();
  const file = databaseFile(db);
  writeFileSync(join(db.address, 'master.key'), Buffer.alloc(32, 1).toString('base64url'));
  const run = async (known?: readonly Migration[]) => {
    const driver = openSqlite(file);
    await migrate(driver, databaseAt(file), openKeys, known).finally(() => driver.close());
  };
  const rows = (sql: string) => {
    using direct = closing(new Database(file));
    return direct.prepare(sql).all();
  };
  try {
    await work(run, rows, file);
  } finally {
    await db.destroy();
  }
}

const DONE = 'SELECT version FROM schema_migrations ORDER BY version';
const PLANTED = "SELECT last_run FROM jobs WHERE name = 'planted'";

export function sqliteMigration(test: Suite): void {
  test('SQLite: a further migration runs once, also when several programs start together', () =>
    onNewFile(async (run, rows) => {
      await run();
      const both = [...migrations(), NEXT];
      await Promise.all([run(both), run(both), run(both)]);
      await run(both);
      assert.is(rows(DONE).length, both.length);
      assert.equal(rows(PLANTED), [{ last_run: 1 }]);
    }));

  test('SQLite: a migration that fails leaves the database as it was', () =>
    onNewFile(async (run, rows) => {
      await run();
      const before = rows('SELECT sql FROM sqlite_schema');
      const failing = { ...NEXT, text: () => `${NEXT.text()}; UPDATE nowhere SET x = 1` };
      assert.instance(await run([...migrations(), failing]).catch(error => error), Error);
      assert.equal(rows('SELECT sql FROM sqlite_schema'), before);
      assert.is(rows(DONE).length, migrations().length);
      assert.equal(rows(PLANTED), []);
      await run([...migrations(), NEXT]);
      assert.equal(rows(PLANTED), [{ last_run: 1 }]);
    }));

  test('SQLite: of migrations that are killed between two, none has run; the next start runs them', () =>
    onNewFile(async (run, rows, file) => {
      await run();
      const before = rows('SELECT sql FROM sqlite_schema');
      const program = join(import.meta.dirname, 'dying-migration.ts');
      const { signal, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
      assert.is(signal, 'SIGKILL', stderr);
      assert.equal(rows('SELECT sql FROM sqlite_schema'), before);
      assert.is(rows(DONE).length, migrations().length);
      await run([...migrations(), NEXT]);
      assert.equal(rows(PLANTED), [{ last_run: 1 }]);
    }));
}
