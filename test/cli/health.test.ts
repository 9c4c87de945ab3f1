/** `health` tells what the running server says of itself: exit 0 while it answers, 1 when it is down or is not there. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { VERSION } from '../../src/version.ts';
import { assertRefused, type Env, tempFolder, within } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: health');
const at = (address: string): Env => ({
  DATA_DIR: join(tempFolder(), 'data'),
  PORTAL_PORT: new URL(address).port,
});

test('ok while nothing waits for anybody; the document is that of the portal', async () => {
  const run = await startService();
  const printed = await within(['health'], at(run.portal));
  assert.equal([printed.code, printed.stderr], [0, '']);
  assert.is(printed.stdout, `ok  face-sign-in ${VERSION}\n`);
  const { stdout } = await within(['health', '--json'], at(run.portal));
  const { status, problems } = JSON.parse(stdout);
  assert.equal([status, problems], ['ok', []]);
  await run.close();
});

test('degraded is reported with each problem and its fix, and is no failure; down is one', async () => {
  const problem = {
    name: 'mail',
    since: '2026-03-15T12:00:00.000Z',
    message: 'mail is refused',
    fix: 'set MAIL_URL',
  };
  for (const [status, code] of [
    ['degraded', 0],
    ['down', 1],
  ] as const) {
    const portal = createServer((_, answer) => {
      answer.statusCode = status === 'down' ? 503 : 200;
      answer.end(JSON.stringify({ status, version: '1.2.3', problems: [problem] }));
    }).listen(0, '127.0.0.1');
    await new Promise(listening => portal.once('listening', listening));
    const { port } = portal.address() as AddressInfo;
    const printed = await within(['health'], at(`http://127.0.0.1:${port}`));
    assert.is(printed.code, code, status);
    assert.is(
      printed.stdout,
      `${status}  face-sign-in 1.2.3\nmail  mail is refused (since 2026-03-15T12:00:00.000Z): set MAIL_URL\n`,
    );
    portal.close();
  }
});

test('watched apps are listed with their users and for how many they are safe', async () => {
  const app = { app_id: 'app_a', mode: 'live', fmr_estimate: 2.5e-5, safe_users_interval: [10, 90] };
  const watched = [
    { ...app, users: 1200, safe_users: 40, state: 'unsafe' },
    { ...app, mode: 'test', users: 8, fmr_estimate: null, safe_users: null, state: 'unknown' },
  ];
  const body = { status: 'ok', version: '1.2.3', problems: [], apps: { watched, left_out: 3 } };
  const portal = createServer((_, answer) => answer.end(JSON.stringify(body))).listen(0, '127.0.0.1');
  await new Promise(listening => portal.once('listening', listening));
  const printed = await within(['health'], at(`http://127.0.0.1:${(portal.address() as AddressInfo).port}`));
  assert.is(
    printed.stdout,
    [
      'ok  face-sign-in 1.2.3',
      'APP    MODE  USERS  SAFE FOR  STATE',
      'app_a  live  1,200        40  unsafe',
      'app_a  test      8            unknown',
      'and 3 more',
      '',
    ].join('\n'),
  );
  portal.close();
});

test('nobody there, or somebody else: exit 1 and one line with the address', async () => {
  const other = createServer((_, answer) => answer.end('{"status": "green"}')).listen(0, '127.0.0.1');
  await new Promise(listening => other.once('listening', listening));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  assertRefused(
    await within(['health'], at(address)),
    1,
    /the server at http:\/\/127\.0\.0\.1:\d+ is not face-sign-in/,
  );
  other.close();
  assertRefused(
    await within(['health'], at(address)),
    1,
    /no server answers at http:.*\(ECONNREFUSED\): start it/,
  );
  assertRefused(await within(['health'], { ...at(address), PORTAL_PORT: '0' }), 1, /PORTAL_PORT is 0/);
});

test.run();
