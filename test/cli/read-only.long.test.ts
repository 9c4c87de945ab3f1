/** A database that may only be read, and one that is damaged: one line for every command that needs it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertRefused, cli, json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { asNobody } from './nobody.ts';

const test = suite('cli: read-only');
/** What follows the commands that read or change people, apps and events. */
const ROWS: readonly string[][] = [
  ['app', 'list'],
  ['key', 'list', '--app', 'x'],
  ['user', 'list', '--app', 'x'],
  ['user', 'show', 'x'],
  ['user', 'export', 'x'],
  ['user', 'delete', 'x', '--yes'],
  ['events'],
  ['events', '--follow'],
  ['stats'],
  ['job', 'run', 'events'],
];

test('a database that this user may only read: one line that names the setting, exit 2', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Shop'], env);
  chmodSync(dirname(env.DATA_DIR), 0o755);
  chmodSync(env.DATA_DIR, 0o555);
  chmodSync(join(env.DATA_DIR, 'master.key'), 0o444);
  chmodSync(join(env.DATA_DIR, 'face-sign-in.db'), 0o444);
  await Promise.all(
    ROWS.map(async args => assertRefused(await cli(args, env, asNobody), 2, /DATA_DIR /, args.join(' '))),
  );
  chmodSync(env.DATA_DIR, 0o755);
});

test('a damaged database: one line', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Shop'], env);
  writeFileSync(join(env.DATA_DIR, 'face-sign-in.db'), 'this is not a database, but long enough '.repeat(50));
  for (const args of ROWS) assertRefused(await within(args, env), 2, /it is not a database/, args.join(' '));
});

test.run();
