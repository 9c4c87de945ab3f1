/** The executable on the database of an earlier program: one start brings it to the newest schema, and loses nothing. */
import { chmodSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { ROOT } from '../cli/process.ts';
import { appBy } from '../cli/test-app.ts';
import { enrolled, type Json, match } from '../support/client.ts';
import { toFirstForm } from '../support/first-form.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { copy } from './copy.ts';

const test = suite('dist: upgrade');
const MIGRATIONS = globSync('src/adapters/sql/migrations/*.sql', { cwd: ROOT }).sort();

/** The last version in which rows were sealed under the master secret itself. */
const FIRST_FORM = 4;
const NEWEST = MIGRATIONS.length;

/** Makes the database anew with the migrations up to a version, and brings over what it can hold. */
function takeBack(path: string, version: number): void {
  const old = new Database(`${path}.old`);
  old.exec('CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  for (const file of MIGRATIONS.slice(0, version)) old.exec(readFileSync(join(ROOT, file), 'utf8'));
  old.prepare('ATTACH ? AS present').run(path);
  const tables = old
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  for (const table of tables) {
    const columns = (schema: string) =>
      old.prepare(`SELECT name FROM pragma_table_info('${table}', '${schema}')`).pluck().all() as string[];
    const kept = columns('main').filter(column => columns('present').includes(column));
    const where = table === 'schema_migrations' ? `WHERE version <= ${version}` : '';
    old.exec(
      `INSERT INTO main.${table} (${kept.join()}) SELECT ${kept.join()} FROM present.${table} ${where}`,
    );
  }
  old.close();
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  renameSync(`${path}.old`, path);
  chmodSync(path, 0o600);
}

for (const from of [FIRST_FORM, NEWEST - 1])
  test(`a database of schema version ${from} is brought to the newest one, and people sign in as before`, async () => {
    const own = copy();
    const first = await own.serve();
    const app = await appBy(args => own.json(args), 'Shop');
    const { user } = await enrolled({ base: first.base } as Running, app);
    await first.stop();

    const path = join(own.folder, 'data/face-sign-in.db');
    if (from === FIRST_FORM)
      toFirstForm(join(own.folder, 'data'), [app.live.pk, app.live.sk, app.test.pk, app.test.sk]);
    takeBack(path, from);
    const version = async () =>
      /schema version (\d+ of \d+)/.exec(
        (await own.json(['doctor'])).checks.find(({ name }: Json) => name === 'database').detail,
      )?.[1];
    assert.is(await version(), `${from} of ${NEWEST}`);

    const server = await own.serve();
    assert.is((await match({ base: server.base } as Running, app)).json.user?.id, user.id);
    await server.stop();
    assert.is(await version(), `${NEWEST} of ${NEWEST}`);
    assert.ok((await own.json(['doctor'])).ok);
  });

test.run();
