/** `mail test` sends one message or names what is in the way, and no output holds a part of the password. */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { adviceOn } from '../../src/adapters/mail/faults.ts';
import { httpMailServer, smtpMailServer } from '../support/mail-servers.ts';
import { assertRefused, json, newDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: mail');
const PASSWORD = 'hunter2hunter2';
const run = (MAIL_URL: string, address = 'ada@mail.example') =>
  within(['mail', 'test', address], { DATA_DIR: newDataDir(), MAIL_URL });

test('one message by each way, to the address that was given', async () => {
  for (const open of [smtpMailServer, httpMailServer]) {
    const server = await open();
    assert.equal(
      await json(['mail', 'test', 'ada@mail.example'], { DATA_DIR: newDataDir(), MAIL_URL: server.url }),
      { sent: true },
    );
    await server.close();
    assert.equal([server.arrived.length, server.arrived[0]?.to], [1, ['ada@mail.example']]);
  }
  const DATA_DIR = newDataDir();
  assert.equal(
    await json(['mail', 'test', 'ada@mail.example'], { DATA_DIR, MAIL_URL: 'file:mail' }, within),
    { sent: true },
  );
  const [file = ''] = readdirSync(join(DATA_DIR, 'mail'));
  assert.is(JSON.parse(readFileSync(join(DATA_DIR, 'mail', file), 'utf8')).to, 'ada@mail.example');
  assert.equal(readdirSync(DATA_DIR), ['mail'], 'no database');
});

test('refused connections, unknown names and refused logins are named: exit 1', async () => {
  const talk = (socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example\r\n');
    socket.on('data', data => {
      const verb = String(data).slice(0, 4);
      if (verb === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (verb === 'AUTH') socket.write(`535 wrong password ${PASSWORD}\r\n`);
      else socket.end('221 bye\r\n');
    });
  };
  const server = createServer(talk).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const user = `user:${PASSWORD}@`;
  for (const [url, line] of [
    [`smtp://${user}127.0.0.1:1`, /connection was refused \(ECONNREFUSED\).*host and port of MAIL_URL/],
    [`http://${user}127.0.0.1:1/send`, /connection was refused/],
    [`smtp://${user}no-such-host.invalid`, /host of MAIL_URL is not found/],
    [`smtp://${user}127.0.0.1:${port}`, /rejected the login \(535\).*percent-encoded/],
    ['', /MAIL_URL is not set/],
  ] as const) {
    const ran = await run(url);
    assertRefused(ran, 1, line, url);
    assert.not(ran.stderr.includes(PASSWORD));
  }
  server.close();
});

test('certificates, missing TLS and time are named; nothing that a server said is repeated', () => {
  const fault = (message: string, more = {}) => Object.assign(new Error(`${message} ${PASSWORD}`), more);
  for (const [error, line] of [
    [fault('self-signed certificate', { code: 'ESOCKET' }), /^the certificate of the server/],
    [fault("Hostname/IP does not match certificate's altnames"), /^the certificate of the server/],
    [fault('x', { code: 'CERT_HAS_EXPIRED' }), /^the certificate of the server/],
    [fault('SSL routines:wrong version number', { code: 'ESOCKET' }), /^the server does not use TLS/],
    [fault('Greeting never received', { code: 'ETIMEDOUT' }), /^the server did not respond in time/],
    [Object.assign(new Error('late'), { name: 'TimeoutError' }), /^the server did not respond in time/],
    [new AggregateError([fault('connect', { code: 'ECONNREFUSED' })]), /^the connection was refused/],
    [
      fault('no', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }),
      /sender \(550\): set MAIL_FROM/,
    ],
  ] as const) {
    const advice = adviceOn(error) ?? '';
    assert.match(advice, line);
    assert.not(advice.includes(PASSWORD));
  }
  assert.is(adviceOn(fault('anything else')), null);
});

test('a raw @, # or % in user or password is named with its code, and nothing of it repeated: exit 2', async () => {
  for (const [raw, fix] of [
    ['hunter2@hunter2', /raw @ .* write @ as %40/],
    ['12#hunter2', /raw # .* write # as %23/],
    ['12/hunter2', /raw \/ .* write \/ as %2F/],
    ['12?hunter2', /raw \? .* write \? as %3F/],
    ['hunter2%zz', /write % as %25/],
  ] as const) {
    const ran = await run(`smtp://user:${raw}@mail.example:587`);
    assertRefused(ran, 2, fix, raw);
    assert.match(ran.stderr, /MAIL_URL has a/);
    assert.not(ran.stderr.includes('hunter2'));
  }
  for (const fine of ['https://mail.invalid/send/a@b?to=c@d', 'smtp://user%40x:p%23%25@mail.invalid'])
    assert.is((await run(fine, 'not an address')).code, 2);
  assertRefused(
    await run('file:mail', 'nobody'),
    2,
    /ADDRESS must be one email address.*use: mail test ADDRESS/,
  );
});

test.run();
