/** The ways a message leaves, each by itself: what arrives, what is a failure, what ends an attempt, what is logged. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type MailRoute, openMailer } from '../../src/adapters/mail/open-mailer.ts';
import type { Mailer, Message } from '../../src/ports/mailer.ts';
import { httpMailServer } from '../support/mail-servers.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('mail');
const FROM = 'Face sign-in <no-reply@face.example>';
const message: Message = {
  to: 'Mary.Somerville@mail.example',
  subject: 'Your code to sign in to Zoë’s 花店',
  text: '314159 is your code.\n\nDo not pass it on: über alles 👍\n',
};
/** What no log line may hold. */
const PRIVATE = [
  'somerville',
  'mail.example',
  '314159',
  'your code',
  'zoë',
  '花店',
  'open-sesame',
  'c2VjcmV0',
];
const never = () => new AbortController().signal;

/** A mailer and everything it has logged, which is looked at when it is closed. */
async function withMailer(
  route: MailRoute,
  body: (mailer: Mailer, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const write = (level: string) => (detail: object, text: string) =>
    void lines.push(JSON.stringify({ level, ...detail, text }));
  const mailer = await openMailer(route, FROM, { info: write('info'), warn: write('warn') });
  try {
    await body(mailer, lines);
  } finally {
    mailer.close();
  }
  for (const line of lines)
    for (const word of PRIVATE)
      assert.not(line.toLowerCase().includes(word.toLowerCase()), `${word}: ${line}`);
}

const failure = (sending: Promise<void>): Promise<Error & Record<string, unknown>> =>
  sending.then(
    () => assert.unreachable('the message was handed over'),
    error => error,
  ) as never;

// Files

test('each message is a file, for its owner alone, in a folder for its owner alone', async () => {
  const folder = join(tempFolder(), 'within', 'mail');
  await withMailer({ kind: 'file', folder }, async (mailer, lines) => {
    assert.not(existsSync(folder), 'made with the first message');
    await mailer.send(message, never());
    const [file = '', ...more] = readdirSync(folder);
    assert.equal(more, []);
    assert.equal(JSON.parse(readFileSync(join(folder, file), 'utf8')), { from: FROM, ...message });
    assert.is(statSync(folder).mode & 0o777, 0o700);
    assert.is(statSync(join(folder, file)).mode & 0o777, 0o600);
    assert.equal(lines, [JSON.stringify({ level: 'info', by: 'file', file, text: 'mail sent' })]);
  });
});

test('the names of files are in the order of the messages, over restarts too', async () => {
  const folder = tempFolder();
  for (let start = 0; start < 2; start++)
    await withMailer({ kind: 'file', folder }, async mailer => {
      for (let i = 0; i < 30; i++) await mailer.send({ ...message, subject: `${start * 30 + i}` }, never());
      // The next start may come within the same millisecond, where chance would decide.
      await new Promise(done => setTimeout(done, 5));
    });
  const subjects = readdirSync(folder)
    .sort()
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')).subject);
  assert.equal(
    subjects,
    Array.from({ length: 60 }, (_, i) => `${i}`),
  );
});

test('files appear whole', async () => {
  const folder = tempFolder();
  const broken: string[] = [];
  const text = 'x'.repeat(2_000_000);
  const look = () => {
    for (const file of readdirSync(folder).filter(name => name.endsWith('.json')))
      if (readFileSync(join(folder, file)).at(-1) !== 0x0a) broken.push(file);
  };
  const watching = watch(folder, look);
  await withMailer({ kind: 'file', folder }, async mailer => {
    const sending = Promise.all(Array.from({ length: 8 }, () => mailer.send({ ...message, text }, never())));
    let over = false;
    void sending.finally(() => {
      over = true;
    });
    while (!over) {
      look();
      await new Promise(done => setImmediate(done));
    }
    await sending;
  });
  watching.close();
  assert.equal(broken, []);
  const left = readdirSync(folder);
  assert.is(left.length, 8);
  assert.ok(
    left.every(file => file.endsWith('.json')),
    'no draft is left',
  );
});

test('a folder that cannot be made fails the message', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  await withMailer({ kind: 'file', folder: join(file, 'beneath') }, async (mailer, lines) => {
    await failure(mailer.send(message, never()));
    assert.equal(lines, ['{"level":"warn","by":"file","cause":"Error ENOTDIR","text":"mail failed"}']);
  });
});

// HTTP

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An endpoint that answers as told, and a mailer for it. */
async function withEndpoint(
  handler: Handler,
  body: (mailer: Mailer, lines: readonly string[], asked: IncomingMessage[]) => Promise<void>,
  user = '',
): Promise<void> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume();
    handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://${user}127.0.0.1:${port}/send?box=1`;
    await withMailer({ kind: 'http', url }, (mailer, lines) => body(mailer, lines, asked));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('HTTP: the endpoint gets one JSON object with one recipient', async () => {
  const server = await httpMailServer();
  await withMailer({ kind: 'http', url: server.url }, async (mailer, lines) => {
    await mailer.send(message, never());
    const { source, headers } = await server.message(0);
    assert.equal(JSON.parse(source), { from: FROM, ...message });
    assert.equal(headers['content-type'], ['application/json']);
    assert.is(headers.authorization, undefined);
    assert.equal(lines, ['{"level":"info","by":"http","text":"mail sent"}']);
  });
  await server.close();
});

const complaint = `cannot deliver ${message.text} to ${message.to}`;
for (const status of [200, 201, 202, 204, 299])
  test(`HTTP: ${status} is taken for handed over`, () =>
    withEndpoint(
      (_, response) => response.writeHead(status).end(status === 204 ? undefined : complaint),
      mailer => mailer.send(message, never()),
    ));
for (const status of [300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503])
  test(`HTTP: ${status} is a failure, and is not followed or tried again`, () =>
    withEndpoint(
      (_, response) =>
        response.writeHead(status, { location: '/elsewhere', 'retry-after': '0' }).end(complaint),
      async (mailer, lines, asked) => {
        const error = await failure(mailer.send(message, never()));
        assert.not.match(String(error.message), /Somerville|314159/);
        assert.equal(lines, [
          `{"level":"warn","by":"http","cause":"MailRefused ${status}","text":"mail failed"}`,
        ]);
        assert.equal(
          asked.map(({ method, url }) => `${method} ${url}`),
          ['POST /send?box=1'],
        );
      },
    ));

for (const [user, wanted] of [
  ['mailer:open-sesame@', 'mailer:open-sesame'],
  ['ma%40iler:open-sesame%3A%2F%C3%BC@', 'ma@iler:open-sesame:/ü'],
  [':open-sesame@', ':open-sesame'],
  ['mailer@', 'mailer:'],
] as const)
  test(`HTTP: the user of the address ${user} is sent as Basic, and not in the path`, () =>
    withEndpoint(
      (_, response) => response.writeHead(202).end(),
      async (mailer, _lines, asked) => {
        await mailer.send(message, never());
        const { authorization, host } = asked[0]?.headers ?? {};
        assert.is(authorization, `Basic ${Buffer.from(wanted).toString('base64')}`);
        assert.match(String(host), /^127\.0\.0\.1:\d+$/);
      },
      user,
    ));

test('HTTP: its signal ends an attempt that gets no answer', () =>
  withEndpoint(
    () => undefined,
    async (mailer, lines, asked) => {
      const ending = new AbortController();
      const sending = failure(mailer.send(message, ending.signal));
      while (asked.length === 0) await new Promise(done => setTimeout(done, 5));
      ending.abort();
      assert.is((await sending).name, 'AbortError');
      assert.match(
        lines.join('\n'),
        /^\{"level":"warn","by":"http","cause":"AbortError[ \w]*","text":"mail failed"\}$/,
      );
    },
  ));

for (const status of [200, 500])
  test(`HTTP: its signal ends an attempt whose answer ${status} does not end`, () =>
    withEndpoint(
      (_, response) => void response.writeHead(status).write(complaint),
      async mailer => {
        const ending = new AbortController();
        const sending = mailer.send(message, ending.signal);
        setTimeout(() => ending.abort(), 50);
        // The status alone decides, and it may have come before the end.
        if (status === 500) await failure(sending);
        else await sending.catch(() => undefined);
      },
    ));

test('HTTP: nothing is sent once the signal has ended', () =>
  withEndpoint(
    (_, response) => response.writeHead(202).end(),
    async (mailer, _lines, asked) => {
      await failure(mailer.send(message, AbortSignal.abort()));
      assert.is(asked.length, 0);
    },
  ));

test('HTTP: a server that is not there is a failure', async () => {
  const server = createPlainServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await withMailer({ kind: 'http', url: `http://127.0.0.1:${port}/` }, async (mailer, lines) => {
    await failure(mailer.send(message, never()));
    assert.equal(lines, ['{"level":"warn","by":"http","cause":"Error ECONNREFUSED","text":"mail failed"}']);
  });
});

test.run();
