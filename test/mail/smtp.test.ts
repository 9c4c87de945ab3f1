/** Mail by SMTP, against a real server: one recipient, headers that hold, refusals, and the end of an attempt. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openMailer } from '../../src/adapters/mail/open-mailer.ts';
import type { Mailer, Message } from '../../src/ports/mailer.ts';
import { openedFor } from '../support/closing.ts';
import { smtpMailServer } from '../support/mail-servers.ts';
import { suite } from '../support/suite.ts';

const test = suite('mail: SMTP');
const message: Message = {
  to: 'mary@mail.example',
  subject: 'Your code to sign in to Aster',
  text: '314159 is your code.\n\nDo not pass it on.\n',
};
/** How many messages are under way at once. */
const CONNECTIONS = 10;
let lines: string[] = [];
const server = openedFor(test, smtpMailServer);
const mailer = openedFor(test, () => mailerFor(server.url));

function mailerFor(url: string): Promise<Mailer> {
  lines = [];
  const write = (level: string) => (detail: object, text: string) =>
    void lines.push(JSON.stringify({ level, ...detail, text }));
  const log = { info: write('info'), warn: write('warn') };
  const route = { kind: 'smtp', url, requireTls: false, name: 'out.face.example' } as const;
  return openMailer(route, 'Face sign-in <no-reply@face.example>', log);
}
const never = () => new AbortController().signal;
const failure = (sending: Promise<void>): Promise<Error> =>
  sending.then(
    () => assert.unreachable('the message was handed over'),
    error => error,
  ) as never;

/** Sends and gives back what arrived. */
async function delivered(change: Partial<Message>) {
  const index = server.arrived.length;
  await mailer.send({ ...message, ...change }, never());
  return server.message(index);
}

test('a message arrives as it was sent, from the sender, at its one recipient', async () => {
  const { to, from, greeting, subject, text, headers } = await delivered({});
  assert.is(greeting, 'out.face.example', 'EHLO');
  assert.equal(to, [message.to]);
  assert.is(from, 'no-reply@face.example');
  assert.equal([subject, text.replaceAll('\r\n', '\n').trimEnd()], [message.subject, message.text.trimEnd()]);
  assert.equal(headers.to, [message.to]);
  assert.match(String(headers.from), /^"?Face sign-in"? <no-reply@face\.example>$/);
  for (const name of ['cc', 'bcc', 'reply-to']) assert.is(headers[name], undefined, name);
  assert.equal(lines.slice(-1), ['{"level":"info","by":"smtp","text":"mail sent"}']);
});

for (const to of [
  "o'brien+tag@mail.example",
  'first.last@sub.mail.example',
  '#!$%&*/=?^_`{|}~-@mail.example',
  '.a@mail.example',
  `${'a'.repeat(64)}@mail.example`,
])
  test(`the address ${to} is one recipient`, async () => {
    const arrived = await delivered({ to });
    // SMTP may quote a local part, which changes nothing about whose it is.
    assert.is(arrived.to.join().replace(/^"(.*)"@/, '$1@'), to);
  });

const subjects = [
  'Zoë’s 花店 👍',
  'é'.repeat(200),
  '天'.repeat(100),
  '🌦'.repeat(100),
  'תחנת מזג האוויר',
  '=?utf-8?Q?Bcc=3A?=',
  '<b>W</b> &amp; %s $1 {{x}}',
  `${'long '.repeat(60)}end`,
  'a =?utf-8?q?word?= that looks encoded',
  'Bcc: eve@mail.example',
  '"quoted", <angled>; (and) commas, @signs',
];
for (const subject of subjects)
  test(`the subject ${JSON.stringify(subject.slice(0, 40))} arrives whole, in ASCII`, async () => {
    const { subject: read, source, headers, to } = await delivered({ subject });
    assert.is(read, subject);
    const head = source.slice(0, source.indexOf('\r\n\r\n'));
    assert.match(head, /^[\x20-\x7e\r\n\t]*$/);
    assert.ok(
      head.split('\r\n').every(line => line.length <= 998),
      'no line is too long',
    );
    assert.is(headers.subject?.length, 1);
    assert.is(headers.bcc, undefined);
    assert.equal(to, [message.to]);
  });

test('texts arrive whole: other alphabets, long lines, lines of one dot', async () => {
  for (const text of [
    '314159 ist Ihr Code, 花店 👍\n',
    `314159 ${'x'.repeat(3_000)}\n`,
    '314159\n.\n..\nFrom here\n',
  ]) {
    const arrived = await delivered({ text });
    assert.is(arrived.text.replaceAll('\r\n', '\n').trimEnd(), text.trimEnd());
  }
});

test('many messages at once arrive once each', async () => {
  const before = server.arrived.length;
  const all = Array.from({ length: 40 }, (_, i) => `person${i}@mail.example`);
  await Promise.all(all.map(to => mailer.send({ ...message, to }, never())));
  const arrived = server.arrived.slice(before);
  assert.equal(arrived.map(({ to }) => to.join()).sort(), all.sort());
});

test('a message that is refused is a failure, and its reason is not logged', async () => {
  server.decide = () => 'refuse';
  await failure(mailer.send(message, never()));
  server.decide = () => 'accept';
  const line = lines.at(-1) ?? '';
  assert.match(line, /^\{"level":"warn","by":"smtp","cause":"[\w ]*550","text":"mail failed"\}$/);
  await delivered({});
});

test('its signal ends an attempt that the server does not answer', async () => {
  let release: (verdict: 'accept') => void = () => undefined;
  server.decide = () =>
    new Promise(done => {
      release = done;
    });
  const index = server.arrived.length;
  const ending = new AbortController();
  const sending = failure(mailer.send(message, ending.signal));
  await server.message(index);
  ending.abort();
  assert.is((await sending).name, 'AbortError');
  release('accept');
  server.decide = () => 'accept';
  await delivered({ to: 'next@mail.example' });
});

test('of many messages that end at once only those under way may still arrive', async () => {
  let release: (verdict: 'accept') => void = () => undefined;
  const held = new Promise<'accept'>(done => {
    release = done;
  });
  server.decide = () => held;
  const before = server.arrived.length;
  const ending = new AbortController();
  const all = Array.from({ length: 40 }, (_, i) => ({ ...message, to: `person${i}@mail.example` }));
  const sending = all.map(each => failure(mailer.send(each, ending.signal)));
  await server.message(before + CONNECTIONS - 1);
  ending.abort();
  for (const { name } of await Promise.all(sending)) assert.is(name, 'AbortError');
  release('accept');
  server.decide = () => 'accept';
  // Whatever still waited would have gone out before it.
  await delivered({ to: 'next@mail.example' });
  assert.is(server.arrived.length - before, CONNECTIONS + 1);
});

/** A server that answers, but never to an end, so that no time limit on silence is ever reached. */
async function trickling() {
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => undefined));
    socket.write('220 mail.example\r\n');
    const timer = setInterval(() => socket.write('250-more\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, sockets, server };
}

for (const end of ['signal', 'close'] as const)
  test(`its ${end} hangs up on a server that never comes to an end`, async () => {
    const slow = await trickling();
    const sender = await mailerFor(slow.url);
    const ending = new AbortController();
    const sending = failure(sender.send(message, ending.signal));
    while (slow.sockets.length === 0) await delay(5);
    await delay(50);
    const [socket] = slow.sockets as [Socket];
    const gone = new Promise(done => socket.once('close', () => done('gone')));
    if (end === 'signal') ending.abort();
    else sender.close();
    await sending;
    assert.is(await Promise.race([gone, delay(3_000)]), 'gone');
    sender.close();
    slow.server.close();
  });

test('nothing is sent once the signal has ended', async () => {
  const before = server.arrived.length;
  await failure(mailer.send(message, AbortSignal.abort()));
  await delivered({ to: 'after@mail.example' });
  assert.equal(
    server.arrived.slice(before).map(({ to }) => to),
    [['after@mail.example']],
  );
});

test('its signal ends an attempt at a server that does not greet', async () => {
  const sockets: Socket[] = [];
  const mute = createServer(socket => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const slow = await mailerFor(`smtp://mailer:open-sesame@127.0.0.1:${(mute.address() as AddressInfo).port}`);
  const ending = new AbortController();
  const sending = failure(slow.send(message, ending.signal));
  setTimeout(() => ending.abort(), 50);
  assert.is((await sending).name, 'AbortError');
  slow.close();
  for (const socket of sockets) socket.destroy();
  mute.close();
  assert.not.match(lines.join('\n'), /open-sesame|mary|314159/);
});

test('a server that is not there is a failure', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const nowhere = await mailerFor(`smtp://mailer:open-sesame@127.0.0.1:${port}`);
  await failure(nowhere.send(message, never()));
  nowhere.close();
  assert.match(
    lines.join('\n'),
    /^\{"level":"warn","by":"smtp","cause":"Error E\w+","text":"mail failed"\}$/,
  );
});

test.run();
