/** The executable on the database of the program before it: one start brings it to the newest schema, and loses nothing. */
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

const numberOf = (file: string | undefined) => Number(/(\d+)-[^/]+$/.exec(file ?? '')?.[1]);
const [PREVIOUS, NEWEST] = MIGRATIONS.slice(-2).map(numberOf) as [number, number];

/** Makes the database anew with all migrations but the last, and brings over what it can hold. */
function takeBack(path: string): void {
  const old = new Database(`${path}.old`);
  old.exec('CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  for (const file of MIGRATIONS.slice(0, -1)) old.exec(readFileSync(join(ROOT, file), 'utf8'));
  old.prepare('ATTACH ? AS present').run(path);
  const tables = old
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  for (const table of tables) {
    const columns = (schema: string) =>
      old.prepare(`SELECT name FROM pragma_table_info('${table}', '${schema}')`).pluck().all() as string[];
    const kept = columns('main').filter(column => columns('present').includes(column));
    const where = table === 'schema_migrations' ? `WHERE version < ${NEWEST}` : '';
    old.exec(
      `INSERT INTO main.${table} (${kept.join()}) SELECT ${kept.join()} FROM present.${table} ${where}`,
    );
  }
  old.close();
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  renameSync(`${path}.old`, path);
  chmodSync(path, 0o600);
}

test('a database of the previous schema version is brought to the newest one, and people sign in as before', async () => {
  const own = copy();
  const first = await own.serve();
  const app = await appBy(args => own.json(args), 'Shop');
  const { user } = await enrolled({ base: first.base } as Running, app);
  await first.stop();

  const path = join(own.folder, 'data/face-sign-in.db');
  toFirstForm(join(own.folder, 'data'), [app.live.pk, app.live.sk, app.test.pk, app.test.sk]);
  takeBack(path);
  const version = async () =>
    /schema version (\d+ of \d+)/.exec(
      (await own.json(['doctor'])).checks.find(({ name }: Json) => name === 'database').detail,
    )?.[1];
  assert.is(await version(), `${PREVIOUS} of ${NEWEST}`);

  const server = await own.serve();
  assert.is((await match({ base: server.base } as Running, app)).json.user?.id, user.id);
  await server.stop();
  assert.is(await version(), `${NEWEST} of ${NEWEST}`);
  assert.ok((await own.json(['doctor'])).ok);
});

test.run();
