/**
 * Ways a message leaves and fails to: SMTP, HTTP and a folder; 503 where a user exists, and no code left pending. The fixed
 * moment of an answer, and sends that are still running then: 202, and their end decides about the code.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Answer, assertError, assertLacks, type Json, someEmail } from '../support/client.ts';
import {
  codeIn,
  freshCode,
  mailsTo,
  member,
  requestCode,
  signedIn,
  TEST_CODE,
  verifyCode,
} from '../support/codes.ts';
import { httpMailServer, type MailServer, smtpMailServer, type Verdict } from '../support/mail-servers.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: transports');
const kinds = { SMTP: smtpMailServer, HTTP: httpMailServer };
const servers: Record<string, MailServer> = {};
const runs: Record<string, Running> = {};
let none: Running;
let late: Running;
test.before(async () => {
  for (const [kind, open] of Object.entries(kinds)) {
    const server = await open();
    servers[kind] = server;
    // Long enough for any answer of a server here.
    runs[kind] = await startService({ env: { MAIL_URL: server.url, MAIL_ANSWER_MS: '600' } });
  }
  late = await startService({ env: { MAIL_ANSWER_MS: '400' } });
  none = await startService({ env: { MAIL_URL: '', MAIL_ANSWER_MS: '600' } });
});
test.after(async () => {
  for (const run of [...Object.values(runs), none, late]) await run?.close();
  for (const server of Object.values(servers)) await server.close();
});

const failed = (answer: Answer, note = '') => assertError(answer, 'email_send_failed', note);

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

async function timed(make: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const began = performance.now();
  const answer = await make();
  return { answer, ms: performance.now() - began };
}
/** A timer may fire a moment early. */
const EARLY = 3;
const settled = () => new Promise(resolve => setTimeout(resolve, 500));

for (const kind of ['SMTP', 'HTTP']) {
  /** Asks for a code whose message the server keeps waiting until `end` is called. */
  async function hold(app: TestApp, email: string) {
    const [run, mail] = [runs[kind] as Running, servers[kind] as MailServer];
    const verdict = Promise.withResolvers<Verdict>();
    const index = mail.arrived.length;
    mail.decide = () => verdict.promise;
    const answer = await requestCode(run, app, email);
    mail.decide = () => 'accept';
    const code = codeIn(await mail.message(index));
    const end = async (how: Verdict) => {
      verdict.resolve(how);
      await settled();
    };
    return { answer, code, end };
  }
  const at = async () => {
    const run = runs[kind] as Running;
    const app = await run.createApp();
    const { id, email } = (await member(run, app)) as Json;
    return { run, app, id, email, mail: servers[kind] as MailServer };
  };
  const fresh = async (run: Running, app: TestApp, email: string, mail: MailServer) => {
    const index = mail.arrived.length;
    assert.is((await requestCode(run, app, email)).status, 202);
    return codeIn(await mail.message(index));
  };

  test(`${kind}: a message that is refused is 503, and neither its code nor the older one works`, async () => {
    const { run, app, email, mail } = await at();
    const older = await fresh(run, app, email, mail);
    const index = mail.arrived.length;
    mail.decide = () => 'refuse';
    const answer = await requestCode(run, app, email);
    mail.decide = () => 'accept';
    const code = codeIn(await mail.message(index));
    failed(answer);
    assertLacks(answer, [email, code, 'Ada', 'cannot deliver', '127.0.0.1']);
    for (const one of [older, code]) assertError(await verifyCode(run, app, email, one), 'invalid_code');
    await signedIn(run, app, email, await fresh(run, app, email, mail));
  });

  test(`${kind}: a send that is still running is 202, and its code works at once`, async () => {
    const { run, app, email } = await at();
    const { answer, code, end } = await hold(app, email);
    assert.is(answer.status, 202, answer.text);
    await signedIn(run, app, email, code);
    await end('accept');
  });

  test(`${kind}: when it fails afterwards its code is retired`, async () => {
    const { run, app, email } = await at();
    const { answer, code, end } = await hold(app, email);
    assert.is(answer.status, 202, answer.text);
    await end('refuse');
    assertError(await verifyCode(run, app, email, code), 'invalid_code');
  });

  test(`${kind}: its failure leaves a newer code alone`, async () => {
    const { run, app, email, mail } = await at();
    const { code: older, end } = await hold(app, email);
    const newer = await fresh(run, app, email, mail);
    await end('refuse');
    if (older !== newer) assertError(await verifyCode(run, app, email, older), 'invalid_code');
    await signedIn(run, app, email, newer);
  });

  test(`${kind}: one slow send keeps nobody else waiting for theirs`, async () => {
    const { run, app, email, mail } = await at();
    const { end } = await hold(app, email);
    const other = await member(run, app, { face: 1 });
    await signedIn(run, app, other.email, await fresh(run, app, other.email, mail));
    await end('accept');
  });

  test(`${kind}: 202 and 503 leave at the fixed moment`, async () => {
    const { run, app, email, mail } = await at();
    const good = await timed(() => requestCode(run, app, email));
    const unknown = await timed(() => requestCode(run, app, someEmail()));
    mail.decide = () => 'refuse';
    const bad = await timed(() => requestCode(run, app, email));
    mail.decide = () => 'accept';
    assert.equal(
      [good, unknown, bad].map(one => one.answer.status),
      [202, 202, 503],
    );
    for (const { ms, answer } of [good, unknown, bad])
      assert.ok(ms >= 600 - EARLY, `${answer.status}: ${ms} ms`);
  });
}

test('the fixed moment is a setting, for addresses that somebody has and that nobody has', async () => {
  const app = await late.createApp();
  const { email } = await member(late, app);
  for (const one of [email, someEmail(), email, someEmail()]) {
    const { answer, ms } = await timed(() => requestCode(late, app, one));
    assert.is(answer.status, 202);
    assert.ok(ms >= 400 - EARLY, `${ms} ms`);
  }
});

test('without a setting the fixed moment is a second', async () => {
  await using run = await startService({ env: { MAIL_ANSWER_MS: undefined as unknown as string } });
  const app = await run.createApp();
  const { email } = await member(run, app);
  const both = [email, someEmail()].map(one => timed(() => requestCode(run, app, one)));
  for (const { answer, ms } of await Promise.all(both)) {
    assert.is(answer.status, 202);
    assert.ok(ms >= 1000 - EARLY, `${ms} ms`);
  }
});

test('test mode does not wait for the fixed moment', async () => {
  await using run = await startService({ env: { MAIL_ANSWER_MS: '9000' } });
  const app = await run.createApp();
  const { email } = await member(run, app, { mode: 'test' });
  const began = performance.now();
  for (const one of [email, someEmail()])
    assert.is((await requestCode(run, app, one, { mode: 'test' })).status, 202);
  await signedIn(run, app, email, TEST_CODE, { mode: 'test' });
  assert.ok(performance.now() - began < 9000, 'it waited');
});

test('a wrong code is answered after 50 ms at the earliest, whoever has the address and whatever is wrong', async () => {
  const app = await late.createApp();
  const [one, two] = [await member(late, app), await member(late, app, { face: 1 })];
  assert.is((await requestCode(late, app, one.email)).status, 202);
  const right = codeIn((await mailsTo(late, one.email, 1))[0] ?? { text: '' });
  const wrong = right === '123456' ? '123457' : '123456';
  for (const [email, code] of [
    [one.email, wrong],
    [two.email, wrong],
    [someEmail(), wrong],
    [one.email, wrong],
    [two.email, right],
    [someEmail(), right],
  ]) {
    const { answer, ms } = await timed(() => verifyCode(late, app, email, code));
    assertError(answer, 'invalid_code');
    assert.ok(ms >= 50 - EARLY, `${ms} ms`);
  }
  await signedIn(late, app, one.email, right);
});

test.run();
