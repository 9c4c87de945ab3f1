/** What opening a database or backup does to files: nothing before they are known to fit. */
import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { fileIdOf } from '../../src/adapters/journal/files.ts';
import { distrustSchema } from '../../src/adapters/sqlite/distrust-schema.ts';
import { makeDatabase } from '../../src/adapters/sqlite/new-database.ts';
import { fileUpkeep } from '../../src/adapters/sqlite/upkeep.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt, openAt } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('opening');

const sample = tempFolder();
const backup = join(tempFolder(), 'backup.db');
test.before(async () => {
  await (await openAt(sample)).close();
  await fileUpkeep(locationAt(sample), systemRandom()).backUp(backup, () => undefined);
});

/** A folder with the master secret, and with the database if wanted. */
function folder(withDatabase = true): string {
  const made = tempFolder();
  const [from, to] = [locationAt(sample), locationAt(made)];
  copyFileSync(from.masterSecretFile, to.masterSecretFile);
  if (withDatabase) copyFileSync(from.path, to.path);
  return made;
}

/** Names and contents of all files. */
const contentsOf = (place: string) =>
  readdirSync(place)
    .sort()
    .map(name => [name, readFileSync(join(place, name)).toString('base64')]);

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error('was not refused'),
    (error: Error) => error,
  );

const restoreTo = (place: string, erasures: string) =>
  fileUpkeep(locationAt(place), systemRandom()).restore({
    backup,
    erasures,
    acceptGap: true,
    now: Date.now(),
    onProgress: () => undefined,
  });

for (const [what, witness] of [
  ['its master secret', 'master.key'],
  ['a journal of erasures', 'erasures.jsonl'],
  ['a log with data', 'contract.db-wal'],
] as const)
  test(`an empty database beside ${what} is refused and stays as it was`, async () => {
    const place = tempFolder();
    const { path } = locationAt(place);
    writeFileSync(path, '');
    writeFileSync(join(place, witness), 'x');
    const before = contentsOf(place);
    const error = await faultOf(openAt(place));
    assert.instance(error, StoreMisfit, `${error}`);
    assert.is(
      error.message,
      `the database ${path} is empty, but ${join(place, witness)} exists, so its data was lost: move the empty file away and restore a backup, or remove it to start without data`,
    );
    assert.equal(contentsOf(place), before);
  });

test('a database is never a file of no bytes, also if the first start ends before it has written anything', async () => {
  const place = folder(false);
  const { path } = locationAt(place);
  makeDatabase(path);
  assert.equal(readdirSync(place), ['contract.db', 'master.key']);
  assert.ok(statSync(path).size > 0);
  assert.is(statSync(path).mode & 0o777, 0o600);
  const id = fileIdOf(path);
  makeDatabase(path);
  assert.is(fileIdOf(path), id);
  await (await openAt(place)).close();
});

test('a refused database keeps its bytes, and so does the log that a crash has left beside it', async () => {
  const place = folder();
  const { path } = locationAt(place);
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE VIEW v AS SELECT 1');
  const crashed = folder(false);
  for (const end of ['', '-wal', '-shm']) copyFileSync(path + end, locationAt(crashed).path + end);
  database.close();
  const names = readdirSync(crashed);
  const bytes = () =>
    ['', '-wal'].map(end => readFileSync(locationAt(crashed).path + end).toString('base64'));
  const before = bytes();
  assert.match((await faultOf(openAt(crashed))).message, /contains view "v"/);
  assert.equal(readdirSync(crashed), names);
  assert.equal(bytes(), before);
});

for (const [what, prepare] of [
  ['as a backup is written', () => undefined],
  ['with an empty log', (file: string) => writeFileSync(`${file}-wal`, '')],
  ['in WAL mode', (file: string) => wal(file)],
  [
    'in WAL mode, with an empty log',
    (file: string) => {
      wal(file);
      writeFileSync(`${file}-wal`, '');
    },
  ],
] as const)
  test(`--erasures FILE, ${what}: neither it nor what is beside it changes`, async () => {
    const place = tempFolder();
    const file = join(place, 'later.db');
    copyFileSync(backup, file);
    prepare(file);
    const before = contentsOf(place);
    assert.is((await restoreTo(folder(false), file)).erasedAgain, 0);
    assert.equal(contentsOf(place), before);
  });

function wal(file: string): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.close();
}

test('--erasures FILE with a log that a crash has left: what is in the log counts', async () => {
  const place = tempFolder();
  const file = join(place, 'later.db');
  copyFileSync(backup, file);
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec("INSERT INTO erasures VALUES ('in the log', 1, 0)");
  const crashed = join(tempFolder(), 'later.db');
  for (const end of ['', '-wal']) copyFileSync(file + end, crashed + end);
  database.close();
  const to = folder(false);
  await restoreTo(to, crashed);
  assert.match(readFileSync(locationAt(to).erasuresFile, 'utf8'), /in the log/);
});

test('what a schema contains calls no function that does more than compute', () => {
  const database = distrustSchema(new Database(':memory:'));
  database.function('reach', { directOnly: false }, () => 1);
  database.exec('CREATE VIEW v AS SELECT reach()');
  assert.throws(() => database.prepare('SELECT * FROM v').get(), /unsafe use of reach/);
  database.close();
});

test('a truncated database is refused by its name', async () => {
  const place = folder();
  truncateSync(locationAt(place).path, 0);
  assert.match((await faultOf(openAt(place))).message, /is empty, but .*master\.key exists/);
});

test.run();
