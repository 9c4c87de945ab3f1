/** `app encoder show`, `set` and `reset`: what they answer, what they change, what they refuse, and what they warn of. */
import * as assert from 'uvu/assert';
import { enrolled, faces, type Json, match } from '../support/client.ts';
import {
  assertRefused,
  cli,
  json,
  newDataDir,
  type Server,
  serve,
  text,
  within,
} from '../support/process.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { newApp } from './test-app.ts';

const test = suite('cli: app encoder');
const env = { DATA_DIR: newDataDir(), LIMIT_IP_PER_MINUTE: '0', LIMIT_FAILED_MATCHES: '0' };
let server: Server;
let run: Running;
test.before(async () => {
  server = await serve(env);
  run = { base: server.base } as Running;
});
test.after(() => server?.stop());

const ENCODER = 'mobilefacenet-1';
const of = (verb: string, app: string, mode: string, ...more: string[]) => [
  ...['app', 'encoder', verb, '--app', app, '--mode', mode],
  ...more,
];

/** An app with two people of the encoder in live mode, and one in test mode of whom nobody said. */
async function shop() {
  const app = await newApp(env, 'Shop');
  for (const n of [0, 1])
    await enrolled(run, app, {
      descriptors: [faces.genuine(n), faces.genuine(n, 1)],
      fields: { encoder: ENCODER },
    });
  await enrolled(run, app, { mode: 'test' });
  return app;
}

test('show: the encoder with the users and templates of that mode', async () => {
  const app = await shop();
  const live = { app_id: app.id, mode: 'live', encoder: ENCODER, users: 2, templates: 4 };
  assert.equal(await json(of('show', app.id, 'live'), env, within), live);
  assert.equal(await json(of('show', app.id, 'test'), env, within), {
    ...live,
    mode: 'test',
    encoder: null,
    users: 1,
    templates: 1,
  });
  const empty = await newApp(env, 'Empty');
  assert.equal(await json(of('show', empty.id, 'live'), env, within), {
    ...live,
    app_id: empty.id,
    encoder: null,
    users: 0,
    templates: 0,
  });
  assert.match(
    await text(of('show', app.id, 'live'), env),
    /encoder +mobilefacenet-1\nusers +2\ntemplates +4\n/,
  );
});

test('a plain reset forgets the encoder, keeps the templates, and warns of them', async () => {
  const app = await shop();
  const ran = await cli(of('reset', app.id, 'live', '--json'), env);
  assert.is(ran.code, 0);
  const done = { app_id: app.id, mode: 'live', encoder: null, previous: ENCODER, erased_templates: 0 };
  assert.equal(JSON.parse(ran.stdout), { ...done, users: 2, templates: 4 });
  assert.match(
    JSON.parse(ran.stderr).warning.message,
    new RegExp(
      `^Kept 4 templates of 2 users\\. [^\\n]* wrong person [^\\n]*"app encoder reset --app ${app.id} --mode live --erase-templates --yes"\\.$`,
    ),
  );
  assert.is((await match(run, app, { fields: { encoder: 'another' } })).status, 200);
  const again = await within(of('reset', app.id, 'live'), env);
  assert.match(again.stdout, /remembered no encoder/);
  assert.match(again.stderr, /^face-sign-in: warning: /);
});

test('set: before anybody enrolls, or for templates that were enrolled without a name', async () => {
  const app = await newApp(env, 'Early');
  const first = await text(of('show', app.id, 'live'), env);
  assert.match(
    first,
    /encoder +\(none: the first enrollment [^\n]*app encoder set --app app_\w+ --mode live --encoder ID"\)\n/,
  );
  const set = of('set', app.id, 'live', '--encoder', ENCODER);
  const done = { app_id: app.id, mode: 'live', encoder: ENCODER, previous: null, users: 0, templates: 0 };
  assert.equal(await json(set, env, within), done);
  assert.equal(await json(set, env, within), { ...done, previous: ENCODER });
  await enrolled(run, app, { mode: 'test' });
  const shown = await text(of('show', app.id, 'test'), env);
  assert.match(
    shown,
    /\(none: [^\n]*never named[^\n]*"app encoder set --app app_\w+ --mode test --encoder ID"\)\n/,
  );
  assert.match(
    await text(of('set', app.id, 'test', '--encoder', 'a b'), env),
    /\(test\) uses the encoder "a b"; 1 template of 1 user\n/,
  );
});

test('reset --encoder sets the next one at once, with the templates gone or kept', async () => {
  const app = await shop();
  const erased = of('reset', app.id, 'live', '--encoder', 'next-1', '--erase-templates', '--yes');
  const { encoder, previous, templates }: Json = await json(erased, env, within);
  assert.equal([encoder, previous, templates], ['next-1', ENCODER, 0]);
  const wrong = await match(run, app, { fields: { encoder: ENCODER } });
  assert.is(wrong.json.error?.code, 'encoder_mismatch');
  const printed = await within(of('reset', app.id, 'test', '--encoder', 'right-1'), env);
  assert.match(printed.stdout, /remembered no encoder; it uses "right-1" from now on\n/);
  assert.match(printed.stderr, /^face-sign-in: warning: Kept 1 template of 1 user\./);
});

test('where no template is left a plain reset warns of nothing', async () => {
  const app = await newApp(env, 'Empty');
  const done = { app_id: app.id, mode: 'test', encoder: null, previous: null, erased_templates: 0 };
  assert.equal(await json(of('reset', app.id, 'test'), env, within), { ...done, users: 0, templates: 0 });
});

test('with --erase-templates the templates go too, and the running server recognises nobody at once', async () => {
  const app = await shop();
  assert.is((await match(run, app)).status, 200);
  assert.equal(await json(of('reset', app.id, 'live', '--erase-templates', '--yes'), env), {
    app_id: app.id,
    mode: 'live',
    encoder: null,
    previous: ENCODER,
    erased_templates: 4,
    users: 2,
    templates: 0,
  });
  assert.is((await match(run, app)).json.error?.code, 'no_match');
  assert.is((await match(run, app, { mode: 'test' })).status, 200);
  const { users }: Json = await json(['user', 'list', '--app', app.id], env, within);
  assert.is(users.length, 2);
  const { events }: Json = await json(['events', '--app', app.id, '--type', 'enroll'], env, within);
  assert.is(events.length, 3);
  const printed = await text(of('reset', app.id, 'live', '--erase-templates', '--yes'), env);
  assert.match(printed, /remembered no encoder; 0 templates erased/);
});

test('refusals: one line, and nothing is changed', async () => {
  const app = await shop();
  const before = await json(of('show', app.id, 'live'), env, within);
  const rows: [string[], number, RegExp][] = [
    [of('reset', app.id, 'live', '--erase-templates'), 2, /--yes is required with --erase-templates/],
    [
      of('set', app.id, 'live', '--encoder', 'another'),
      1,
      /the app has 4 live templates of 2 users, made by "mobilefacenet-1"; .*"app encoder reset --app app_\w+ --mode live --encoder ID --erase-templates --yes"$/m,
    ],
  ];
  for (const [args, code, line] of rows) assertRefused(await within(args, env), code, line, args.join(' '));
  assert.equal(await json(of('show', app.id, 'live'), env, within), before);
});

test.run();
