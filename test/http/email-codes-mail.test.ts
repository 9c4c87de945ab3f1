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
/** Sends over SMTP. */
/** Writes messages into a folder. */
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

const NAMES: [string, string][] = [
  ['plain', 'Weather Station'],
  ['of one character', 'W'],
  ['outside ASCII', 'Größenwähler – 天気'],
  ['outside the basic plane', '𝓦𝓮𝓪𝓽𝓱𝓮𝓻 🌦️'],
  ['of 100 code points outside ASCII', '天'.repeat(100)],
  ['of 100 code points outside the basic plane', '🌦'.repeat(100)],
  ['of 100 letters', 'abcdefghi '.repeat(10).trim().padEnd(100, 'z')],
  ['right to left', 'תחנת מזג האוויר'],
  ['that looks like a header', 'Bcc: eve@example.com'],
  ['that looks like an address', '"A, B" <eve@example.com>'],
  ['that looks encoded', '=?utf-8?Q?Bcc=3A?='],
  ['that looks like markup', '<b>W</b> &amp; %s $1 {{x}}'],
];
for (const [kind, name] of NAMES) {
  test(`over SMTP: one recipient, pure ASCII headers, and a subject that names an app ${kind}`, async () => {
    const { email, mail, index } = await sent(name);
    assert.equal(mail.to, [email], 'the envelope');
    assert.equal(smtp.arrived.length, index + 1, 'one message');
    assert.is(mail.from, 'no-reply@face.example');
    assert.ok(mail.subject.includes(name), `${mail.subject} names ${name}`);
    assert.not.match(mail.subject, CONTROL);
    const head = mail.source.slice(0, mail.source.indexOf('\r\n\r\n'));
    assert.not.match(head.replace(/\r\n/g, ''), /[^\t\x20-\x7e]/, 'headers are printable ASCII');
    for (const line of mail.source.split('\r\n')) assert.ok(line.length <= 998, 'a line too long');
    assert.equal(mail.headers.to?.length, 1);
    assert.is(mail.headers.to?.[0]?.replace(/[<>]/g, ''), email);
    for (const other of ['cc', 'bcc', 'resent-to', 'reply-to']) assert.is(mail.headers[other], undefined);
    assert.is(mail.headers.subject?.length, 1);
    assert.is(mail.headers.from?.[0]?.replaceAll('"', ''), FROM);
    codeIn(mail);
  });

  test(`in a folder: the same of an app ${kind}`, async () => {
    const app = await run.createApp({ name });
    const { email } = await member(run, app);
    const code = await freshCode(run, app, email);
    const [mail, ...more] = run.mails(email);
    assert.equal(more, []);
    assert.equal({ ...mail, subject: '', text: '' }, { from: FROM, to: email, subject: '', text: '' });
    assert.ok(mail?.subject.includes(name));
    assert.not.match(mail?.subject ?? '', CONTROL);
    assert.ok(mail?.text.includes(code));
  });
}

test('the code that arrives over SMTP signs in', async () => {
  const { app, email, mail } = await sent('Weather Station');
  await signedIn(wire, app, email, codeIn(mail));
});

test('the message goes to the address as it was enrolled, whatever the request wrote', async () => {
  const app = await wire.createApp();
  const { email } = await member(wire, app, { email: 'Mary.Somerville@Example.com' });
  const index = smtp.arrived.length;
  assert.is((await requestCode(wire, app, ' MARY.SOMERVILLE@EXAMPLE.COM ')).status, 202);
  const mail = await smtp.message(index);
  const plain = (address: string) => address.replace(/@.*/, domain => domain.toLowerCase());
  assert.equal(mail.to.map(plain), [plain(email)]);
});

for (const odd of ["o'neil+tag{x}|y=z@example.com", '!#$%&*/?^_`~-@example.com', '.a@example.com']) {
  test(`the address ${odd} is one recipient, unchanged`, async () => {
    const app = await wire.createApp();
    await member(wire, app, { email: odd });
    const index = smtp.arrived.length;
    const answer = await requestCode(wire, app, odd);
    assert.is(answer.status, 202, answer.text);
    const { to } = await smtp.message(index);
    // SMTP may quote a local part, which changes nothing about whose it is.
    assert.equal(
      to.map(address => address.replace(/^"(.*)"@/, '$1@')),
      [odd],
    );
  });
}

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

test('a file of the folder holds from, to, subject and text, and one message', async () => {
  const folder = join(run.dataDir, 'mail');
  const app = await run.createApp();
  const { email } = await member(run, app);
  const before = new Set(readdirSync(folder));
  await freshCode(run, app, email);
  const fresh = readdirSync(folder).filter(name => !before.has(name));
  assert.is(fresh.length, 1, fresh.join());
  const message = JSON.parse(readFileSync(join(folder, fresh[0] ?? ''), 'utf8'));
  assert.equal(Object.keys(message).sort(), ['from', 'subject', 'text', 'to']);
  assert.is(message.to, email);
  assert.not.ok(fresh[0]?.includes(codeIn(message)), 'no code in the name');
  assert.not.ok(fresh[0]?.includes(email), 'no address in the name');
});

test('the log names the file of a message, and nothing that is in it', async () => {
  const folder = join(run.dataDir, 'mail');
  const app = await run.createApp({ name: 'Quiet Station' });
  const { email } = await member(run, app);
  const before = new Set(readdirSync(folder));
  const lines = run.logs.length;
  const code = await freshCode(run, app, email);
  const [name = ''] = readdirSync(folder).filter(one => !before.has(one));
  await soon(async () => run.logs.slice(lines).join('\n').includes(name), 'the file is named in the log');
  const said = run.logs.slice(lines).join('\n');
  for (const secret of [email, 'Quiet Station', 'no-reply']) assert.not.ok(said.includes(secret), secret);
  assert.not.match(said.replaceAll(name, ''), new RegExp(`(?<!\\d)${code}(?!\\d)`));
});

test.run();
