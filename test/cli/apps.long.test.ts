/** `app …`, as processes: the JSON of the contract, what people see, and what is refused with which exit code. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import {
  assertLike,
  assertRefused,
  cli,
  environment,
  ISO,
  json,
  madeDataDir,
  ROOT,
  text,
  within,
} from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: apps');
const env = { DATA_DIR: await madeDataDir() };
const APP_ID = /^app_[0-9A-Za-z]{24}$/;
let first: Json;

function assertApp(app: Json, fields: object): void {
  const usual = {
    id: APP_ID,
    name: '',
    allowed_origins: [],
    first_party: false,
    plan: 'free',
    created_at: ISO,
  };
  assertLike(app, { ...usual, ...fields });
}

test('an empty installation lists no apps, and tells a person what to do', async () => {
  assert.equal(await json(['app', 'list'], env), { apps: [] });
  assert.match(await text(['app', 'list'], env), /app create --name/);
});

test('app create answers the whole app, with defaults for what was not said', async () => {
  const began = Date.now();
  const made = await json(['app', 'create', '--name', 'Shop'], env);
  assertLike(made, { app: made.app });
  assertApp(made.app, { name: 'Shop' });
  const at = Date.parse(made.app.created_at);
  assert.ok(at >= began && at <= Date.now(), 'created_at is now');
  first = made.app;
});

test('app create takes every option; an origin given twice is listed once', async () => {
  const origins = ['https://a.example', 'http://localhost:3000', 'https://a.example'];
  const { app } = await json(
    [
      ...['app', 'create', '--name', 'Zwölf 🙂'],
      ...origins.flatMap(origin => ['--origin', origin]),
      ...['--first-party', '--plan', 'standard'],
    ],
    env,
  );
  const allowed_origins = origins.slice(0, 2);
  assertApp(app, { name: 'Zwölf 🙂', allowed_origins, first_party: true, plan: 'standard' });
  assert.equal(await json(['app', 'show', app.id], env), { app });
  assert.equal(await json(['app', 'list'], env), { apps: [first, app] });
});

test('app update changes what is named and nothing else', async () => {
  const steps: [string[], object][] = [
    [['--name', 'Shop two'], { name: 'Shop two' }],
    [
      ['--origin', 'https://a.example', '--origin', 'https://b.example'],
      { allowed_origins: ['https://a.example', 'https://b.example'] },
    ],
    [['--origin', 'https://c.example'], { allowed_origins: ['https://c.example'] }],
    [['--first-party'], { first_party: true }],
    [['--plan', 'unlimited'], { plan: 'unlimited' }],
    [['--no-first-party', '--name', 'Shop'], { first_party: false, name: 'Shop' }],
  ];
  for (const [options, change] of steps) {
    first = { ...first, ...change };
    assert.equal(
      await json(['app', 'update', first.id, ...options], env, within),
      { app: first },
      options.join(' '),
    );
  }
  assert.equal(await json(['app', 'show', first.id], env), { app: first });
});

test('people get words and columns', async () => {
  const shown = await text(['app', 'show', first.id], env);
  for (const part of [first.id, 'Shop', 'https://c.example', 'unlimited', first.created_at.slice(0, 10)])
    assert.ok(shown.includes(part), `${part} in ${shown}`);
  assert.match(shown, /^first-party +(?:yes|no)$/m);
  const listed = (await text(['app', 'list'], env)).trimEnd().split('\n');
  assert.is(listed.length, 3, 'a heading and a line for each app');
  assert.ok(listed[1]?.includes(first.id));
  assert.match(await text(['app', 'create', '--name', 'Spoken'], env), /app_[0-9A-Za-z]{24}/);
});

test('app delete needs --yes, deletes once, and leaves the others', async () => {
  const before = await json(['app', 'list'], env);
  for (const args of [[], ['--no-yes'], ['--yes=true']])
    assertRefused(await cli(['app', 'delete', first.id, ...args], env), 2, /--yes/, args.join());
  assert.equal(await json(['app', 'list'], env), before, 'nothing was deleted');

  assert.equal(await json(['app', 'delete', first.id, '--yes'], env), { deleted: true });
  const apps = before.apps.filter((app: Json) => app.id !== first.id);
  assert.equal(await json(['app', 'list'], env), { apps });
  assertRefused(await cli(['app', 'delete', first.id, '--yes', '--json'], env), 1, /no app/);
});

test('a command whose output nobody reads is done all the same, and says nothing of it', async () => {
  const line = ['src/main.ts', 'app', 'create', '--name', 'Unread'];
  const child = spawn(process.execPath, line, { cwd: ROOT, env: environment(env), stdio: 'pipe' });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', part => {
    said += part;
  });
  const [code] = await once(child, 'close');
  assert.equal([code, said], [0, '']);
  const { apps } = await json(['app', 'list'], env, within);
  assert.ok(apps.some(({ name }: Json) => name === 'Unread'));
});

test('through npm: words, options, stdout and exit code come through, on the Node.js of the packages', async () => {
  const npm = (...args: string[]) =>
    new Promise<{ code: number; stdout: string }>(done => {
      const options = { cwd: ROOT, env: environment(env) };
      execFile('npm', ['run', '-s', 'cli', '--', ...args], options, (error, stdout) =>
        done({ code: Number(error?.code ?? 0), stdout }),
      );
    });
  const made = await npm('app', 'create', '--name', 'Two words', '--json');
  assert.is(made.code, 0);
  assertApp(JSON.parse(made.stdout).app, { name: 'Two words' });
  assert.equal(await npm('app', 'show'), { code: 2, stdout: '' });
});

test.run();
