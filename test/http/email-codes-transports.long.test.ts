/** Ways a message leaves and fails to: SMTP, HTTP and a folder; 503 where a user exists, and no code left pending. */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Answer, assertError, assertLacks, someEmail } from '../support/client.ts';
import { codeIn, freshCode, member, requestCode, signedIn, verifyCode } from '../support/codes.ts';
import { httpMailServer, type MailServer, smtpMailServer } from '../support/mail-servers.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: transports');
const kinds = { SMTP: smtpMailServer, HTTP: httpMailServer };
const servers: Record<string, MailServer> = {};
const runs: Record<string, Running> = {};
let none: Running;
test.before(async () => {
  for (const [kind, open] of Object.entries(kinds)) {
    const server = await open();
    servers[kind] = server;
    // Long enough for any answer of a server here.
    runs[kind] = await startService({ env: { MAIL_URL: server.url, MAIL_ANSWER_MS: '600' } });
  }
  none = await startService({ env: { MAIL_URL: '', MAIL_ANSWER_MS: '600' } });
});
test.after(async () => {
  for (const run of [...Object.values(runs), none]) await run?.close();
  for (const server of Object.values(servers)) await server.close();
});

const failed = (answer: Answer, note = '') => assertError(answer, 'email_send_failed', note);

for (const kind of ['SMTP', 'HTTP']) {
  const on = (): [Running, MailServer] => [runs[kind] as Running, servers[kind] as MailServer];
  /** Asks for a code that the server takes. */
  const take = async (app: TestApp, email: string) => {
    const [run, server] = on();
    const index = server.arrived.length;
    assert.is((await requestCode(run, app, email)).status, 202);
    return codeIn(await server.message(index));
  };
  /** Asks for a code that the server refuses, and gives both. */
  const refuse = async (app: TestApp, email: string) => {
    const [run, server] = on();
    const index = server.arrived.length;
    server.decide = () => 'refuse';
    const answer = await requestCode(run, app, email);
    server.decide = () => 'accept';
    return { answer, code: codeIn(await server.message(index)) };
  };

  test(`${kind}: a message that is refused is 503 email_send_failed, and its code does not work`, async () => {
    const [run] = on();
    const app = await run.createApp();
    const { email } = await member(run, app, { name: 'Somerville' });
    const { answer, code } = await refuse(app, email);
    failed(answer);
    assertLacks(answer, [email, code, 'Somerville', 'cannot deliver', '127.0.0.1']);
    assertError(await verifyCode(run, app, email, code), 'invalid_code');
    await signedIn(run, app, email, await take(app, email));
  });

  test(`${kind}: a refused message leaves the older code not pending either`, async () => {
    const [run] = on();
    const app = await run.createApp();
    const { email } = await member(run, app);
    const older = await take(app, email);
    failed((await refuse(app, email)).answer);
    assertError(await verifyCode(run, app, email, older), 'invalid_code');
  });
}

test('SMTP: a server without STARTTLS, where it is required, is 503 email_send_failed, and the log says how to fix it', async () => {
  const server = servers.SMTP as MailServer;
  const run = await startService({
    env: { MAIL_URL: `${server.url}?requireTLS=true`, MAIL_ANSWER_MS: '600' },
  });
  const app = await run.createApp();
  const { email } = await member(run, app);
  const before = server.arrived.length;
  failed(await requestCode(run, app, email));
  assert.is(server.arrived.length, before);
  const [line = ''] = run.logs.filter(one => one.includes('mail failed'));
  assert.match(JSON.parse(line).advice, /offers no STARTTLS.*smtps:.*requireTLS=false/);
  await run.close();
});

test('HTTP: a JSON POST to the address as set, with from, to, subject and text', async () => {
  const server = await httpMailServer('/hooks/send?key=a%20b');
  const run = await startService({ env: { MAIL_URL: server.url } });
  try {
    const app = await run.createApp({ name: 'Größe 天' });
    const { email } = await member(run, app);
    assert.is((await requestCode(run, app, email)).status, 202);
    const mail = await server.message(0);
    const body = JSON.parse(mail.source);
    assert.equal(Object.keys(body).sort(), ['from', 'subject', 'text', 'to']);
    assert.equal([body.from, body.to], ['Sign-in <no-reply@face.example>', email]);
    assert.ok(body.subject.includes('Größe 天'));
    assert.match(String(mail.headers['content-type']), /^application\/json\b/);
    await signedIn(run, app, email, codeIn(body));
    assert.is(server.arrived.length, 1);
  } finally {
    await run.close();
    await server.close();
  }
});

/** A server that takes connections and drops them. */
async function rudeServer() {
  const server = createServer(socket => socket.resetAndDestroy());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise(resolve => server.close(resolve)) };
}

for (const scheme of ['smtp', 'smtps', 'http']) {
  for (const state of ['hangs up', 'is not there'] as const) {
    test(`${scheme}: a server that ${state} is 503 for whom it knows, 202 for others`, async () => {
      const { port, close } = await rudeServer();
      if (state === 'is not there') await close();
      const url = `${scheme}://127.0.0.1:${port}/`;
      const run = await startService({ env: { MAIL_URL: url, MAIL_ANSWER_MS: '900' } });
      try {
        const app = await run.createApp();
        const { email } = await member(run, app);
        const both = [email, someEmail()].map(one => requestCode(run, app, one));
        const [known, unknown] = (await Promise.all(both)) as [Answer, Answer];
        failed(known);
        assert.is(unknown.status, 202);
      } finally {
        await run.close();
        if (state === 'hangs up') await close();
      }
    });
  }
}

test('folder: a message that cannot be written is 503, and the older code is gone', async () => {
  await using run = await startService({ env: { MAIL_ANSWER_MS: '600' } });
  const app = await run.createApp();
  const { email } = await member(run, app);
  const code = await freshCode(run, app, email);
  const folder = join(run.dataDir, 'mail');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  failed(await requestCode(run, app, email));
  assertError(await verifyCode(run, app, email, code), 'invalid_code');
});

test('without a transport: 503 email_unavailable where somebody has the address, 202 elsewhere', async () => {
  const app = await none.createApp();
  const { email } = await member(none, app);
  const answer = await requestCode(none, app, email.toUpperCase());
  assertError(answer, 'email_unavailable');
  assertLacks(answer, [email, 'Ada']);
  assert.is((await requestCode(none, app, someEmail())).status, 202);
  assertError(await requestCode(none, app, 'no address'), 'invalid_request');
});

test('without a transport: 503 email_unavailable however early the fixed moment is', async () => {
  await using run = await startService({ env: { MAIL_URL: '', MAIL_ANSWER_MS: '1' } });
  const app = await run.createApp();
  const { email } = await member(run, app);
  assertError(await requestCode(run, app, email), 'email_unavailable');
  assert.is((await requestCode(run, app, someEmail())).status, 202);
});

test.run();
