/** The fixed moment of an answer, and sends that are still running then: 202, and their end decides about the code. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, call, type Json, server, someEmail } from '../support/client.ts';
import { codeIn, mailsTo, member, requestCode, signedIn, TEST_CODE, verifyCode } from '../support/codes.ts';
import { httpMailServer, type MailServer, smtpMailServer, type Verdict } from '../support/mail-servers.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: slow sends');
const kinds = { SMTP: smtpMailServer, HTTP: httpMailServer };
const servers: Record<string, MailServer> = {};
const runs: Record<string, Running> = {};
let late: Running;
test.before(async () => {
  for (const [kind, open] of Object.entries(kinds)) {
    const mail = await open();
    servers[kind] = mail;
    runs[kind] = await startService({ env: { MAIL_URL: mail.url, MAIL_ANSWER_MS: '500' } });
  }
  late = await startService({ env: { MAIL_ANSWER_MS: '400' } });
});
test.after(async () => {
  for (const run of [...Object.values(runs), late]) await run?.close();
  for (const mail of Object.values(servers)) await mail.close();
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

  test(`${kind}: a user deleted during the send is gone, and the end of the send is no trouble`, async () => {
    const { run, app, id, email } = await at();
    const { code, end } = await hold(app, email);
    const path = `/v1/users/${id}`;
    assert.is((await call(run, 'DELETE', path, { headers: server(app) })).status, 204);
    assertError(await verifyCode(run, app, email, code), 'invalid_code');
    await end('refuse');
    assert.is((await call(run, 'GET', '/health')).status, 200);
    assertError(await verifyCode(run, app, email, code), 'invalid_code');
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
      assert.ok(ms >= 500 - EARLY, `${answer.status}: ${ms} ms`);
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
