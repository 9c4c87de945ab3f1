/** Backups and restores that are refused: in one line that says why, and with every folder left as it was. */
import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { assertRefused, cli, json, madeDataDir, tempFolder, within } from '../support/process.ts';
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

function alter(file: string, statement: string, empty = false): void {
  if (empty) truncateSync(file, 0);
  const database = new Database(file);
  database.exec(statement);
  database.close();
}

interface Given {
  file: string;
  settings: typeof first;
}
/** `prepare` spoils what is given, or says what is typed instead. */
type Refusal = [what: string, code: number, line: RegExp, prepare: (given: Given) => unknown];
const refusals: Refusal[] = [
  [
    'a folder with a database',
    1,
    /face-sign-in\.db exists: restore needs a folder without a database/,
    ({ settings, file }) => copyFileSync(file, join(settings.DATA_DIR, 'face-sign-in.db')),
  ],
  [
    'a folder with the log of a database',
    1,
    /face-sign-in\.db-wal exists/,
    ({ settings }) => writeFileSync(join(settings.DATA_DIR, 'face-sign-in.db-wal'), ''),
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
  ['an empty file', 1, /is not a backup/, ({ file }) => truncateSync(file, 0)],
  [
    'half a backup',
    1,
    /is damaged/,
    ({ file }) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
  ],
  [
    'a database of another program',
    2,
    /no schema version .* of another program/,
    ({ file }) => alter(file, 'CREATE TABLE t (x)', true),
  ],
  [
    'a backup of a newer program',
    2,
    /use a newer program/,
    ({ file }) => alter(file, `INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`),
  ],
  [
    'another master secret',
    2,
    /was made with another master secret/,
    ({ settings }) =>
      writeFileSync(join(settings.DATA_DIR, 'master.key'), Buffer.alloc(32, 7).toString('base64url')),
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
    const changed = prepare({ file, settings }) as { file?: string; more?: string[] } | undefined;
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
  const folder = tempFolder();
  mkdirSync(join(folder, 'y'));
  assertRefused(await cli(['backup', sample], first), 1, /already exists/);
  for (const [file, line] of [
    [join(sample, 'beneath.db'), /cannot write the backup .*ENOTDIR/],
    [join(folder, 'none', 'x.db'), /cannot write the backup .*ENOENT/],
  ] as const)
    assertRefused(await within(['backup', file], first), 1, line);
  assert.equal(readdirSync(folder), ['y']);
  assertRefused(await within(['backup'], first), 2, /use: backup FILE/);
});

test.run();
