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
/** What follows each of the rest. */
const ROWS: Record<string, string[]> = {
  'app create': ['--name', 'Shop'],
  'app list': [],
  'app show': ['app_x'],
  'app update': ['app_x', '--name', 'Shop'],
  'app add-origin': ['app_x', 'https://a.example'],
  'app remove-origin': ['app_x', 'https://a.example'],
  'app delete': ['app_x', '--yes'],
  'app encoder show': ['--app', 'app_x', '--mode', 'live'],
  'app encoder set': ['--app', 'app_x', '--mode', 'live', '--encoder', 'one'],
  'app encoder reset': ['--app', 'app_x', '--mode', 'live'],
  'app export': ['app_x', join(tempFolder(), 'x.export')],
  'app import': [join(tempFolder(), 'x.export')],
  'app rekey': ['--all'],
  'key create': ['--app', 'app_x', '--type', 'secret', '--mode', 'live'],
  'key list': ['--app', 'app_x'],
  'key revoke': ['key_x'],
  'key roll': ['key_x', '--ends-in', '0'],
  'user list': ['--app', 'app_x'],
  'user show': ['usr_x'],
  'user export': ['usr_x'],
  'user delete': ['usr_x', '--yes'],
  'operator list': [],
  'operator link': [],
  'operator disable': ['ada@example.com'],
  'operator enable': ['ada@example.com'],
  'team list': [],
  'team create': ['--name', 'Shop'],
  audit: [],
  events: [],
  stats: [],
  backup: [join(tempFolder(), 'x.db')],
  'db copy': ['--to', 'postgres://nobody:x@127.0.0.1:1/none'],
  'job list': [],
  'job run': ['events'],
  'clock accept': [],
  'signing-key list': [],
  'signing-key rotate': [],
  'master-secret rotate': ['--yes'],
};

test('each command has a row here', () => {
  assert.equal(COMMANDS.map(({ name }) => name).toSorted(), [...OTHERS, ...Object.keys(ROWS)].toSorted());
});

test('each command says where it looked and what to do: exit 1, and no file is made', async () => {
  for (const [name, words] of Object.entries(ROWS)) {
    const args = [...name.split(' '), ...words];
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
