/** What a migration makes of rows that are there already, where it does more than to add a column. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { migrations } from '../../src/adapters/sql/migrations.ts';
import { FIRST, LIVE, NOW } from '../contract/fixtures.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

const NUMBERS = '-numbers.sql';

/** A database as the program left it that named templates by their ids. */
function before(path: string): Database.Database {
  const old = new Database(path);
  old.exec('CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  for (const { number, name, text } of migrations()) {
    if (name.endsWith(NUMBERS)) break;
    old.exec(text());
    old.prepare('INSERT INTO schema_migrations VALUES (?, ?)').run(number, name);
  }
  return old;
}

export function sqliteMigration(test: Suite): void {
  test('SQLite: removals from before, which name templates by id, count as forgotten', async () => {
    const db = await sqliteEngine.create();
    try {
      writeFileSync(join(db.address, 'master.key'), Buffer.alloc(32, 1).toString('base64url'));
      const old = before(databaseFile(db));
      old.exec(
        `INSERT INTO apps (id, name, allowed_origins, first_party, plan, created_at)
           VALUES ('${FIRST}', '', '[]', 0, 'free', 0);
         INSERT INTO galleries (app_id, mode, sequence) VALUES ('${FIRST}', 'live', 9), ('${FIRST}', 'test', 2);
         INSERT INTO removed_templates (app_id, mode, sequence, template_id, removed_at)
           VALUES ('${FIRST}', 'live', 9, 'tpl_gone', ${NOW})`,
      );
      old.close();
      const store = await db.open();
      assert.equal(await db.rows('SELECT mode, sequence, pruned_to FROM galleries ORDER BY mode'), [
        { mode: 'live', sequence: 9, pruned_to: 9 },
        { mode: 'test', sequence: 2, pruned_to: 2 },
      ]);
      assert.equal(await db.rows('SELECT * FROM removed_templates'), []);
      const isBroken = async (since: number) => (await store.galleryChanges(LIVE, since, 10)).isBroken;
      assert.equal([await isBroken(0), await isBroken(8), await isBroken(9)], [false, true, false]);
    } finally {
      await db.destroy();
    }
  });
}
