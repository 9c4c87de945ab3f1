/** Backups and restores that are refused: in one line that says why, and with every folder left as it was. */
import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { assertRefused, cli, json, madeDataDir, newDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: refused backups');
const first = { DATA_DIR: await madeDataDir() };
const sample = join(tempFolder(), 'sample.db');
test.before(async () => {
  await json(['app', 'create', '--name', 'Shop'], first, within);
  await json(['backup', sample], first, within);
});

const newBackup = () => join(tempFolder(), 'backup.db');

/** A folder with the master secret alone. */
function folderFor(): typeof first {
  const DATA_DIR = tempFolder();
  copyFileSync(join(first.DATA_DIR, 'master.key'), join(DATA_DIR, 'master.key'));
  return { DATA_DIR };
}

type Refusal = [
  what: string,
  code: number,
  line: RegExp,
  prepare: (given: {
    file: string;
    settings: ReturnType<typeof folderFor>;
  }) => { file?: string; more?: string[] } | undefined,
];
const refusals: Refusal[] = [
  [
    'a folder with a database',
    1,
    /face-sign-in\.db exists: restore needs a folder without a database/,
    ({ settings, file }) => {
      copyFileSync(file, join(settings.DATA_DIR, 'face-sign-in.db'));
      return undefined;
    },
  ],
  [
    'a folder with the log of a database',
    1,
    /face-sign-in\.db-wal exists/,
    ({ settings }) => {
      writeFileSync(join(settings.DATA_DIR, 'face-sign-in.db-wal'), '');
      return undefined;
    },
  ],
  [
    'a file that is not there',
    1,
    /there is no backup .*nothing\.db/,
    () => ({ file: '/nowhere/nothing.db' }),
  ],
  [
    'a file of something else',
    1,
    /is not a backup/,
    ({ settings }) => ({ file: join(settings.DATA_DIR, 'master.key') }),
  ],
  [
    'an empty file',
    1,
    /is not a backup/,
    ({ file }) => {
      truncateSync(file, 0);
      return undefined;
    },
  ],
  [
    'half a backup',
    1,
    /is damaged/,
    ({ file }) => {
      truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
      return undefined;
    },
  ],
  [
    'a database of another program',
    2,
    /no schema version .* of another program/,
    ({ file }) => {
      truncateSync(file, 0);
      const other = new Database(file);
      other.exec('CREATE TABLE t (x)');
      other.close();
      return undefined;
    },
  ],
  [
    'a backup of a newer program',
    2,
    /use a newer program/,
    ({ file }) => {
      const newer = new Database(file);
      newer.exec(`INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`);
      newer.close();
      return undefined;
    },
  ],
  [
    'another master secret',
    2,
    /was made with another master secret/,
    ({ settings }) => {
      writeFileSync(join(settings.DATA_DIR, 'master.key'), Buffer.alloc(32, 7).toString('base64url'));
      return undefined;
    },
  ],
  [
    'a journal that is not there',
    1,
    /there is no journal of erasures/,
    () => ({ more: ['--erasures', '/nowhere/x'] }),
  ],
  [
    'a journal that is none',
    1,
    /is not a journal of erasures/,
    ({ settings }) => ({ more: ['--erasures', join(settings.DATA_DIR, 'master.key')] }),
  ],
];
for (const [what, code, line, prepare] of refusals)
  test(`refused, and the folder stays as it was: ${what}`, async () => {
    const file = newBackup();
    copyFileSync(sample, file);
    const settings = folderFor();
    const changed = prepare({ file, settings });
    const before = readdirSync(settings.DATA_DIR);
    assertRefused(
      await within(['restore', changed?.file ?? file, ...(changed?.more ?? [])], settings),
      code,
      line,
    );
    assert.equal(readdirSync(settings.DATA_DIR), before);
  });

test('refused: no master secret at all', async () => {
  const settings = { ...first, DATA_DIR: tempFolder() };
  assertRefused(
    await cli(['restore', sample], settings),
    1,
    /the backup needs its master secret: .*MASTER_SECRET/,
  );
  assert.equal(readdirSync(settings.DATA_DIR), []);
});

test('a backup is refused over another file, without a database, and where it cannot be written', async () => {
  const file = sample;
  assertRefused(await cli(['backup', file], first), 1, /already exists/);
  const none = { ...first, DATA_DIR: newDataDir() };
  assertRefused(await cli(['backup', newBackup()], none), 1, /there is no database .* check DATA_DIR/);
  const folder = tempFolder();
  mkdirSync(join(folder, 'y'));
  assertRefused(
    await cli(['backup', join(file, 'beneath.db')], first),
    1,
    /cannot write the backup .*ENOTDIR/,
  );
  assertRefused(
    await cli(['backup', join(folder, 'none', 'x.db')], first),
    1,
    /cannot write the backup .*ENOENT/,
  );
  assert.equal(readdirSync(folder), ['y']);
  assertRefused(await cli(['backup'], first), 2, /use: backup FILE/);
});

test.run();
