/** Every command with --json: exactly one JSON document on stdout, nothing else, and errors as one on stderr. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../src/cli/commands.ts';
import { enrolled, type Json } from '../support/client.ts';
import { easyFaces, textOfLines } from '../support/labelled.ts';
import { addOperator } from '../support/operator.ts';
import {
  cli,
  environment,
  json,
  newDataDir,
  ROOT,
  type Server,
  serve,
  tempFolder,
  within,
} from '../support/process.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Receiver, receiver } from '../webhooks/receivers.ts';
import { type CommandLineApp, newApp } from './test-app.ts';

const test = suite('cli: --json');
const env = { DATA_DIR: newDataDir() };
const folder = tempFolder();
const second = { DATA_DIR: join(folder, 'restored') };
const backup = join(folder, 'backup.db');
const labelled = join(folder, 'faces.jsonl');
const exported = join(folder, 'shop.age');
const EXPORT_PASSPHRASE = 'four words are enough';
let server: Server;
let app: CommandLineApp;
let user: Json;
let shop: Receiver;
let hook: string;
const inTest = () => ['--app', app.id, '--mode', 'test'];

test.before(async () => {
  server = await serve(env);
  app = await newApp(env, 'Shop');
  user = (await enrolled({ base: server.base } as Running, app)).user;
  await addOperator(env, 'support@example.com');
  shop = await receiver();
  hook = (await json(['webhook', 'create', ...inTest(), '--url', shop.url], env, within)).webhook.id;
  writeFileSync(labelled, textOfLines(easyFaces(4, 2)));
  mkdirSync(second.DATA_DIR);
  copyFileSync(join(env.DATA_DIR, 'master.key'), join(second.DATA_DIR, 'master.key'));
});
test.after(async () => {
  await shop?.close();
  await server?.stop();
});

type Call = [words: string[], fields: string[], env?: object];

/** These have tests of their own: below, test/cli/encoder.test.ts and test/cli/webhook-listen.test.ts. */
const ELSEWHERE = ['serve', 'encoder mobilefacenet', 'after-restore', 'db copy', 'webhook listen'];

/** Of which nothing else than the entry's own part could print more. */
const PROCESSES = ['demo', 'app list', 'events', 'health', 'backup', 'restore', 'calibrate'];

/** Command → what follows it, and the fields of its document. In this order. */
const CALLS: Record<string, () => Call> = {
  demo: () => [[], ['address', 'steps'], { PORT: new URL(server.base).port }],
  'app create': () => [['--name', 'Second'], ['app']],
  'app list': () => [[], ['apps']],
  'app show': () => [[app.id], ['app']],
  'app update': () => [[app.id, '--name', 'Shop two'], ['app']],
  'app add-origin': () => [[app.id, 'https://more.example'], ['app']],
  'app remove-origin': () => [[app.id, 'https://more.example'], ['app']],
  'key create': () => [
    ['--app', app.id, '--type', 'secret', '--mode', 'test'],
    ['id', 'key', 'type', 'mode', 'app_id', 'last4', 'created_at'],
  ],
  'key list': () => [['--app', app.id], ['keys']],
  'key roll': () => [
    [Object.values(app.keyIds)[1] as string],
    ['id', 'key', 'type', 'mode', 'app_id', 'last4', 'created_at', 'old'],
  ],
  'key revoke': () => [[Object.values(app.keyIds)[0] as string], ['revoked']],
  'webhook create': () => [
    [...inTest(), '--url', shop.url],
    ['webhook', 'secret'],
  ],
  'webhook list': () => [inTest(), ['webhooks']],
  'webhook update': () => [[hook, '--event', 'user.deleted', '--enable'], ['webhook']],
  'webhook roll': () => [[hook], ['webhook', 'secret']],
  'webhook test': () => [[hook], ['delivery']],
  'webhook deliveries': () => [[hook, '--failed'], ['deliveries']],
  'webhook replay': () => [[hook, '--since', '1h'], ['replayed']],
  'webhook delete': () => [[hook, '--yes'], ['deleted']],
  'user list': () => [
    ['--app', app.id],
    ['users', 'next_cursor'],
  ],
  'user show': () => [[user.id], ['user']],
  'user export': () => [
    [user.id, join(folder, 'user.json')],
    ['file', 'bytes'],
  ],
  'user delete': () => [[user.id, '--yes'], ['deleted']],
  events: () => [[], ['events', 'next_cursor']],
  stats: () => [[], ['month', 'database', 'total', 'apps', 'erased_apps']],
  health: () => [
    [],
    [
      'status',
      'db',
      'version',
      'draining',
      'problems',
      'database',
      'matcher',
      'galleries',
      'apps',
      'jobs',
      'mail',
      'signing_key',
      'erasures',
      'nodes',
    ],
    { PORTAL_PORT: new URL(server.portal).port },
  ],
  doctor: () => [[], ['ok', 'checks']],
  'mail test': () => [['ada@example.com'], ['sent'], { MAIL_URL: 'file:mail' }],
  backup: () => [[backup], ['file', 'bytes']],
  restore: () => [[backup, '--accept-gap'], ['restored'], second],
  'job list': () => [[], ['jobs']],
  'job run': () => [['events'], ['job', 'affected']],
  'operator list': () => [[], ['operators']],
  'operator link': () => [['--admin'], ['link'], { PORTAL_PORT: '8081' }],
  'operator disable': () => [['support@example.com'], ['operator']],
  'operator enable': () => [['support@example.com'], ['operator']],
  'team list': () => [[], ['teams']],
  'team create': () => [['--name', 'Shop'], ['team']],
  audit: () => [[], ['entries']],
  'clock accept': () => [[], ['accepted', 'known_time', 'was']],
  'signing-key list': () => [[], ['keys']],
  'signing-key rotate': () => [[], ['kid']],
  calibrate: () => [[labelled], []],
  completion: () => [['bash'], ['shell', 'script']],
  sdk: () => [[join(folder, 'sdk')], ['version', 'files', 'install', 'script']],
  'app encoder show': () => [
    ['--app', app.id, '--mode', 'test'],
    ['app_id', 'mode', 'encoder', 'users', 'templates'],
  ],
  'app encoder set': () => [
    ['--app', app.id, '--mode', 'test', '--encoder', 'mobilefacenet-1'],
    ['app_id', 'mode', 'encoder', 'previous', 'users', 'templates'],
  ],
  'app encoder reset': () => [
    ['--app', app.id, '--mode', 'test'],
    ['app_id', 'mode', 'encoder', 'previous', 'erased_templates', 'users', 'templates'],
  ],
  'app rekey': () => [['--app', app.id], ['rekeyed']],
  'app export': () => [
    [app.id, exported],
    ['file', 'bytes', 'users', 'templates', 'usage', 'events', 'unreadable', 'altered'],
    { EXPORT_PASSPHRASE },
  ],
  'app import': () => [
    [exported, '--as-new', '--check'],
    [
      ...['app', 'users', 'templates', 'usage', 'events', 'skipped_erased', 'checked_only'],
      ...['name', 'allowed_origins', 'plan', 'first_party', 'in_file'],
    ],
    { EXPORT_PASSPHRASE, ...second },
  ],
  'master-secret rotate': () => [['--yes'], ['rotated', 'keys', 'file', 'old']],
  'master-secret destroy-old': () => [['--yes'], ['destroyed', 'file']],
  'app delete': () => [[app.id, '--yes'], ['deleted']],
};

test('each command has a row here', () => {
  const names = COMMANDS.map(({ name }) => name).filter(name => !ELSEWHERE.includes(name));
  assert.equal(names.toSorted(), Object.keys(CALLS).toSorted());
});

for (const [name, call] of Object.entries(CALLS))
  test(`${name}: one document with the fields of its kind`, async () => {
    const [words, fields, more] = call();
    const how = PROCESSES.includes(name) ? cli : within;
    const ran = await how([...name.split(' '), ...words, '--json'], { ...env, ...more });
    // A restore lists the operators there, for people.
    assert.equal([ran.code, name === 'restore' ? '' : ran.stderr], [0, '']);
    const document = JSON.parse(ran.stdout);
    if (fields.length > 0) assert.equal(Object.keys(document), fields);
  });

test('serve: one document when it is ready, the log on stderr, and the same end', async () => {
  const settings = { DATA_DIR: newDataDir(), DEMO: 'on' };
  const child = spawn(process.execPath, ['src/main.ts', 'serve', '--json'], {
    cwd: ROOT,
    env: environment(settings),
  });
  const closed = once(child, 'close');
  try {
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', part => {
        printed[name] += part;
      });
    for (let i = 0; i < 400 && !printed.stdout.endsWith('}\n'); i++) await delay(50);
    const ready = JSON.parse(printed.stdout);
    assert.equal(Object.keys(ready), [
      ...['version', 'pid', 'api', 'portal', 'issuer', 'data_dir', 'apps', 'demo', 'stray_plans'],
    ]);
    assert.is(ready.pid, child.pid);
    assert.match(ready.demo.publishable_key, /^svc_pk_test_/);
    assert.is((await fetch(`${ready.api}/health`)).status, 200);
    child.kill('SIGTERM');
    assert.equal(await closed, [0, null]);
    assert.equal(JSON.parse(printed.stdout), ready, 'nothing came behind it');
    const log = printed.stderr
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).msg);
    assert.ok(log.includes('listening') && log.at(-1) === 'closed', log.join(', '));
    assert.not(printed.stderr.includes(ready.demo.secret_key));
  } finally {
    child.kill('SIGKILL');
  }
});

test('help and version are documents too, wherever --json stands', async () => {
  const document = async (...args: string[]) => {
    const ran = await within(args, env);
    assert.equal([ran.code, ran.stderr], [0, ''], args.join(' '));
    return JSON.parse(ran.stdout);
  };
  for (const args of [['--help', '--json'], ['--json', 'help'], ['--json']]) {
    const { commands } = await document(...args);
    assert.equal(
      commands.map(({ name }: Json) => name),
      COMMANDS.map(({ name }) => name),
    );
  }
  const { command } = await document('user', 'list', '--help', '--json');
  assert.equal(Object.keys(command), ['name', 'usage', 'about', 'words', 'options', 'examples']);
  const mode = command.options.find(({ name }: Json) => name === 'mode');
  assert.equal([mode.values, mode.default, mode.repeatable], [['live', 'test'], 'live', false]);
  assert.ok((await document('help', 'settings', '--json')).settings.length > 20);
  assert.ok((await document('--version', '--json')).version);
});

test.run();
