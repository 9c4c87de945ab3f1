/** Starts that cannot be: one line that says what to do, the right exit code, and nothing made that was not there. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { createService } from '../../src/service.ts';
import {
  assertRefused,
  cli,
  type Env,
  environment,
  json,
  logLines,
  madeDataDir,
  newDataDir,
  ROOT,
  type Start,
  serve,
  tempFolder,
  within,
} from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { asNobody } from './nobody.ts';

const test = suite('cli: bad starts');
const SECRET = Buffer.alloc(32, 7).toString('base64url');

async function assertBadStart(settings: Env, code: number, line: RegExp, options?: Start): Promise<void> {
  const ran = await cli(['serve'], settings, options);
  assert.not.ok(logLines(ran.stdout).some(({ msg }) => msg === 'listening'));
  assertRefused({ ...ran, stdout: '' }, code, line, JSON.stringify(settings));
}

test('a wrong setting: named, with its fault and an example that is right, exit 2', async () => {
  const broken = join(tempFolder(), 'plans.json');
  writeFileSync(broken, '{');
  // What each setting takes: test/settings/config.test.ts.
  const rows: [string, string, RegExp][] = [
    ['PORT', '70000', /0 to 65,535, not "70000", for example PORT=/],
    ['BASE_URL', 'https://user@face.example', /http or https/],
    ['BASE_URL', ' https://face.example', /begins or ends with a blank or a line end: remove it/],
    ['MASTER_SECRET', SECRET.slice(1), /32 bytes/],
    ['MATCH_THRESHOLD', '2', /strangers would sign in.*MATCH_THRESHOLD_UNSAFE=yes/],
    ['LOG_LEVEL', 'loud', /info.*"loud"/],
    ['DATABASE_URL', 'postgresql://user:hunter2@localhost/faces?sslmode=on', /use one of disable, require/],
    ['MAIL_URL', 'https://us%er:hunter2@mail.example/send', /write % as %25/],
    ['PLANS_FILE', `${broken}.none`, /ENOENT/],
    ['PLANS_FILE', broken, /not JSON/],
  ];
  const DATA_DIR = newDataDir();
  for (const [name, value, fault] of rows) {
    const ran = await within(['app', 'list'], { DATA_DIR, [name]: value });
    const what = `${name}=${value}`;
    assertRefused(ran, 2, new RegExp(`: ${name} .*, for example ${name}=\\S`), what);
    assert.match(ran.stderr, fault, what);
    for (const secret of ['hunter2', SECRET.slice(1)]) assert.not.ok(ran.stderr.includes(secret), what);
  }
  await assertBadStart(
    { DATA_DIR, PORT: '8081', PORTAL_PORT: '8081' },
    2,
    /: PORTAL_PORT is 8081, and so is PORT: .*, for example PORTAL_PORT=8082$/m,
  );
  await assertBadStart({ DATA_DIR, HOST: '0.0.0.0' }, 2, /: BASE_URL is required if HOST is "0\.0\.0\.0"/);
  assert.not.ok(existsSync(DATA_DIR), 'refused before anything is made');
});

test('a misspelt setting in the environment is warned of, and stops nothing', async () => {
  const misspelt = { DATA_DIR: newDataDir(), MATCH_TRESHOLD: 's3cret', MAILTO: 'x', LOG_LEVEL: 'info' };
  const server = await serve(misspelt);
  const { stdout, stderr } = await server.stop();
  const line =
    'face-sign-in: warning: MATCH_TRESHOLD in the environment is not a setting: did you mean MATCH_THRESHOLD?';
  assert.equal(
    stderr.split('\n').filter(each => each.includes('warning')),
    [line],
  );
  assert.not.ok(`${stdout}${stderr}`.includes('s3cret'));
  const refused = await cli(['serve'], { ...misspelt, PORT: 'x' });
  assert.is(refused.code, 2);
  assert.match(refused.stderr, /^face-sign-in: warning: [^\n]+\nface-sign-in: PORT must [^\n]+\n$/);
  const { stderr: documents } = await cli(['serve', '--json'], { ...misspelt, PORT: 'x' });
  const [warned, failed] = documents
    .trim()
    .split('\n')
    .map(one => JSON.parse(one));
  assert.equal(warned, { warning: { message: line.replace('face-sign-in: warning: ', '') } });
  assert.is(failed.error.setting, 'PORT');
});

test('a port in use: exit 1, and the line names the setting to change', async () => {
  const other = createServer();
  await new Promise<void>(ready => other.listen(0, '127.0.0.1', ready));
  const port = String((other.address() as AddressInfo).port);
  const DATA_DIR = newDataDir();
  for (const name of ['PORT', 'PORTAL_PORT']) {
    const line = new RegExp(`:${port}\\b.*in use.* ${name}\\b.*for example ${name}=\\d+`);
    await assertBadStart({ DATA_DIR, [name]: port }, 1, line);
    assert.not.ok(existsSync(DATA_DIR), 'nothing is made');
  }
  // Beside a database that is there: the same line, and it is left as it was.
  const made = await madeDataDir();
  await assertBadStart({ DATA_DIR: made, PORT: port }, 1, /in use.*for example PORT=/);
  await new Promise(done => other.close(done));
});

test('an address that is not of this machine: the line names HOST', async () => {
  const settings = { DATA_DIR: newDataDir(), BASE_URL: 'https://face.example' };
  await assertBadStart({ ...settings, HOST: '192.0.2.1' }, 1, /192\.0\.2\.1.*\bHOST\b/);
  const portal = { PORTAL_HOST: '192.0.2.1', PORTAL_URL: 'https://portal.example' };
  await assertBadStart({ ...settings, ...portal }, 1, /192\.0\.2\.1.*\bPORTAL_HOST\b/);
  assert.not.ok(existsSync(settings.DATA_DIR), 'nothing is made');
});

test('a data folder that cannot be: exit 2, and the line names DATA_DIR', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  for (const DATA_DIR of [file, join(file, 'beneath')])
    await assertBadStart({ DATA_DIR }, 2, /: DATA_DIR .*in the way, (ENOTDIR|EEXIST).*for example DATA_DIR=/);
  if (process.platform === 'linux')
    await assertBadStart({ DATA_DIR: '/proc/x' }, 2, /: DATA_DIR .*\/proc\/x: cannot be created, ENOENT/);
});

test('a mail folder that cannot be: exit 2, the line names MAIL_URL, and no database is made', async () => {
  const DATA_DIR = newDataDir();
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  for (const MAIL_URL of [`file:${file}`, `file:${join(file, 'beneath')}`]) {
    const line = /: MAIL_URL .*in the way, (ENOTDIR|EEXIST).*for example MAIL_URL=file:mail$/m;
    await assertBadStart({ DATA_DIR, MAIL_URL }, 2, line);
  }
  assert.equal(readdirSync(DATA_DIR), []);
  const server = await serve({ DATA_DIR, MAIL_URL: 'file:mail' });
  assert.equal(readdirSync(join(DATA_DIR, 'mail')), [], 'made at the start, beneath the data folder');
  await server.stop();
});

test('a data folder that this user may not read, or not write: exit 2', async () => {
  for (const mode of [0o555, 0o666, 0o333]) {
    const DATA_DIR = await madeDataDir();
    chmodSync(dirname(DATA_DIR), 0o755);
    chmodSync(DATA_DIR, mode);
    await assertBadStart({ DATA_DIR }, 2, /: DATA_DIR .*EACCES/, asNobody);
    chmodSync(DATA_DIR, 0o755);
  }
});

test('mail is set up before the store and the matcher open, so that its faults leave neither behind', async () => {
  const config = loadConfig(environment({ DATA_DIR: newDataDir() }));
  const faulty = { ...config, mail: { kind: 'http', url: 'https://us%er:pw@mail.example/send' } } as const;
  const outcome = await createService(faulty).then(
    service => service.close(),
    error => error,
  );
  assert.instance(outcome, URIError);
  assert.equal(readdirSync(config.dataDir), []);
});

test('a database file that cannot be opened: exit 2, and the line names setting, file and fault', async () => {
  const noise = join(tempFolder(), 'noise.db');
  writeFileSync(noise, 'this is not a database, but it is long enough to be looked at '.repeat(20));
  const settings = { DATA_DIR: newDataDir(), MASTER_SECRET: SECRET };
  for (const [path, fault] of [
    [tempFolder(), 'it is a folder, EISDIR'],
    [noise, 'it is not a database, SQLITE_NOTADB'],
    [join(noise, 'beneath.db'), 'a file is in the way, ENOTDIR'],
    [join(tempFolder(), 'no/folder.db'), 'its folder does not exist, ENOENT'],
  ] as const) {
    const ran = await within(['serve'], { ...settings, DATABASE_URL: `sqlite:${path}` });
    const what = `DATABASE_URL names a database that cannot be opened (${path}: ${fault}), for example DATABASE_URL=sqlite:/`;
    assertRefused(ran, 2, /: DATABASE_URL /, path);
    assert.ok(ran.stderr.includes(what), ran.stderr);
  }
  await assertBadStart({ ...settings, DATABASE_URL: `sqlite:${noise}` }, 2, /: DATABASE_URL .*noise\.db/);

  const DATA_DIR = newDataDir();
  mkdirSync(join(DATA_DIR, 'face-sign-in.db'), { recursive: true });
  const line =
    /: DATA_DIR contains a database .*face-sign-in\.db: it is a folder, EISDIR.*for example DATA_DIR=/;
  assertRefused(await within(['serve'], { ...settings, DATA_DIR }), 2, line);
});

test('a database and a master secret that do not belong together: exit 2, and nothing is changed', async () => {
  const other = Buffer.alloc(32, 8).toString('base64url');
  const file = await madeDataDir();
  await assertBadStart({ DATA_DIR: file, MASTER_SECRET: SECRET }, 2, /master secret does not fit/);
  const given = await madeDataDir({ MASTER_SECRET: SECRET });
  await assertBadStart({ DATA_DIR: given, MASTER_SECRET: other }, 2, /master secret does not fit/);
  assert.not.ok(existsSync(join(given, 'master.key')), 'a secret of the environment is not written down');

  await assertBadStart({ DATA_DIR: given }, 2, /MASTER_SECRET is not set and .*master\.key is missing/);
  assert.not.ok(existsSync(join(given, 'master.key')), 'no new secret for an old database');
  writeFileSync(join(given, 'master.key'), `${SECRET.slice(4)}\n`);
  await assertBadStart({ DATA_DIR: given }, 2, /master\.key must contain 32 bytes/);
  writeFileSync(join(given, 'master.key'), `${SECRET}\n`);
  assert.equal(await json(['app', 'list'], { DATA_DIR: given }, within), { apps: [] });
});

test('a database of a newer program: exit 2, and it is left alone', async () => {
  const DATA_DIR = await madeDataDir();
  const path = join(DATA_DIR, 'face-sign-in.db');
  const database = new Database(path);
  database.prepare("INSERT INTO schema_migrations (version, name) VALUES (999, '999-later.sql')").run();
  const dump = () => database.prepare('SELECT * FROM schema_migrations').all();
  const before = dump();
  await assertBadStart({ DATA_DIR }, 2, /version 999.*newer program/);
  assert.equal(dump(), before);
  database.close();
});

test('the matching core missing or broken: exit 1, and the line says how to build it', async () => {
  const root = tempFolder();
  for (const part of ['src', 'package.json']) cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const settings = { DATA_DIR: newDataDir() };
  const core = join(root, 'dist/core/matcher-relaxed.wasm');
  await assertBadStart(settings, 1, /matcher-relaxed\.wasm cannot be read: run npm run build/, { root });
  mkdirSync(dirname(core), { recursive: true });
  writeFileSync(core, 'not WebAssembly');
  await assertBadStart(settings, 1, /matcher-relaxed\.wasm does not compile: run npm run build/, { root });
  // What does not match faces needs no core.
  rmSync(core);
  assert.is((await cli(['app', 'create', '--name', 'Shop', '--json'], settings, { root })).code, 0);
  assert.ok(readdirSync(settings.DATA_DIR).includes('master.key'));
});

test.run();
