/** The email change and its message: mail that fails, no mail at all, and test mode. */
import * as assert from 'uvu/assert';
import { assertError, enroll, enrolled, faces, iso, type Mode, someEmail } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { codeIn, TEST_CODE } from '../support/codes.ts';
import { httpMailServer, type MailServer, type Verdict } from '../support/mail-servers.ts';
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
let posted: Running;
const mail = openedFor(test, httpMailServer);
test.before(async () => {
  silent = await startService({ env: { MAIL_URL: '', MAIL_FROM: '' } });
  posted = await startService({ env: { MAIL_URL: mail.url, MAIL_ANSWER_MS: '600' } });
});

test.after(async () => {
  for (const run of [silent, posted]) await run?.close();
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

test('a send that failed in time is 503 email_send_failed, and its code is none', async () => {
  const { user, token } = await somebody(posted);
  const { answer, code } = await asked(token, () => 'refuse');
  assertError(answer, 'email_send_failed');
  assertError(await confirmChange(posted, token, code), 'invalid_code');
  assert.is(await emailOf(posted, token), user.email);
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
  assertError(await confirmChange(posted, token, code), 'invalid_code');
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
  assertError(await requestChange(silent, token, someEmail()), 'email_unavailable');
  assertError(await confirmChange(silent, token, TEST_CODE), 'invalid_code');
  assert.is(await emailOf(silent, token), user.email);
});

test('test mode needs no transport: the code is 000000', async () => {
  const { app, user, token } = await somebody(silent, 'test');
  const email = someEmail();
  const answer = await requestChange(silent, token, email);
  assert.is(answer.status, 202, answer.text);
  assert.equal(answer.json, { expires_at: iso(silent.clock.now() + 15 * 60_000) });
  assertError(await confirmChange(silent, token, '000001'), 'invalid_code');
  const confirmed = await confirmChange(silent, token, TEST_CODE);
  assert.equal(confirmed.json, {
    user: { ...user, email, email_verified: true, last_sign_in_at: null },
  });
  const taken = await enroll(silent, app, {
    mode: 'test',
    descriptors: [faces.genuine(1)],
    fields: { email },
  });
  assertError(taken, 'email_taken');
});

test('test mode sends no message, to the old address neither', async () => {
  const { user, token } = await somebody(posted, 'test');
  const before = mail.arrived.length;
  const email = someEmail();
  await changeEmail(posted, token, email, 'test');
  await new Promise(resolve => setTimeout(resolve, 200));
  assert.is(mail.arrived.length, before, `to ${user.email} or ${email}`);
});

test.run();
