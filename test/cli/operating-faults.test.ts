/**
 * What the domain refuses by field and code, as the command line spells it: the option, and the command that helps; exit 2
 * where the line has to be written anew, else exit 1. With --json the option is the field.
 */
import * as assert from 'uvu/assert';
import { json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: operating faults');
const env = { DATA_DIR: await madeDataDir() };
let id = '';

test.before(async () => {
  id = (await json(['app', 'create', '--name', 'Shop', '--origin', 'https://a.example'], env, within)).app.id;
});

type Row = readonly [args: readonly string[], code: number, line: string, field?: string];

async function allSpelled(rows: readonly Row[]): Promise<void> {
  for (const [args, code, line, field] of rows) {
    const plain = await within(args, env);
    assert.equal([plain.code, plain.stdout, plain.stderr], [code, '', `face-sign-in: ${line}\n`]);
    const { stderr } = await within([...args, '--json'], env);
    assert.equal(JSON.parse(stderr), { error: { message: line, ...(field && { field }) } });
  }
}

test('wrong fields: the option, and exit 2', () => {
  const create = ['app', 'create', '--name', 'Shop'];
  return allSpelled([
    [
      ['app', 'create', '--name=x '],
      2,
      '--name must be 1 to 100 characters, with no control, direction or zero-width characters, and no spaces around it',
      'name',
    ],
    [
      [...create, '--origin', 'https://b.example/'],
      2,
      '--origin "https://b.example/" is not a plain origin: write https://b.example',
      'origin',
    ],
    [
      [...create, '--plan', 'gold'],
      2,
      '--plan "gold" is not a plan: use one of free, standard, unlimited',
      'plan',
    ],
    [['events', '--cursor', 'x'], 2, '--cursor must be the next_cursor of a page of events', 'cursor'],
    [
      ['user', 'list', '--app', id, '--cursor', 'x'],
      2,
      '--cursor is not the next_cursor of a page of this app and mode',
      'cursor',
    ],
  ]);
});

test('what is not there: the command that shows what is, and exit 1', () => {
  const noApp = 'there is no app "app_x": "app list" shows them';
  const noUser = 'there is no user "usr_x": "user list --app ID" shows them';
  const inApp = ['--app', 'app_x', '--mode', 'live'];
  return allSpelled([
    [['app', 'show', 'app_x'], 1, noApp],
    [['app', 'rekey', '--app', 'app_x'], 1, noApp],
    [['app', 'encoder', 'show', ...inApp], 1, noApp],
    [['app', 'encoder', 'reset', ...inApp], 1, noApp],
    [['stats', '--app', 'app_x'], 1, noApp],
    [['user', 'list', '--app', 'app_x'], 1, noApp],
    [['user', 'list', ...inApp, '--email', 'ada@example.com'], 1, noApp],
    [['user', 'show', 'usr_x'], 1, noUser],
    [['user', 'delete', 'usr_x', '--yes'], 1, noUser],
    [['user', 'export', 'usr_x'], 1, noUser],
    [['key', 'revoke', 'key_x'], 1, 'there is no key "key_x": "key list --app ID" shows them'],
    [
      ['app', 'remove-origin', id, 'https://b.example'],
      1,
      `"https://b.example" is not an origin of ${id}, so nothing was removed: "app show ${id}" lists them`,
    ],
    [
      ['job', 'run', 'x'],
      2,
      'there is no job "x": use one of challenges, signing-key, tokens, data-keys, test-users, retention, events, audit',
    ],
  ]);
});

test('what must wait: how to make room, and exit 1', async () => {
  const create = ['key', 'create', '--app', id, '--type', 'secret', '--mode', 'live'];
  for (let made = 0; made < 3; made++) await json(create, env, within);
  const full = `the app's plan has no room for another live key: revoke one, or change the plan with "app update ${id} --plan P"`;
  await allSpelled([[create, 1, full]]);
  await json(['signing-key', 'rotate', '--now'], env, within);
  await json(['signing-key', 'rotate', '--now'], env, within);
  const { code, stderr } = await within(['signing-key', 'rotate'], env);
  assert.is(code, 1);
  assert.match(
    stderr,
    /^face-sign-in: two signing keys are published already: rotate again after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, when the older one has left, or use --revoke-old after a theft\n$/,
  );
});

test.run();
