/** Never two restores at once in a folder: one could publish the draft of the other before anybody is erased from it. */
import { fork } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { fileIdOf, publish } from '../../src/adapters/journal/files.ts';
import { lockBriefly, lockFile } from '../../src/adapters/journal/instance-lock.ts';
import { fileUpkeep } from '../../src/adapters/sqlite/upkeep.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { locationAt, openAt } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('one restore');

const sample = tempFolder();
const backup = join(tempFolder(), 'backup.db');
test.before(async () => {
  await (await openAt(sample)).close();
  await fileUpkeep(locationAt(sample), systemRandom()).backUp(backup, () => undefined);
});

/** A folder with the master secret alone. */
function folder(): string {
  const made = tempFolder();
  copyFileSync(locationAt(sample).masterSecretFile, locationAt(made).masterSecretFile);
  return made;
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error('was not refused'),
    (error: Error) => error,
  );

const restoreTo = (place: string, onProgress: (step: string) => void) =>
  fileUpkeep(locationAt(place), systemRandom()).restore({
    backup,
    erasures: null,
    acceptGap: true,
    now: Date.now(),
    onProgress,
  });

test('of two restores at once into a folder one is refused, and the other is whole', async () => {
  const place = folder();
  let second: Promise<Error> | null = null;
  await restoreTo(place, () => {
    second ??= faultOf(restoreTo(place, () => undefined));
  });
  assert.match(
    `${await second}`,
    /a server or another restore uses .*contract\.db: stop the server, or wait/,
  );
  assert.equal(readdirSync(place).sort(), ['contract.db', 'master.key']);
  await (await openAt(place)).close();
});

test('a restore is refused while a server holds the lock, and leaves the lock alone', async () => {
  const place = folder();
  const lock = `${locationAt(place).path}.lock`;
  const release = lockFile(lock);
  assert.match(`${await faultOf(restoreTo(place, () => undefined))}`, /a server or another restore uses/);
  assert.ok(existsSync(lock));
  release?.();
  await restoreTo(place, () => undefined);
  assert.ok(existsSync(lock), 'it was there before');
});

test('a lock that is removed on release is never held twice, however many processes take it', async () => {
  const file = join(tempFolder(), 'x.lock');
  const release = lockBriefly(file);
  assert.is(lockFile(file), null);
  release?.();
  assert.not.ok(existsSync(file));
  const answers = Array.from({ length: 4 }, () => {
    const child = fork(join(import.meta.dirname, 'lock-taker.ts'), [file, '150']);
    return new Promise(done => child.on('exit', done));
  });
  assert.equal(await Promise.all(answers), [0, 0, 0, 0]);
});

test('a lock whose file is removed while it is taken counts as held', () => {
  const file = join(tempFolder(), 'x.lock');
  const { exec } = Database.prototype;
  Database.prototype.exec = function (sql) {
    const answer = exec.call(this, sql);
    // Before that, SQLite itself sees it.
    rmSync(file);
    return answer;
  };
  try {
    assert.is(lockFile(file), null);
  } finally {
    Database.prototype.exec = exec;
  }
});

test('only the file that this process has made is published', () => {
  const place = tempFolder();
  const [draft, own, file] = ['draft', 'own', 'file'].map(name => join(place, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(draft, 'own');
  const id = fileIdOf(draft);
  renameSync(draft, own);
  assert.throws(() => publish(draft, file, id), /has removed or replaced .*draft: run this command again/);
  writeFileSync(draft, 'foreign');
  assert.throws(() => publish(draft, file, id), /has removed or replaced .*draft: run this command again/);
  assert.not.ok(existsSync(file));
  rmSync(draft);
  linkSync(own, draft);
  publish(draft, file, id);
  assert.is(readFileSync(file, 'utf8'), 'own');
});

test.run();
