/**
 * An import reads and writes in pages. On a server each statement is a round trip, so statements are counted by pages,
 * not by rows; on a file they are the same.
 */
import * as assert from 'uvu/assert';
import { type Sql, savepointsOn, type Value } from '../../src/adapters/sql/driver.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { erasureHash } from '../../src/adapters/sql/store/erasure.ts';
import { openContext } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { importApp } from '../../src/adapters/transfer/import-app.ts';
import { locationAt } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { fileOf, manyLines, PASSPHRASE } from './given.ts';

const test = suite('transfer: pages');
/** SQLite's limit; PostgreSQL's is 65,535. */
const MOST_VALUES = 32_766;

const imported = async (lines: readonly object[], open: Parameters<typeof importApp>[0]) =>
  importApp(open, {
    ...{ file: await fileOf(lines), passphrase: PASSPHRASE, checkOnly: false, newId: null, now: Date.now() },
    ...{ plan: 'free', firstParty: false, appFault: () => null },
  });

/** Of an import of so many users, with a template and an event each. */
async function statementsOf(count: number) {
  let statements = 0;
  let mostValues = 0;
  const noting =
    <Answer>(run: (text: string, ...values: Value[]) => Answer) =>
    (text: string, ...values: Value[]) => {
      statements += 1;
      mostValues = Math.max(mostValues, values.length);
      return run(text, ...values);
    };
  const counted = ({ get, all, run }: Sql) => {
    const sql = { get: noting(get), all: noting(all), run: noting(run) } as Sql;
    return { ...sql, unwatched: sql, attempt: savepointsOn(sql) };
  };
  await imported(manyLines(count, count), async () => {
    const context = await openContext(locationAt(tempFolder()), systemRandom());
    const { driver } = context;
    const read = counted(driver.read);
    const write: typeof driver.write = (scope, work) => driver.write(scope, sql => work(counted(sql)));
    return { ...context, driver: { ...driver, read, write } };
  });
  return { statements, mostValues };
}

test('a page takes a few statements, each with no more values than an engine takes', async () => {
  const [small, large] = [await statementsOf(500), await statementsOf(1_500)];
  const more = large.statements - small.statements;
  // 3,000 rows are 12 pages to write, and 6 to check.
  assert.ok(more <= 100, `${more} statements for 3,000 rows`);
  assert.ok(large.mostValues < MOST_VALUES, `${large.mostValues} values`);
});

test('who was erased here is left out of a page: their events stay without them, and are counted', async () => {
  const location = locationAt(tempFolder());
  const open = () => openContext(location, systemRandom());
  const lines = manyLines(3, 6).map(line =>
    'user_agent' in line ? { ...line, user_agent: 'Browser' } : line,
  );
  const [, gone] = lines as { id: string }[];
  const before = await open();
  await before.driver.write(ROWS, sql =>
    sql.run(
      'INSERT INTO erasures (hash, erased_at, journaled) VALUES ($1, 1, 1)',
      erasureHash(before.vault, String(gone?.id)),
    ),
  );
  await before.driver.close();
  const { users, templates, events, skippedErased } = await imported(lines, open);
  assert.equal(
    { users, templates, events, skippedErased },
    { users: 2, templates: 2, events: 6, skippedErased: 1 },
  );
  const { driver } = await open();
  const ids = async (text: string) => (await driver.read.all<{ id: string }>(text)).map(({ id }) => id);
  const kept = await ids('SELECT id FROM users ORDER BY id');
  assert.is(kept.length, 2);
  assert.not.ok(kept.includes(String(gone?.id)));
  assert.equal(await ids('SELECT user_id AS id FROM templates ORDER BY user_id'), kept);
  const stored = await driver.read.all(
    'SELECT user_id IS NULL AS anonymous, sealed IS NULL AS empty, COUNT(*) AS n FROM auth_events GROUP BY 1, 2',
  );
  assert.equal(
    stored.map(row => ({ ...(row as object) })),
    [
      { anonymous: 0, empty: 0, n: 4 },
      { anonymous: 1, empty: 1, n: 2 },
    ],
  );
  const days = await driver.read.all<{ n: number }>('SELECT type, count AS n FROM event_days ORDER BY type');
  assert.equal(
    days.map(({ n }) => n),
    [3, 3],
  );
  await driver.close();
});

test.run();
