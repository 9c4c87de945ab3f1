/** Mail by SMTP that must be encrypted: what is said to a server that is not, and what an operator reads of it. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import * as assert from 'uvu/assert';
import { openMailer } from '../../src/adapters/mail/open-mailer.ts';
import { probeMail } from '../../src/adapters/mail/probe.ts';
import { smtpMailServer } from '../support/mail-servers.ts';
import { suite } from '../support/suite.ts';

const test = suite('mail: STARTTLS');
const message = { to: 'mary@mail.example', subject: 'Your code', text: '314159 is your code.' };
const NO_STARTTLS =
  /^the mail server offers no STARTTLS, and smtp:\/\/ requires it: use smtps:\/\/, or, .*\?requireTLS=false/;

/** A server that notes each line it is told, and answers as given. */
async function talking(answers: Readonly<Record<string, string>>) {
  const heard: string[] = [];
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.write('220 mail.example\r\n');
    socket.on('data', data => {
      for (const line of String(data).trim().split('\r\n')) {
        heard.push(line);
        const [verb = ''] = line.split(' ');
        socket.write(`${answers[verb] ?? '502 what'}\r\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://user:open-sesame@127.0.0.1:${port}`, heard, close: () => server.close() };
}

async function sendBy(url: string, requireTls: boolean) {
  const lines: Record<string, unknown>[] = [];
  const log = {
    info: (detail: object) => void lines.push({ ...detail }),
    warn: (detail: object) => void lines.push({ ...detail }),
  };
  const mailer = await openMailer({ kind: 'smtp', url, requireTls }, 'no-reply@face.example', log);
  const failed = await mailer.send(message, AbortSignal.timeout(5_000)).then(
    () => false,
    () => true,
  );
  mailer.close();
  return { failed, line: lines.at(-1) };
}

const probed = (url: string, requireTls: boolean) =>
  probeMail({ kind: 'smtp', url, requireTls }).then(
    () => 'ok',
    (error: Error) => error.message,
  );

for (const [what, answers] of [
  ['offers none', { EHLO: '250-mail.example\r\n250 AUTH PLAIN LOGIN' }],
  ['offers it and does not do it', { EHLO: '250-mail.example\r\n250 STARTTLS', STARTTLS: '454 not now' }],
  ['knows no EHLO', { HELO: '250 mail.example' }],
] as const)
  test(`a server that ${what} gets neither password nor message`, async () => {
    const { url, heard, close } = await talking(answers);
    const { failed, line } = await sendBy(url, true);
    const found = await probed(url, true);
    close();
    assert.ok(failed);
    assert.equal(
      [...new Set(heard.map(one => one.split(' ')[0]))].filter(
        verb => !/^(EHLO|STARTTLS|QUIT)$/.test(String(verb)),
      ),
      [],
    );
    assert.ok(heard.length >= 2, 'both have spoken to it');
    if ('EHLO' in answers) {
      assert.match(String(line?.advice), NO_STARTTLS);
      assert.match(found, NO_STARTTLS);
    } else assert.match(String(line?.cause), /ECONNECTION 502/);
  });

test('a server whose certificate is not good gets nothing either', async () => {
  let got = 0;
  const server = new SMTPServer({
    authOptional: true,
    onAuth: (_, __, answer) => {
      got++;
      answer(null, { user: 'user' });
    },
    onData: (_, __, answer) => {
      got++;
      answer();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done));
  const url = `smtp://user:open-sesame@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  for (const requireTls of [true, false]) {
    const { failed, line } = await sendBy(url, requireTls);
    assert.ok(failed);
    assert.match(String(line?.cause), /ESOCKET/);
    assert.match(await probed(url, requireTls), /the certificate of the server was rejected/);
  }
  await new Promise<void>(done => server.close(() => done()));
  assert.is(got, 0);
});

test('unencrypted where that is wanted', async () => {
  const server = await smtpMailServer();
  const { failed } = await sendBy(server.url, false);
  const found = await probed(server.url, false);
  await server.close();
  assert.equal([failed, found, server.arrived.length], [false, 'ok', 1]);
});

test.run();
