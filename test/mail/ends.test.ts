/** What is told of each message: handed over or not, after how long, and whether others may have more luck. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import * as assert from 'uvu/assert';
import { type MailRoute, openMailer } from '../../src/adapters/mail/open-mailer.ts';
import type { MailEnd } from '../../src/ports/mailer.ts';
import { suite } from '../support/suite.ts';

const test = suite('mail: ends');
const log = { info: () => undefined, warn: () => undefined };
const message = { to: 'mary@mail.example', subject: 'Your code', text: '314159' };

/** Sends one message, and answers what was told of it. */
async function endOf(route: MailRoute): Promise<MailEnd> {
  const ends: MailEnd[] = [];
  const mailer = await openMailer(route, 'no-reply@face.example', log, end => void ends.push(end));
  const sent = await mailer.send(message, AbortSignal.timeout(5_000)).then(
    () => true,
    () => false,
  );
  mailer.close();
  const [end, ...more] = ends;
  assert.ok(end && more.length === 0, 'told once');
  assert.is(end.isSent, sent);
  assert.ok(end.seconds > 0 && end.seconds < 10);
  return end;
}

const refusing = { responseCode: 550 };
const no = () => Object.assign(new Error('no'), refusing);

async function bySmtp(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<MailEnd> {
  const server = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], authOptional: true, ...options });
  server.on('error', () => undefined);
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  try {
    return await endOf({ kind: 'smtp', url: `smtp://127.0.0.1:${port}`, requireTls: false });
  } finally {
    await new Promise<void>(done => server.close(() => done()));
  }
}

async function byHttp(status: number): Promise<MailEnd> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    return await endOf({ kind: 'http', url: `http://127.0.0.1:${port}/send` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const flagsOf = ({ isSent, isOfMessage }: MailEnd) => [isSent, isOfMessage];

test('handed over', async () => {
  assert.equal(
    flagsOf(await bySmtp({ onData: (stream, _, answer) => void stream.resume().on('end', () => answer()) })),
    [true, false],
  );
  assert.equal(flagsOf(await byHttp(202)), [true, false]);
  const folder = mkdtempSync(join(tmpdir(), 'mail-ends-'));
  assert.equal(flagsOf(await endOf({ kind: 'file', folder })), [true, false]);
  rmSync(folder, { recursive: true });
});

test('a recipient or a message that is refused says nothing of others', async () => {
  assert.equal(flagsOf(await bySmtp({ onRcptTo: (_, __, answer) => answer(no()) })), [false, true]);
  const onData = (stream: NodeJS.ReadableStream, _: unknown, answer: (error: Error) => void) =>
    void stream.resume().on('end', () => answer(no()));
  assert.equal(flagsOf(await bySmtp({ onData })), [false, true]);
  for (const status of [400, 422]) assert.equal(flagsOf(await byHttp(status)), [false, true], `${status}`);
});

test('a server that is not there, takes nobody, or does not know us fails them all', async () => {
  assert.equal(flagsOf(await endOf({ kind: 'http', url: 'http://127.0.0.1:1' })), [false, false]);
  const smtp = { kind: 'smtp', url: 'smtp://127.0.0.1:1' } as const;
  assert.equal(flagsOf(await endOf({ ...smtp, requireTls: false })), [false, false]);
  assert.equal(flagsOf(await bySmtp({ onConnect: (_, answer) => answer(no()) })), [false, false]);
  assert.equal(flagsOf(await bySmtp({ onMailFrom: (_, __, answer) => answer(no()) })), [false, false]);
  for (const status of [401, 403, 404, 429, 500])
    assert.equal(flagsOf(await byHttp(status)), [false, false], `${status}`);
});

test.run();
