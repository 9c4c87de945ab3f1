/** Where the database is kept by a server: what only files allow is refused by name, and nothing else is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { run } from '../../src/cli/run.ts';
import { environment, newDataDir } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: a database that is no file');

async function ran(argv: readonly string[]) {
  const printed: string[] = [];
  const refused: string[] = [];
  const DATA_DIR = newDataDir();
  const code = await run(argv, {
    env: environment({ DATA_DIR, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' }),
    print: line => printed.push(line),
    printError: line => refused.push(line),
  });
  assert.not.ok(existsSync(DATA_DIR), 'nothing was made');
  return { code, printed, refused };
}

test('backup, restore and the search for what is left of a user: exit 2, and the line names the command', async () => {
  const file = join(newDataDir(), 'file.db');
  const rows = [
    [['backup', file], 'backup'],
    [['restore', file], 'restore'],
    [['doctor', '--erasure', `usr_${'a'.repeat(24)}`], 'doctor --erasure'],
  ] as const;
  for (const [argv, name] of rows)
    assert.equal(await ran(argv), {
      code: 2,
      printed: [],
      refused: [
        `face-sign-in: "${name}" is not available here: the database is not a file on this machine but runs on a server. Use that server's own tools, such as pg_dump, and "after-restore" after a restore`,
      ],
    });
});

test.run();
