/** The executable in an empty folder, with an empty PATH and HOME: it serves and does whatever the command line can. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import manifest from '../../package.json' with { type: 'json' };
import { COMMANDS } from '../../src/cli/commands.ts';
import { ENCODER_ID, WEIGHTS } from '../../src/encoder/published.ts';
import { assertNoDebugger } from '../cli/no-debugger.ts';
import { appBy, type CommandLineApp } from '../cli/test-app.ts';
import { MODEL, withModel } from '../encoder/installed.ts';
import { call, enrolled, type Json, match, verify } from '../support/client.ts';
import { assertRefused, type Env, logLines, newDataDir } from '../support/process.ts';
import type { Running } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Copy, copy } from './copy.ts';

const test = suite('dist: run');
let own: Copy;
let TMPDIR: string;
let settings: Env;
const restored = newDataDir();
let app: CommandLineApp;
let person: Json;
const at = (base: string) => ({ base }) as Running;

test.before(() => {
  own = copy();
  TMPDIR = join(own.folder, 'tmp');
  mkdirSync(TMPDIR);
  settings = { TMPDIR, DEMO: 'on' };
});

test('it says what it is: version, commit, engines and SIMD', async () => {
  const { version, commit, node, v8, sqlite, simd } = await own.json(['--version']);
  assert.equal([version, node, v8], [manifest.version, process.versions.node, process.versions.v8]);
  assert.match(commit ?? 'unknown', /^[0-9a-f]{12}(, with changes)?$|^unknown$/);
  assert.match(sqlite, /^3\.\d+\.\d+$/);
  assert.ok(['relaxed', 'simd'].includes(simd));
});

test('its help lists every command and every setting, and names none that is not there', async () => {
  const { stdout } = await own.run(['--help']);
  for (const { name } of COMMANDS) assert.ok(stdout.includes(`\n  ${name}`), name);
  assert.match((await own.run(['help', 'settings'])).stdout, /^ {2}DATA_DIR /m);
  assert.not.match(stdout, /npm|README/);
});

test('it brings the licences of all that it is made of', async () => {
  const { licences } = await own.json(['--licences']);
  const wanted = [
    'face-sign-in',
    'koa 3',
    'better-sqlite3 13',
    'nodemailer ',
    'swagger-ui-dist ',
    'node-linux-',
    'OpenSSL',
    'V8',
  ];
  for (const name of wanted) assert.ok(licences.includes(name), name);
});

test('first run: a database, a demo app with keys, pages; a sign-in of an app of its own', async () => {
  const server = await own.serve(settings);
  assert.equal(readdirSync(own.folder).sort(), ['data', 'face-sign-in', 'tmp']);
  assert.equal(readdirSync(TMPDIR), [], 'what was unpacked is gone');
  const { stderr } = server.printed;
  assert.match(stderr, /publishable key +svc_pk_test_[0-9A-Za-z]{24}\n/);
  assert.not.match(stderr, /npm/, 'commands are told as they are typed');
  assert.is(statSync(join(own.folder, 'data')).mode & 0o777, 0o700);

  app = await appBy(args => own.json(args, settings), 'Shop');
  person = (await enrolled(at(server.base), app)).user;
  const signedIn = await match(at(server.base), app);
  assert.is(signedIn.json.user?.id, person.id, signedIn.text);
  const verdict = await verify(at(server.base), app, signedIn.json.token);
  assert.equal([verdict.json.valid, verdict.json.claims.iss], [true, server.base]);

  const { paths } = (await call(at(server.base), 'GET', '/openapi.json')).json;
  assert.ok('/v1/match' in paths && '/openapi.json' in paths);
  const page = await (await fetch(server.portal)).text();
  assert.ok(page.includes('face-sign-in app create'), page);
  const docs = ['/docs', '/docs/page.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'];
  const files = ['/try', '/try/page/page.js', '/try/sdk/element.js', '/metrics', '/health', ...docs];
  for (const path of files) assert.is((await fetch(server.portal + path)).status, 200, path);
  const setup = (await (await fetch(`${server.portal}/try/setup.json`)).json()) as Json;
  const { mobilefacenet, ...others } = setup.installed;
  assert.equal(others, { sdk: true, encoder: false, packed: true });
  assert.equal([mobilefacenet.weights, mobilefacenet.notice, mobilefacenet.fix], [null, null, null]);
  const { stdout } = await server.stop();
  assert.is(logLines(stdout).at(-1)?.msg, 'closed');
});

test('after a restart the gallery is there again, read by its threads', async () => {
  const server = await own.serve(settings);
  const signedIn = await match(at(server.base), app);
  assert.is(signedIn.json.user?.id, person.id, signedIn.text);
  assert.not.match(server.printed.stderr, /svc_[ps]k_/, 'no new keys');

  // Beside it, the command line.
  const { kid } = await own.json(['signing-key', 'rotate', '--now'], settings);
  const { keys } = (await call(at(server.base), 'GET', '/.well-known/jwks.json')).json;
  assert.ok(keys.some((key: Json) => key.kid === kid));
  assert.is((await own.json(['job', 'list'], settings)).jobs.length, 9);
  assert.is((await own.json(['job', 'run', 'retention'], settings)).job, 'retention');
  assert.ok((await own.json(['doctor'], settings)).ok);
  assert.is((await own.json(['user', 'show', person.id], settings)).user.app_id, app.id);
  assert.ok((await own.json(['events', '--user', person.id], settings)).events.length > 1);
  assert.is((await own.json(['stats', '--app', app.id], settings)).total.live.users, 1);
  assert.match((await own.json(['completion', 'bash'], settings)).script, /complete -F/);
  const backup = join(own.folder, 'tmp/backup.db');
  assert.ok((await own.json(['backup', backup], settings)).bytes > 0);
  const calibrated = await own.run(['calibrate', '--help']);
  assert.is(calibrated.code, 0);
  const { steps } = await own.json(['demo'], settings);
  assert.ok(steps.length > 3);
  await server.stop();
});

test('a backup is restored, which rebuilds the database on a thread, and is served', async () => {
  mkdirSync(restored, { mode: 0o700 });
  writeFileSync(join(restored, 'master.key'), readFileSync(join(own.folder, 'data/master.key')), {
    mode: 0o600,
  });
  const elsewhere = { ...settings, DATA_DIR: restored };
  const backup = join(own.folder, 'tmp/backup.db');
  assert.equal(await own.json(['restore', backup, '--accept-gap'], elsewhere), { restored: true });
  const server = await own.serve(elsewhere);
  assert.is((await match(at(server.base), app)).json.user?.id, person.id);
  await server.stop();
});

test('a second one on the same data folder is refused in one line; a killed one leaves no stale lock', async () => {
  const server = await own.serve(settings);
  assertRefused(await own.run(['serve'], settings), 1, /another server runs on the data folder/);
  assert.is((await fetch(`${server.base}/health`)).status, 200);
  server.kill('SIGKILL');
  await server.ended;
  await (await own.serve(settings)).stop();
});

test(
  'it converts the weights of the encoder, and brings the notice',
  withModel(async () => {
    const out = join(own.folder, 'models');
    const { files, encoder } = await own.json(['encoder', 'mobilefacenet', '--from', MODEL, '--out', out]);
    assert.is(files[0].sha256, WEIGHTS.sha256);
    assert.is(encoder, ENCODER_ID);
    assert.equal(readdirSync(out).sort(), [WEIGHTS.notice, WEIGHTS.file]);
  }),
);

test('what a Node.js of the machine is told does not reach it', async () => {
  const NODE_OPTIONS = '--require /nowhere.js --no-such-option';
  assert.is((await own.run(['--version'], { NODE_OPTIONS })).code, 0);
});

test('nor does it reach its threads, or the processes that it starts', async () => {
  const [marker, reported] = ['marker', 'told'].map(name => join(TMPDIR, name)) as [string, string];
  const required = join(TMPDIR, 'required.cjs');
  writeFileSync(required, `require('node:fs').appendFileSync(${JSON.stringify(marker)}, 'x');`);
  const notify = join(TMPDIR, 'systemd-notify');
  writeFileSync(notify, `#!/bin/sh\n/usr/bin/env >> ${reported}\n`, { mode: 0o755 });
  const NODE_OPTIONS = `--require ${required}`;
  execFileSync(process.execPath, ['--eval', '0'], { env: { NODE_OPTIONS } });
  assert.ok(existsSync(marker), 'it would be left');
  rmSync(marker);

  const data = { DATA_DIR: join(own.folder, 'options'), NODE_OPTIONS };
  const server = await own.serve({
    ...settings,
    ...data,
    MATCH_THREADS: '2',
    PATH: TMPDIR,
    NOTIFY_SOCKET: join(TMPDIR, 'notify'),
  });
  const shop = await appBy(args => own.json(args, { ...settings, ...data }), 'Options');
  await enrolled(at(server.base), shop);
  assert.is((await match(at(server.base), shop)).status, 200);
  await server.stop();
  // Started anew it reads the gallery on a thread.
  await (await own.serve({ ...settings, ...data })).stop();
  assert.not(existsSync(marker));
  assert.match(readFileSync(reported, 'utf8'), /^NOTIFY_SOCKET=/m);
  assert.not.match(readFileSync(reported, 'utf8'), /NODE_OPTIONS/);
});

test('no signal opens a port for debuggers', async () => {
  const server = await own.serve(settings);
  await assertNoDebugger(server);
  await server.stop();
});

test.run();
