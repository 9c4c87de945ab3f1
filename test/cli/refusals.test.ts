/**
 * What the command line does not take, as one table: one line that says what to write instead or which command helps,
 * with --json as one document; exit 2 where the line has to be written anew, else exit 1; and nothing happened.
 */
import * as assert from 'uvu/assert';
import { assertRefused, cli, json, madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: refusals');
const env = { DATA_DIR: await madeDataDir(), PORTAL_URL: 'https://portal.example' };
let id = '';

test.before(async () => {
  id = (await json(['app', 'create', '--name', 'Kept', '--origin', 'https://kept.example'], env)).app.id;
});

/** Of a text the whole line is meant. */
type Row = readonly [args: readonly string[], line: RegExp | string, field?: string];

/** The first row runs as a process. */
async function allRefused(code: number, rows: readonly Row[]): Promise<void> {
  const before = await within(['app', 'list', '--json'], env);
  for (const [index, [args, line, field]] of rows.entries()) {
    const what = JSON.stringify(args);
    const plain = await (index === 0 ? cli : within)(args, env);
    const message = plain.stderr.slice('face-sign-in: '.length, -1);
    assertRefused(plain, code, typeof line === 'string' ? /./ : line, what);
    if (typeof line === 'string') assert.is(message, line, what);
    const ran = await within([...args, '--json'], env);
    assert.equal([ran.code, ran.stdout], [code, ''], what);
    const { error } = JSON.parse(ran.stderr);
    // The line says of an unknown command all that was typed.
    assert.is(error.message.replace(' --json"', '"'), message, what);
    if (field) assert.is(error.field, field, what);
  }
  assert.equal(await within(['app', 'list', '--json'], env), before, 'nothing was made or changed');
}

test('unknown commands: the line says how to list those that exist, and what was meant', () =>
  allRefused(2, [
    [['frobnicate'], 'there is no command "frobnicate" ("help" lists all commands)'],
    [['app'], /no command "app" \("help app" lists those of "app"\)$/m],
    [['app', 'encoder'], /no command "app encoder".* \("help app encoder" lists those of "app encoder"\)$/m],
    [['app', 'rename', 'x'], /help app/],
    [['Serve'], /"Serve"/],
    [[''], /there is no command/],
    [['evnts'], /"evnts": did you mean "events"\? \("help" lists all commands\)$/m],
    [['user', 'lst'], /"user lst": did you mean "user list"\? \("help user" lists those of "user"\)$/m],
    [['usr', 'list'], /did you mean "user list"\?/],
    [['app', 'encoder', 'rest', '--app', id], /did you mean "app encoder reset"\?/],
    [['app', 'encodr', 'show'], /did you mean "app encoder show"\?/],
  ]));

test('unknown options, missing words and words too many: the line says how the command is written', () =>
  allRefused(2, [
    [['app', 'list', '--colour'], /'--colour'.*app list/],
    [['app', 'list', '--nmae', 'x'], /'--nmae'.*app list/],
    [['key', 'list', '--ap', 'x'], /did you mean --app\?/],
    [['app', 'list', '--jsno'], /'--jsno': did you mean --json\? Use: app list/],
    [['app', 'create', '--name', '--plan', 'free'], /--name.*app create --name N/],
    [['app', 'show'], /app show APP_ID/],
    [['app', 'show', id, id], /app show APP_ID/],
    [['app', 'update', '--name', 'x'], /app update APP_ID/],
    [['app', 'update', id], /nothing to change.*--name.*--plan or --team; use: app update APP_ID/],
    [['app', 'add-origin', id], /use: app \S+ APP_ID ORIGIN…/],
    [['app', 'remove-origin', id], /use: app \S+ APP_ID ORIGIN…/],
    [['app', 'delete', '--yes'], /app delete APP_ID/],
    [['app', 'create', '--name', 'x', '--first-party=yes'], /--first-party/],
    [['app', 'encoder', 'reset', '--erase-template'], /did you mean --erase-templates\?/],
    [['serve', 'now'], /serve/],
    [['key', 'revoke'], /key revoke KEY_ID/],
    [['user', 'export', 'a', 'b', 'c'], /use: user export USER_ID \[FILE\]/],
    [['signing-key', 'rotate', '--later'], /'--later'.*signing-key rotate/],
  ]));

test('options that are required, and those with few values', () => {
  const key = ['key', 'create', '--app', id];
  const encoder = ['app', 'encoder', 'set', '--app', id, '--mode', 'live'];
  const inApp = ['--app', id];
  const hook = ['webhook', 'create', ...inApp, '--mode', 'test', '--url', 'https://shop.example/'];
  return allRefused(2, [
    [['app', 'create'], /--name is required; use: app create --name N/],
    [['key', 'create', '--type', 'secret', '--mode', 'live'], /--app is required; use: key create --app ID/],
    [[...key, '--mode', 'live'], /--type is required/],
    [[...key, '--type', 'secret'], /--mode is required/],
    [
      [...key, '--type', 'public', '--mode', 'live'],
      /--type .*secret.*publishable.*"public"; use: key create/,
    ],
    [[...key, '--type', 'secret', '--mode', 'Live'], /--mode .*live.*test.*"Live"/],
    [['key', 'list'], /--app is required; use: key list --app ID/],
    [['app', 'delete', id], /--yes is required.*; use: app delete APP_ID --yes/],
    [['user', 'delete', 'usr_x'], /--yes is required.*; use: user delete USER_ID --yes/],
    [['app', 'encoder', 'show', '--mode', 'live'], /--app is required/],
    [['app', 'encoder', 'reset', '--app', id], /--mode is required/],
    [['app', 'encoder', 'reset', '--app', id, '--mode', 'both'], /--mode must be one of live, test/],
    [encoder, /--encoder is required/],
    [[...encoder, '--encoder', ''], /--encoder is required/],
    [[...encoder, '--encoder', 'é'], /--encoder must be 1 to 100 printable ASCII characters/],
    [
      ['user', 'list', '--app', 'x', '--mode', 'prod'],
      /--mode must be one of live, test, not "prod"; use: user/,
    ],
    [['user', 'list', '--app', id, '--contains', ''], /--contains must not be empty; use: user list/],
    [['webhook', 'create', ...inApp, '--mode', 'test'], /--url is required/],
    [[...hook, '--event', 'user.moved'], /--event must be one of \*, user\.enrolled, .*, not "user\.moved"/],
    [['webhook', 'list', ...inApp], /--mode is required/],
    [['webhook', 'update', 'wh_x'], /nothing to change.*--description, --enable or --disable; use:/],
    [['webhook', 'update', 'wh_x', '--enable', '--disable'], /give one of --enable or --disable; use:/],
    [['webhook', 'deliveries', 'wh_x', '--limit', '1001'], /--limit must be a whole number from 1 to 1,000/],
    [['webhook', 'replay', 'wh_x', '--since', 'x'], /--since must be ISO 8601/],
    [['webhook', 'delete', 'wh_x'], /--yes is required.*; use: webhook delete WEBHOOK_ID --yes/],
    [['webhook', 'listen', ...inApp, '--mode', 'test'], /--forward-to is required/],
    [['completion', 'tcsh'], /no script for "tcsh", only for bash, zsh; use/],
    [['events', '--since', 'x'], /--since must be ISO 8601/, 'since'],
    [['events', '--type', 'login'], /--type must be one of enroll, .*"login"/],
    [['events', '--limit', '0'], /--limit must be a whole number from 1/],
    [['events', '--follow', '--until', '1h'], /--follow has no end/],
    [['audit', '--follow', '--until', '2030-01-01'], /--follow has no end/],
    [['stats', '--month', '2026-13'], /--month/],
    [['stats', '--days', '401'], /--days/],
    [['stats', '--days', 'x'], /--days/],
    [['operator', 'link', 'ada'], /EMAIL must be one email address/],
    [['team', 'create'], /--name is required/],
    [['team', 'create', '--name=x '], /--name must be 1 to 100 characters/],
    [['app', 'rekey'], /give either --app ID or --all/],
    [['app', 'rekey', '--all', '--app', id], /either/],
  ]);
});

test('wrong fields: the option', () => {
  const create = ['app', 'create', '--name', 'Shop'];
  const inTest = ['--app', id, '--mode', 'test'];
  const hook = ['webhook', 'create', ...inTest, '--url', 'https://shop.example/'];
  return allRefused(2, [
    [
      ['app', 'create', '--name=x '],
      '--name must be 1 to 100 characters, with no control, direction or zero-width characters, and no spaces around it',
      'name',
    ],
    [
      ['key', 'create', '--app', id, '--type', 'secret', '--mode', 'test', '--label', 'Ti\u202ell'],
      /^face-sign-in: --label must be at most 100 characters, with no control, direction or zero-width characters/m,
    ],
    [
      [...create, '--origin', 'https://b.example/'],
      '--origin "https://b.example/" is not a plain origin: write https://b.example',
      'origin',
    ],
    [
      [...create, '--plan', 'gold'],
      '--plan "gold" is not a plan: use one of free, standard, unlimited',
      'plan',
    ],
    [['app', 'add-origin', id, 'https://c.example/'], /write https:\/\/c\.example$/m],
    [['webhook', 'create', ...inTest, '--url', 'http://1.1.1.1/'], /--url .*https/, 'url'],
    [['webhook', 'create', ...inTest, '--url', 'https://10.0.0.1/'], /--url .*10\.0\.0\.1/, 'url'],
    [['webhook', 'listen', ...inTest, '--forward-to', 'shop'], /--forward-to /, 'forward-to'],
    [
      [...hook, '--event', '*', '--event', 'user.deleted'],
      /^face-sign-in: --event must be \* alone, or types: user\.enrolled, /m,
      'event',
    ],
    [
      [...hook, '--description', 'a\u202eb'],
      /--description must not contain control, direction/,
      'description',
    ],
    [['events', '--cursor', 'x'], '--cursor must be the next_cursor of a page of events', 'cursor'],
    [
      ['user', 'list', '--app', id, '--cursor', 'x'],
      '--cursor is not the next_cursor of a page of this app and mode',
      'cursor',
    ],
    [
      ['job', 'run', 'x'],
      'there is no job "x": use one of challenges, signing-key, tokens, data-keys, outbox, test-users, retention, events, audit',
    ],
  ]);
});

test('names: 1 to 100 characters without control characters or spaces around', async () => {
  const bad = ['', ' x', 'x ', 'a\nb', 'a\tb', '\u007f', '\u0085', '🙂'.repeat(101)];
  await allRefused(
    2,
    bad.map(name => [
      ['app', name === '' ? 'create' : 'update', ...(name === '' ? [] : [id]), `--name=${name}`],
      /--name/,
    ]),
  );
  const longest = '🙂'.repeat(100);
  assert.is((await json(['app', 'update', id, '--name', longest], env)).app.name, longest);
});

test('origins: the line has the corrected form where there is one', () => {
  const rows: [string, RegExp][] = [
    ['https://a.example/', /write https:\/\/a\.example\n/],
    ['https://A.example', /write https:\/\/a\.example\n/],
    ['https://a.example:443', /write https:\/\/a\.example\n/],
    ['http://a.example:80/path?x#y', /write http:\/\/a\.example\n/],
    ['https://user@a.example', /write https:\/\/a\.example\n/],
    ['https://a.example\n', /write https:\/\/a\.example\n/],
    ['https://bücher.example', /write https:\/\/xn--bcher-kva\.example\n/],
    ['https://*.example', /wildcard/],
    ['*', /wildcard/],
    ['null', /not an origin.*https:\/\/a\.example/],
    ['a.example', /not an origin.*https:\/\/a\.example/],
    ['file:///x', /not an origin/],
    ['', /not an origin/],
  ];
  return allRefused(
    2,
    rows.map(([origin, line], i) => [
      i % 2 === 0
        ? ['app', 'create', '--name', 'x', `--origin=https://good.example`, `--origin=${origin}`]
        : ['app', 'update', id, `--origin=${origin}`],
      line,
    ]),
  );
});

test('what is not there: the command that shows what is', () => {
  const noApp = 'there is no app "app_x": "app list" shows them';
  const noUser = 'there is no user "usr_x": "user list --app ID" shows them';
  const inApp = ['--app', 'app_x', '--mode', 'live'];
  const noWebhook = 'there is no webhook "wh_x": "webhook list --app ID --mode M" shows them';
  const noOperator = /no such operator: "operator list" shows them/;
  return allRefused(1, [
    [['app', 'show', 'app_x'], noApp],
    [['app', 'update', 'app_x', '--name', 'x'], noApp],
    [['app', 'add-origin', 'app_x', 'https://a.example'], noApp],
    [['app', 'remove-origin', 'app_x', 'https://a.example'], noApp],
    [['app', 'delete', 'app_x', '--yes'], noApp],
    [['app', 'rekey', '--app', 'app_x'], noApp],
    [['app', 'encoder', 'show', ...inApp], noApp],
    [['app', 'encoder', 'set', ...inApp, '--encoder', 'x'], noApp],
    [['app', 'encoder', 'reset', ...inApp], noApp],
    [['app', 'encoder', 'reset', ...inApp, '--erase-templates', '--yes'], noApp],
    [['key', 'list', '--app', 'app_x'], noApp],
    [['key', 'create', ...inApp, '--type', 'secret'], noApp],
    [['stats', '--app', 'app_x'], noApp],
    [['user', 'list', '--app', 'app_x'], noApp],
    [['user', 'list', ...inApp, '--email', 'ada@example.com'], noApp],
    [['user', 'show', 'usr_x'], noUser],
    [['user', 'delete', 'usr_x', '--yes'], noUser],
    [['user', 'export', 'usr_x'], noUser],
    [['key', 'revoke', 'key_x'], 'there is no key "key_x": "key list --app ID" shows them'],
    [['webhook', 'list', ...inApp], noApp],
    [['webhook', 'listen', ...inApp, '--forward-to', 'http://127.0.0.1:9/'], noApp],
    [['webhook', 'test', 'wh_x'], noWebhook],
    [['webhook', 'delete', 'wh_x', '--yes'], noWebhook],
    [['operator', 'enable', 'x@example.com'], noOperator],
    [['operator', 'disable', 'x@example.com'], noOperator],
    [
      ['app', 'remove-origin', id, 'https://b.example'],
      `"https://b.example" is not an origin of ${id}, so nothing was removed: "app show ${id}" lists them`,
    ],
  ]);
});

test('what must wait: how to make room', async () => {
  const create = ['key', 'create', '--app', id, '--type', 'secret', '--mode', 'live'];
  for (let made = 0; made < 3; made++) await json(create, env, within);
  for (let made = 0; made < 2; made++) await json(['signing-key', 'rotate', '--now'], env, within);
  await allRefused(1, [
    [
      create,
      `the app's plan has no room for another live key: revoke one, or change the plan with "app update ${id} --plan P"`,
    ],
    [
      ['signing-key', 'rotate'],
      /^face-sign-in: two signing keys are published already: rotate again after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, when the older one has left, or use --revoke-old after a theft\n$/,
    ],
  ]);
});

test.run();
