/** A command in a wrong folder: one line with the path and the fix, and nothing is left behind. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Json } from '../support/client.ts';
import { assertRefused, cli, newDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: no database');
const SECRET = Buffer.alloc(32, 7).toString('base64url');

/** These make a database, or need none. */
const OTHERS = [
  ...['serve', 'demo', 'restore', 'after-restore'],
  ...[
    'health',
    'doctor',
    'calibrate',
    'completion',
    'encoder mobilefacenet',
    'sdk',
    'mail test',
    'master-secret destroy-old',
  ],
];
/** The rest are typed like their first example; these write, or read, a file of this machine. */
const FILES: Record<string, string> = {
  'app export': `app_x ${join(tempFolder(), 'x.export')}`,
  'app import': join(tempFolder(), 'x.export'),
  backup: join(tempFolder(), 'x.db'),
  'db copy': '--to postgres://nobody:x@127.0.0.1:1/none',
};
const ROWS = COMMANDS.filter(({ name }) => !OTHERS.includes(name)).map(({ name, examples }) => ({
  name,
  args: (name in FILES ? `${name} ${FILES[name]}` : examples[0]).split(' '),
}));

test('each command says where it looked and what to do: exit 1, and no file is made', async () => {
  assert.ok(ROWS.length > 30);
  for (const { name, args } of ROWS) {
    for (const secret of [{}, { MASTER_SECRET: SECRET, NEW_MASTER_SECRET: `A${SECRET.slice(1)}` }]) {
      const env = { EXPORT_PASSPHRASE: 'four words are enough', ...secret, DATA_DIR: newDataDir() };
      const line = /there is no database \/\S+face-sign-in\.db.*check DATA_DIR/;
      assertRefused(await within(args, env), 1, line, name);
      assert.not.ok(existsSync(env.DATA_DIR), name);
      const there = { ...env, DATA_DIR: tempFolder() };
      writeFileSync(join(there.DATA_DIR, 'notes.txt'), 'mine');
      assertRefused(await within(args, there), 1, line, name);
      assert.equal(readdirSync(there.DATA_DIR), ['notes.txt'], name);
    }
  }
});

test('so does the program itself', async () => {
  const DATA_DIR = newDataDir();
  assertRefused(await cli(['app', 'list'], { DATA_DIR }), 1, /there is no database /);
  assert.not.ok(existsSync(DATA_DIR));
});

test('doctor reports it as a failed check, and makes nothing', async () => {
  const DATA_DIR = newDataDir();
  const ran = await within(['doctor', '--json'], { DATA_DIR });
  assert.is(ran.code, 1);
  const { ok, checks } = JSON.parse(ran.stdout);
  const database = checks.find(({ name }: Json) => name === 'database');
  assert.equal([ok, database.ok], [false, false]);
  assert.match(database.detail, /there is no database \/\S+: start the service once, or check DATA_DIR/);
  assert.not.ok(existsSync(DATA_DIR));
});

test.run();
