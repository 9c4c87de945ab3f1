/** Whatever opens a database or backup asks the same question: which schema is this? One answer, one clear message. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { type Migration, migrations } from '../../src/adapters/sql/migrations.ts';
import { type Schema, schemaOf } from '../../src/adapters/sql/schema.ts';
import { fileUpkeep } from '../../src/adapters/sqlite/upkeep.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt, openAt } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';

const test = suite('schema');
const newFolder = () => mkdtempSync(join(tmpdir(), 'face-sign-in-schema-'));
const sample = newFolder();
test.before(async () => (await openAt(sample)).close());

const KNOWN = ['one', 'two'].map((name, at): Migration => ({ number: at + 1, name, text: () => '' }));
const answers: [Schema, string, [number, string][]][] = [
  ['none', 'no rows', []],
  ['fits', 'an older release', [[1, 'one']]],
  [
    'fits',
    'this release',
    [
      [1, 'one'],
      [2, 'two'],
    ],
  ],
  [
    'newer',
    'a later release',
    [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ],
  ],
  ['development', 'another name', [[1, 'other']]],
  [
    'development',
    'another name after a known one',
    [
      [1, 'one'],
      [2, 'other'],
    ],
  ],
  [
    'development',
    'other names, and more of them',
    [
      [1, 'other'],
      [2, 'two'],
      [3, 'three'],
    ],
  ],
  [
    'development',
    'a gap',
    [
      [1, 'one'],
      [3, 'two'],
    ],
  ],
  ['development', 'no beginning', [[2, 'two']]],
];
for (const [schema, what, rows] of answers)
  test(`${what}: ${schema}`, () => {
    const applied = rows.map(([version, name]) => ({ version, name }));
    assert.is(schemaOf(applied, KNOWN), schema);
  });

const DEVELOPMENT =
  /was created by a development version before the first release, which no release can read: /;
const NONE = /has no schema version \(its table schema_migrations is missing or empty\)/;
const NEWER = /has schema version 9999, but this program knows only \d+: use a newer program$/;
const UNDO = /: undo that change if you made it, otherwise restore a backup that only you can write to$/;
const CHOOSE = /: choose a backup that only you can write to$/;
const contains = (what: string) =>
  new RegExp(`contains ${what}, which is not from this program or was altered: `);
const BRING_BACK = 'AFTER INSERT ON erasures BEGIN DELETE FROM erasures; END';
/** The bytes of a file are anybody's: SQLite itself would refuse such a name. */
const RESERVED = `CREATE TRIGGER reserved ${BRING_BACK}; PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET name = 'sqlite_x', sql = replace(sql, 'reserved', 'sqlite_x') WHERE name = 'reserved'`;
const NEWER_ROW = "INSERT INTO schema_migrations VALUES (9999, 'later')";
const misfits: [what: string, sql: string, reason: RegExp, fix: RegExp, fixOfBackup: RegExp][] = [
  [
    'of a development version with as many migrations',
    "UPDATE schema_migrations SET name = '001-other.sql'",
    DEVELOPMENT,
    /: start with an empty DATA_DIR$/,
    /: choose a file that "backup" of a release has made$/,
  ],
  [
    'of a development version with more migrations',
    "UPDATE schema_migrations SET name = '001-other.sql'; INSERT INTO schema_migrations VALUES (9999, 'more')",
    DEVELOPMENT,
    /: start with an empty DATA_DIR$/,
    /: choose a file that "backup" of a release has made$/,
  ],
  ['of a newer program', "INSERT INTO schema_migrations VALUES (9999, 'later')", NEWER, NEWER, NEWER],
  [
    'whose schema_migrations is empty',
    'DELETE FROM schema_migrations',
    NONE,
    /: check DATA_DIR, or restore a backup$/,
    /: choose a file that "backup" of a release has made$/,
  ],
  [
    'without schema_migrations',
    'DROP TABLE schema_migrations',
    NONE,
    /: check DATA_DIR, or restore a backup$/,
    /: choose a file that "backup" of a release has made$/,
  ],
  ['with a trigger', `CREATE TRIGGER "x y" ${BRING_BACK}`, contains('trigger "x y"'), UNDO, CHOOSE],
  ['with a trigger of a reserved name', RESERVED, contains('trigger "sqlite_x"'), UNDO, CHOOSE],
  ['with a view', 'CREATE VIEW v AS SELECT 1', contains('view "v"'), UNDO, CHOOSE],
  ['with an index', 'CREATE UNIQUE INDEX i ON users (created_at)', contains('index "i"'), UNDO, CHOOSE],
  ['with a table', 'CREATE TABLE t (x)', contains('table "t"'), UNDO, CHOOSE],
  [
    'with another column',
    'ALTER TABLE erasures ADD COLUMN x TEXT',
    contains('table "erasures"'),
    UNDO,
    CHOOSE,
  ],
  [
    'without an index',
    'DROP INDEX api_keys_by_app',
    /lacks index "api_keys_by_app", so it was altered: /,
    UNDO,
    CHOOSE,
  ],
  [
    'whose schema_migrations is a view',
    `CREATE TABLE t AS SELECT * FROM schema_migrations; DROP TABLE schema_migrations;
     CREATE VIEW schema_migrations AS SELECT * FROM t`,
    NONE,
    /: check DATA_DIR, or restore a backup$/,
    /: choose a file that "backup" of a release has made$/,
  ],
];

/** A data folder whose database the SQL has changed. */
function spoilt(sql: string) {
  const folder = newFolder();
  const { path, masterSecretFile } = locationAt(folder);
  copyFileSync(locationAt(sample).path, path);
  copyFileSync(locationAt(sample).masterSecretFile, masterSecretFile);
  const database = new Database(path);
  database.unsafeMode();
  database.exec(sql);
  // The start would change the file at once.
  database.pragma('journal_mode = DELETE');
  database.close();
  return { folder, path, upkeep: fileUpkeep(locationAt(folder), systemRandom()) };
}

const request = (backup: string, erasures: string | null = null) => ({
  backup,
  erasures,
  acceptGap: true,
  now: Date.now(),
  onProgress: () => undefined,
});

/** An empty data folder with the master secret, to restore to. */
function target() {
  const folder = newFolder();
  copyFileSync(locationAt(sample).masterSecretFile, locationAt(folder).masterSecretFile);
  return { folder, upkeep: fileUpkeep(locationAt(folder), systemRandom()) };
}

async function refusalOf(work: Promise<unknown>, file: string, ...says: RegExp[]): Promise<void> {
  const error = await work.then(
    () => new Error('was not refused'),
    (thrown: Error) => thrown,
  );
  assert.instance(error, StoreMisfit, `${error}`);
  assertSays(error.message, file, says);
}

function assertSays(message: string, file: string, says: RegExp[]): void {
  assert.ok(message.startsWith(`${file} `), message);
  assert.is(message.split(file).length, 2, 'one message');
  for (const each of says) assert.match(message, each);
}

for (const [what, sql, reason, fix, fixOfBackup] of misfits) {
  test(`a database ${what}: the start refuses it, and it stays as it was`, async () => {
    const { folder, path } = spoilt(sql);
    const before = readFileSync(path);
    await refusalOf(openAt(folder), path, reason, fix);
    assert.ok(readFileSync(path).equals(before));
  });

  test(`a database ${what}: doctor explains it once, and takes nothing for altered`, async () => {
    const { path, upkeep } = spoilt(sql);
    const { database, secret, dataKeys, sealed, audit } = await upkeep.examine();
    assert.is(database.ok, false);
    assertSays(database.detail, path, [reason, fix]);
    const unchecked = { ok: false, detail: 'not checked: the database does not fit this program' };
    assert.equal([secret, dataKeys, sealed, audit], Array(4).fill(unchecked));
  });

  test(`a database ${what}: there is no backup of it`, async () => {
    const { folder, path, upkeep } = spoilt(sql);
    const before = readdirSync(folder);
    await refusalOf(
      upkeep.backUp(join(folder, 'backup.db'), () => undefined),
      path,
      reason,
      fix,
    );
    assert.equal(readdirSync(folder), before);
  });

  test(`a backup ${what}: restore refuses it by its name, and the folder stays as it was`, async () => {
    const { path } = spoilt(sql);
    const { folder, upkeep } = target();
    await refusalOf(upkeep.restore(request(path)), path, reason, fixOfBackup);
    assert.equal(readdirSync(folder), ['master.key']);
  });

  test(`a backup ${what} as --erasures: refused by its name, unless it is of a newer program`, async () => {
    const { path } = spoilt(sql);
    const restoring = target().upkeep.restore(request(locationAt(sample).path, path));
    if (reason === NEWER) assert.is((await restoring).erasedAgain, 0);
    else await refusalOf(restoring, path, reason, fixOfBackup);
  });
}

test('a newer backup as --erasures may have triggers, but is refused if its erasures are computed', async () => {
  const restoring = (sql: string) => {
    const { path } = spoilt(`${NEWER_ROW}; ${sql}`);
    return { path, done: target().upkeep.restore(request(locationAt(sample).path, path)) };
  };
  assert.is((await restoring(`CREATE TRIGGER later ${BRING_BACK}`).done).erasedAgain, 0);
  for (const [sql, what] of [
    ['DROP TABLE erasures; CREATE VIEW erasures AS SELECT 1 AS hash, 1 AS erased_at', 'view "erasures"'],
    ['CREATE VIRTUAL TABLE v USING fts5(x)', 'table "v"'],
  ] as const) {
    const { path, done } = restoring(sql);
    await refusalOf(done, path, new RegExp(`contains ${what}, from which no erasures are read: `), CHOOSE);
  }
});

test('a database with the statistics of ANALYZE fits', async () => {
  const { folder } = spoilt('ANALYZE');
  await (await openAt(folder)).close();
});

test('migrations are numbered without a gap: their number is compared with how many there are', () => {
  assert.equal(
    migrations().map(({ number }) => number),
    migrations().map((_, i) => i + 1),
  );
});

test.run();
