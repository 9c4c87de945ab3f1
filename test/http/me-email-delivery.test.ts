/** The email change and its message: the fixed moment of the answer, mail that fails, no mail at all, and test mode. */
import * as assert from 'uvu/assert';
import { assertError, enroll, enrolled, faces, iso, type Mode, someEmail, soon } from '../support/client.ts';
import { codeIn, freshCode, signedIn, TEST_CODE } from '../support/codes.ts';
import { httpMailServer, type MailServer, smtpMailServer, type Verdict } from '../support/mail-servers.ts';
import {
  changeEmail,
  confirmChange,
  deleteMe,
  profile,
  requestChange,
  sealedOf,
  storedBytes,
} from '../support/me.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-email-delivery');
const inFile = inFileOnly(test);
let silent: Running;
let slow: Running;
let mail: MailServer;
let posted: Running;
test.before(async () => {
  mail = await httpMailServer();
  silent = await startService({ env: { MAIL_URL: '', MAIL_FROM: '' } });
  slow = await startService({ env: { MAIL_ANSWER_MS: '400' } });
  posted = await startService({ env: { MAIL_URL: mail.url, MAIL_ANSWER_MS: '600' } });
});
test.after(async () => {
  for (const run of [silent, slow, posted]) await run?.close();
  await mail.close();
});

async function somebody(run: Running, mode: Mode = 'live') {
  const app = await run.createApp();
  return { app, ...(await enrolled(run, app, { mode })) };
}
const emailOf = async (run: Running, token: string) => (await profile(run, token)).user.email;
/** Asks with the mail server deciding so, and gives the code that reached it. */
async function asked(token: string, decide: MailServer['decide'], email = someEmail()) {
  const index = mail.arrived.length;
  mail.decide = decide;
  const answer = await requestChange(posted, token, email);
  mail.decide = () => 'accept';
  return { answer, email, code: codeIn(await mail.message(index)), message: await mail.message(index) };
}

test('a request is answered at the fixed moment, not before, also for an address that is taken', async () => {
  const { app, token } = await somebody(slow);
  const taken = await enrolled(slow, app, { descriptors: [faces.genuine(1)] });
  for (const [email, status] of [
    [someEmail(), 202],
    [taken.user.email, 409],
  ] as const) {
    const began = performance.now();
    const answer = await requestChange(slow, token, email);
    assert.is(answer.status, status, answer.text);
    assert.ok(performance.now() - began > 390, 'a timer may fire a moment early');
  }
});

test('a request that fails on its fields does not wait', async () => {
  const own = await startService({ env: { MAIL_ANSWER_MS: '8000' } });
  try {
    const { token } = await somebody(own);
    const began = performance.now();
    assertError(await requestChange(own, token, 'nobody'), 400, 'invalid_request');
    assert.ok(performance.now() - began < 6_000);
  } finally {
    await own.close();
  }
});

test('over HTTP the message is one, with one recipient and the code', async () => {
  const { token } = await somebody(posted);
  const before = mail.arrived.length;
  const { answer, email, code, message } = await asked(token, () => 'accept');
  assert.is(answer.status, 202, answer.text);
  assert.is(mail.arrived.length, before + 1);
  assert.equal(message.to, [email]);
  assert.is((await confirmChange(posted, token, code)).json?.user?.email, email);
});

test('over SMTP the message is one, with one recipient in envelope and header', async () => {
  const smtp = await smtpMailServer();
  const own = await startService({ env: { MAIL_URL: smtp.url, MAIL_ANSWER_MS: '300' } });
  try {
    const { user, token } = await somebody(own);
    const email = someEmail();
    assert.is((await requestChange(own, token, email)).status, 202);
    const message = await smtp.message(0);
    assert.equal(message.to, [email]);
    assert.equal(
      (message.headers.to ?? []).map(line => line.replace(/[<>]/g, '')),
      [email],
    );
    for (const name of ['cc', 'bcc']) assert.is(message.headers[name], undefined, name);
    assert.is((await confirmChange(own, token, codeIn(message))).status, 200);
    assert.equal((await smtp.message(1)).to, [user.email], 'the old address is told');
  } finally {
    await own.close();
    await smtp.close();
  }
});

test('a send that failed in time is 503 email_send_failed, and its code is none', async () => {
  const { user, token } = await somebody(posted);
  const { answer, code } = await asked(token, () => 'refuse');
  assertError(answer, 503, 'email_send_failed');
  assertError(await confirmChange(posted, token, code), 400, 'invalid_code');
  assert.is(await emailOf(posted, token), user.email);
});

test('a failed send leaves the older code retired as well', async () => {
  const { token } = await somebody(posted);
  const older = await asked(token, () => 'accept');
  const newer = await asked(token, () => 'refuse');
  assertError(newer.answer, 503, 'email_send_failed');
  for (const { code } of [older, newer])
    assertError(await confirmChange(posted, token, code), 400, 'invalid_code');
});

test('a send that is still running at the fixed moment is 202, and its code works', async () => {
  const { token } = await somebody(posted);
  const verdict = Promise.withResolvers<Verdict>();
  const { answer, email, code } = await asked(token, () => verdict.promise);
  assert.is(answer.status, 202, answer.text);
  assert.is((await confirmChange(posted, token, code)).json?.user?.email, email);
  verdict.resolve('accept');
});

test('a send that fails after the fixed moment retires its code', async () => {
  const { app, token } = await somebody(posted);
  const verdict = Promise.withResolvers<Verdict>();
  const { answer, email, code } = await asked(token, () => verdict.promise);
  assert.is(answer.status, 202, answer.text);
  verdict.resolve('refuse');
  await new Promise(resolve => setTimeout(resolve, 500));
  assertError(await confirmChange(posted, token, code), 400, 'invalid_code');
  await enrolled(posted, app, { descriptors: [faces.genuine(1)], fields: { email } });
});

inFile('a user deleted during the send is gone, however the send ends', async () => {
  for (const end of ['accept', 'refuse'] as const) {
    const { app, user, token } = await somebody(posted);
    const verdict = Promise.withResolvers<Verdict>();
    const { answer, email } = await asked(token, () => verdict.promise, `Held.${someEmail()}`);
    assert.is(answer.status, 202, answer.text);
    const sealed = Object.values(sealedOf(posted, user.id));
    const found = () => sealed.filter(end => storedBytes(posted).includes(end)).length;
    assert.is(found(), sealed.length, 'found before');
    assert.is((await deleteMe(posted, token)).status, 204);
    verdict.resolve(end);
    await new Promise(resolve => setTimeout(resolve, 300));
    assert.equal(posted.rows('SELECT 1 FROM email_codes WHERE user_id = ?', user.id), []);
    assert.is(found(), 0);
    assert.not.ok(storedBytes(posted).includes(email));
    assert.is((await enroll(posted, app)).status, 201);
  }
});

test('a change is applied although the old address cannot be told', async () => {
  const { user, token } = await somebody(posted);
  const { email, code } = await asked(token, () => 'accept');
  const index = mail.arrived.length;
  mail.decide = () => 'refuse';
  const answer = await confirmChange(posted, token, code);
  assert.equal((await mail.message(index)).to, [user.email]);
  mail.decide = () => 'accept';
  assert.is(answer.json?.user?.email, email, answer.text);
  assert.is(await emailOf(posted, token), email);
});

test('without a transport a request is 503 email_unavailable, and no code is pending', async () => {
  const { user, token } = await somebody(silent);
  assertError(await requestChange(silent, token, someEmail()), 503, 'email_unavailable');
  assertError(await confirmChange(silent, token, TEST_CODE), 400, 'invalid_code');
  assert.is(await emailOf(silent, token), user.email);
});

test('test mode needs no transport: the code is 000000', async () => {
  const { app, user, token } = await somebody(silent, 'test');
  const email = someEmail();
  const answer = await requestChange(silent, token, email);
  assert.is(answer.status, 202, answer.text);
  assert.equal(answer.json, { expires_at: iso(silent.clock.now() + 15 * 60_000) });
  assertError(await confirmChange(silent, token, '000001'), 400, 'invalid_code');
  const confirmed = await confirmChange(silent, token, TEST_CODE);
  assert.equal(confirmed.json, {
    user: { ...user, email, email_verified: true, last_sign_in_at: null },
  });
  const taken = await enroll(silent, app, {
    mode: 'test',
    descriptors: [faces.genuine(1)],
    fields: { email },
  });
  assertError(taken, 409, 'email_taken');
});

test('test mode sends no message, to the old address neither', async () => {
  const { user, token } = await somebody(slow, 'test');
  const before = slow.mails().length;
  const email = someEmail();
  await changeEmail(slow, token, email, 'test');
  await new Promise(resolve => setTimeout(resolve, 200));
  assert.is(slow.mails().length, before, `to ${user.email} or ${email}`);
});

test('test mode does not wait', async () => {
  const own = await startService({ env: { MAIL_ANSWER_MS: '8000' } });
  try {
    const { token } = await somebody(own, 'test');
    const began = performance.now();
    await changeEmail(own, token, someEmail(), 'test');
    assert.ok(performance.now() - began < 6_000);
  } finally {
    await own.close();
  }
});

test('the rules of the code hold in test mode: once, five attempts, 15 minutes, only when asked for', async () => {
  const { app, token } = await somebody(slow, 'test');
  const ask = async () => assert.is((await requestChange(slow, token, someEmail())).status, 202);
  const gone = async (note: string) =>
    assertError(await confirmChange(slow, token, TEST_CODE), 400, 'invalid_code', note);
  await gone('not asked for');
  await ask();
  assert.is((await confirmChange(slow, token, TEST_CODE)).status, 200);
  await gone('used');
  await ask();
  slow.clock.advance(15 * 60_000);
  await gone('expired');
  await ask();
  for (let n = 1; n <= 5; n++)
    assertError(await confirmChange(slow, token, `00000${n}`), 400, 'invalid_code');
  await gone('dead');
  const { user } = await profile(slow, token);
  assert.is(user.email_verified, true);
  slow.clock.advance(15 * 60_000);
  const code = await freshCode(slow, app, user.email, { mode: 'test' });
  assert.is((await signedIn(slow, app, user.email, code, { mode: 'test' })).user.email, user.email);
});

test('the code of test mode does nothing in live mode', async () => {
  const { token } = await somebody(slow);
  const email = someEmail();
  assert.is((await requestChange(slow, token, email)).status, 202);
  await soon(async () => slow.mails(email).length > 0, 'the message');
  const code = codeIn(slow.mails(email)[0] ?? { text: '' });
  if (code !== TEST_CODE) assertError(await confirmChange(slow, token, TEST_CODE), 400, 'invalid_code');
  assert.is((await confirmChange(slow, token, code)).status, 200);
});

test.run();
