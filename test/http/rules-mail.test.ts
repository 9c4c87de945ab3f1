/** Times of messages: how long one may take, and when a request that failed is answered. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Answer, assertError, enrolled, faces, someEmail } from '../support/client.ts';
import { codeIn, member, requestCode, signedIn, verifyCode } from '../support/codes.ts';
import { httpMailServer, type MailServer, smtpMailServer, type Verdict } from '../support/mail-servers.ts';
import { requestChange } from '../support/me.ts';
import { type Running, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: mail');
/** A timer may fire a moment early. */
const EARLY = 3;

/** Whether a code still signs in at this moment, and a while before: two people of one app, asked at once. */
async function heldUp(open: () => Promise<MailServer>): Promise<void> {
  const server = await open();
  const run = await startService({ env: { MAIL_URL: server.url } });
  try {
    const app = await run.createApp();
    const people = [await member(run, app), await member(run, app, { face: 1 })];
    server.decide = () => new Promise<Verdict>(() => undefined);
    const began = performance.now();
    for (const { email } of people) assert.is((await requestCode(run, app, email)).status, 202);
    const codes = await Promise.all([0, 1].map(async n => codeIn(await server.message(n))));
    const of = (n: number) => codes[server.arrived[0]?.to[0] === people[0]?.email ? n : 1 - n] ?? '';
    await delay(8_500 - (performance.now() - began));
    await signedIn(run, app, people[0]?.email, of(0));
    await delay(11_000 - (performance.now() - began));
    assertError(await verifyCode(run, app, people[1]?.email, of(1)), 'invalid_code');
  } finally {
    await run.close();
    await server.close();
  }
}

test('a message that the mail server keeps waiting is given up after ten seconds, and its code is retired', async () => {
  await Promise.all([heldUp(smtpMailServer), heldUp(httpMailServer)]);
});

async function timed(make: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const began = performance.now();
  const answer = await make();
  return { answer, ms: performance.now() - began };
}

test('a request for a change leaves at the fixed moment also when the address is taken or the message fails', async () => {
  const server = await httpMailServer();
  const run: Running = await startService({ env: { MAIL_URL: server.url, MAIL_ANSWER_MS: '400' } });
  try {
    const app = await run.createApp();
    const { token } = await enrolled(run, app);
    const other = await enrolled(run, app, { descriptors: [faces.genuine(1)] });
    const taken = await timed(() => requestChange(run, token, other.user.email));
    assertError(taken.answer, 'email_taken');
    server.decide = () => 'refuse';
    const failed = await timed(() => requestChange(run, token, someEmail()));
    assertError(failed.answer, 'email_send_failed');
    for (const { ms, answer } of [taken, failed]) assert.ok(ms >= 400 - EARLY, `${answer.status}: ${ms} ms`);
  } finally {
    await run.close();
    await server.close();
  }
});

test.run();
