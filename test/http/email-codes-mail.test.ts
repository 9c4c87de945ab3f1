/** The message with the code, as it leaves: one recipient, the app's name in the subject, the code in the text, nothing smuggled in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { soon } from '../support/client.ts';
import { openedFor } from '../support/closing.ts';
import { codeIn, freshCode, member, requestCode, signedIn } from '../support/codes.ts';
import { smtpMailServer } from '../support/mail-servers.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: mail');
const FROM = 'Sign-in <no-reply@face.example>';
const DAY = 86_400_000;
const smtp = openedFor(test, smtpMailServer);
const wire = openedFor(test, () => startService({ env: { MAIL_URL: smtp.url } }));
const run = serviceFor(test);

/** Sends one code over SMTP and gives the message. */
async function sent(name: string, email?: string) {
  const app = await wire.createApp({ name });
  const user = await member(wire, app, { ...(email && { email }) });
  const index = smtp.arrived.length;
  const answer = await requestCode(wire, app, user.email);
  assert.is(answer.status, 202, answer.text);
  return { app, email: user.email as string, mail: await smtp.message(index), index };
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: it asks for them
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

test('over SMTP: one recipient, a subject that names the app, and a code that signs in', async () => {
  for (const name of ['W', 'Größenwähler – 天気', '🌦'.repeat(100), 'Bcc: eve@example.com']) {
    const { app, email, mail, index } = await sent(name);
    assert.equal([mail.to, mail.from], [[email], 'no-reply@face.example'], 'the envelope');
    assert.equal(smtp.arrived.length, index + 1, 'one message');
    assert.ok(mail.subject.includes(name), `${mail.subject} names ${name}`);
    assert.not.match(mail.subject, CONTROL);
    await signedIn(wire, app, email, codeIn(mail));
  }
});

test('in a folder: one file of from, to, subject and text, which the log names and nothing of it', async () => {
  const folder = join(run.dataDir, 'mail');
  const app = await run.createApp({ name: 'Quiet Station' });
  const { email } = await member(run, app);
  const before = new Set(readdirSync(folder));
  const lines = run.logs.length;
  const code = await freshCode(run, app, email);
  const [name = '', ...more] = readdirSync(folder).filter(one => !before.has(one));
  assert.equal(more, []);
  const { subject, text, ...ends } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  assert.equal(ends, { from: FROM, to: email });
  assert.ok(subject.includes('Quiet Station') && text.includes(code));
  for (const part of [code, email]) assert.not.ok(name.includes(part), 'in the name');
  await soon(async () => run.logs.slice(lines).join('\n').includes(name), 'the file is named in the log');
  const said = run.logs.slice(lines).join('\n');
  for (const secret of [email, 'Quiet Station', 'no-reply']) assert.not.ok(said.includes(secret), secret);
  assert.not.match(said.replaceAll(name, ''), new RegExp(`(?<!\\d)${code}(?!\\d)`));
});

test('neither name nor id of the user, nor the subject, gives the code or the person away', async () => {
  const app = await run.createApp({ name: 'Weather' });
  const { id, email } = await member(run, app, { name: 'Somerville' });
  const code = await freshCode(run, app, email);
  const [mail] = run.mails(email);
  assert.not.ok(JSON.stringify(mail).includes(id), 'no id');
  assert.not.ok(mail?.subject.includes('Somerville'));
  assert.ok(mail?.text.includes(code));
});

test('while the address is unproven the message says since when a face has it, in UTC; afterwards it does not', async () => {
  const app = await run.createApp({ name: 'Weather' });
  run.clock.advance(Date.parse('2026-04-01T23:59:59.999Z') - run.clock.now());
  const { email } = await member(run, app);
  run.clock.advance(3 * DAY);
  const first = await freshCode(run, app, email);
  const unproven = run.mails(email).at(-1)?.text ?? '';
  assert.match(unproven, /A face was enrolled with this address on 2026-04-01 \(UTC\)\./);
  assert.match(unproven, /Entering the code confirms that face\./);
  assert.match(unproven, /tell Weather that the account is not yours/);
  await signedIn(run, app, email, first);
  const second = await freshCode(run, app, email);
  const proven = run.mails(email).find(({ text }) => text.includes(second))?.text ?? '';
  assert.is(
    proven,
    `${second} is your code to sign in to Weather.\n\nIt is valid for 10 minutes and can be used once. Do not share it.\n` +
      'If you did not request it, you can ignore this message.\n',
  );
});

test.run();
