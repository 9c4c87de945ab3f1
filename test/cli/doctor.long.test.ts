/** `doctor` finds each thing that is wrong, says so in one line, and changes nothing. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SMTPServer } from 'smtp-server';
import * as assert from 'uvu/assert';
import { call, enrolled, type Json, server } from '../support/client.ts';
import { assertRefused, cli, type Env, json, madeDataDir, tempFolder, within } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor');
const NAMES =
  'settings, threshold, files, database, master secret, data keys, sealed rows, operators, audit log, mail, clock'.split(
    ', ',
  );
const sample = await madeDataDir();
test.before(async () => {
  await json(['app', 'create', '--name', 'Shop'], { DATA_DIR: sample }, within);
});

/** A data folder as a service leaves it. */
function healthy(): string {
  const folder = tempFolder();
  for (const file of ['face-sign-in.db', 'master.key']) copyFileSync(join(sample, file), join(folder, file));
  return folder;
}

async function examined(settings: Env, code = 0, how = within): Promise<Record<string, Json>> {
  const ran = await how(['doctor', '--json'], settings);
  assert.is(ran.stderr, '');
  assert.is(ran.code, code, ran.stdout);
  const { ok, checks } = JSON.parse(ran.stdout);
  assert.is(ok, code === 0);
  for (const check of checks) {
    assert.equal(Object.keys(check), ['name', 'ok', 'detail']);
    assert.not.match(check.detail, /\n/);
  }
  return Object.fromEntries(checks.map((check: Json) => [check.name, check]));
}

test('all is well: a line for each check, exit 0, and no file is made or left', async () => {
  const folder = healthy();
  const before = readdirSync(folder);
  const found = await examined({ DATA_DIR: folder }, 0, cli);
  assert.equal(Object.keys(found), NAMES);
  assert.match(found.mail.detail, /MAIL_URL is not set: there are no email codes/);
  const ran = await cli(['doctor'], { DATA_DIR: folder });
  assert.is(ran.code, 0);
  assert.is(ran.stdout.trim().split('\n').length, NAMES.length);
  assert.equal(readdirSync(folder), before);
});

/** What is done to a healthy folder, or the settings given; the check that finds it, and what it says. */
const faults: [what: string, check: string, says: RegExp, spoil: (folder: string) => unknown][] = [
  ['a setting', 'settings', /^PORT must be .* for example PORT=8080$/, () => ({ PORT: 'x' })],
  [
    'a secret that others can read',
    'files',
    /master\.key can be read by other users: chmod 600/,
    folder => chmodSync(join(folder, 'master.key'), 0o644),
  ],
  [
    'a database that others can read',
    'files',
    /face-sign-in\.db can be read by other users/,
    folder => chmodSync(join(folder, 'face-sign-in.db'), 0o640),
  ],
  [
    'no folder',
    'files',
    /does not exist: start the service once/,
    folder => ({ DATA_DIR: join(folder, 'none') }),
  ],
  [
    'a file in the place of the folder',
    'files',
    /does not exist: start the service once, or check the setting/,
    folder => ({ DATA_DIR: join(folder, 'master.key', 'x') }),
  ],
  [
    'no database',
    'database',
    /there is no database .* check DATA_DIR/,
    folder => rmSync(join(folder, 'face-sign-in.db')),
  ],
  [
    'half a database',
    'database',
    /is damaged|malformed/,
    folder => truncateSync(join(folder, 'face-sign-in.db'), 20 * 4096),
  ],
  [
    'a file that is no database',
    'database',
    /cannot be used: file is not a database/,
    folder => writeFileSync(join(folder, 'face-sign-in.db'), 'x'.repeat(9_000), { mode: 0o600 }),
  ],
  [
    'a database of a newer program',
    'database',
    /schema version 9999, .* use a newer program/,
    folder => alter(folder, `INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`),
  ],
  [
    'no secret',
    'master secret',
    /MASTER_SECRET is not set and .*master\.key does not exist/,
    folder => rmSync(join(folder, 'master.key')),
  ],
  [
    'another secret',
    'master secret',
    /does not fit the database/,
    () => ({ MASTER_SECRET: Buffer.alloc(32, 9).toString('base64url') }),
  ],
  [
    'half a secret',
    'master secret',
    /must contain 32 bytes/,
    folder => truncateSync(join(folder, 'master.key'), 10),
  ],
  [
    'a mail server that is not there',
    'mail',
    /^127\.0\.0\.1:1: the connection was refused \(ECONNREFUSED\)/,
    () => ({ MAIL_URL: 'smtp://user:hidden@127.0.0.1:1' }),
  ],
  [
    'a mail endpoint that is not there',
    'mail',
    /^127\.0\.0\.1:1: the connection was refused \(ECONNREFUSED\)/,
    () => ({ MAIL_URL: 'http://user:hidden@127.0.0.1:1/mail' }),
  ],
  [
    'a mail folder beneath a file',
    'mail',
    /a file is in the way|cannot be written/,
    folder => ({ MAIL_URL: `file:${join(folder, 'master.key', 'mail')}` }),
  ],
  [
    'a clock that was set back',
    'clock',
    /The clock is behind: the clock shows \S+, and the time last known is \S+\. .*wrong, set it\. .*clock accept/,
    folder => alter(folder, `INSERT INTO jobs (name, last_run) VALUES ('events', ${Date.now() + 3_600_000})`),
  ],
];
for (const [what, check, says, spoil] of faults)
  test(`found: ${what}`, async () => {
    const folder = healthy();
    const settings = { DATA_DIR: folder, ...(spoil(folder) as Env | undefined) };
    const found = await examined(settings, 1);
    assert.is(found[check]?.ok, false, JSON.stringify(found));
    assert.match(found[check]?.detail, says);
    assert.not(JSON.stringify(found).includes('hidden'), 'the password of the address');
  });

function alter(folder: string, statement: string): void {
  const database = new Database(join(folder, 'face-sign-in.db'));
  database.exec(statement);
  database.close();
}

test('mail that works is found to work: a server, one that wants a password, an endpoint, a folder', async () => {
  const DATA_DIR = healthy();
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ password }, _, done) =>
      password === 'right' ? done(null, { user: 'u' }) : done(new Error('no')),
  });
  const smtpPort = await new Promise<number>(ready => {
    const listening = smtp.listen(0, '127.0.0.1', () => ready((listening.address() as AddressInfo).port));
  });
  const http = createServer((_, answer) => answer.writeHead(405).end());
  await new Promise<void>(ready => http.listen(0, '127.0.0.1', ready));
  const httpPort = (http.address() as AddressInfo).port;
  try {
    for (const [MAIL_URL, ok] of [
      [`smtp://127.0.0.1:${smtpPort}`, true],
      [`smtp://user:right@127.0.0.1:${smtpPort}`, true],
      [`smtp://user:wrong@127.0.0.1:${smtpPort}`, false],
      [`http://127.0.0.1:${httpPort}/mail`, true],
      ['file:mail', true],
    ] as const)
      assert.is((await examined({ DATA_DIR, MAIL_URL }, ok ? 0 : 1)).mail.ok, ok, MAIL_URL);
    assert.not(readdirSync(DATA_DIR).includes('mail'));
  } finally {
    smtp.close(() => undefined);
    http.close();
  }
});

const GONE = 'usr_000000000000000000000000';

test('--erasure: an id in any file is found, with file and place', async () => {
  const DATA_DIR = healthy();
  const clean = await json(['doctor', '--erasure', GONE], { DATA_DIR }, within);
  assert.is(clean.ok, true);
  assert.ok(clean.checks.some(({ name }: Json) => name.endsWith('face-sign-in.db')));
  mkdirSync(join(DATA_DIR, 'mail'));
  writeFileSync(join(DATA_DIR, 'mail', 'old.json'), `{"to":"${GONE}","cc":"${GONE}"}`);
  const ran = await cli(['doctor', '--erasure', GONE], { DATA_DIR });
  assert.is(ran.code, 1);
  assert.match(ran.stdout, /FAIL +\S+old\.json +found 2 times, first at byte 7: run "job run retention"/);
});

test('--erasure: who is still there is not erased; who was is known to the journal and found nowhere', async () => {
  const service = await startService();
  try {
    const app = await service.createApp();
    const { user } = await enrolled(service, app);
    const settings = { DATA_DIR: service.dataDir };
    const there = await within(['doctor', '--erasure', user.id], settings);
    assert.is(there.code, 1);
    assert.match(there.stdout, /is not erased: delete this user first/);
    await call(service, 'DELETE', `/v1/users/${user.id}`, { headers: server(app) });
    const gone = await within(['doctor', '--erasure', user.id], settings);
    assert.is(gone.code, 0, gone.stdout);
    assert.match(gone.stdout, /erased at \d{4}-/);
  } finally {
    await service.close();
  }
});

for (const id of [
  '',
  'x',
  'usr_',
  `${GONE}0`,
  'app_000000000000000000000000',
  'key_000000000000000000000000',
])
  test(`--erasure ${JSON.stringify(id)} is refused`, async () => {
    assertRefused(
      await within(['doctor', '--erasure', id], { DATA_DIR: sample }),
      2,
      /--erasure must be the id/,
    );
  });

test.run();
