/** POST /v1/email-codes: what it takes, and the one answer it gives whether or not anybody has the address. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  browser,
  call,
  iso,
  server,
  usage,
} from '../support/client.ts';
import {
  CODES_PATH,
  codeIn,
  freshCode,
  mailsTo,
  member,
  requestCode,
  signedIn,
  VERIFY_PATH,
} from '../support/codes.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const test = suite('email-codes: request');
const run = serviceFor(test);
const app = appFor(test, run);

let strangers = 0;
const stranger = () => `nobody${++strangers}@example.com`;

for (const mode of ['live', 'test'] as const) {
  test(`202 says when the code ends, ten minutes from now, and nothing else (${mode})`, async () => {
    const own = await run.createApp();
    const { email } = await member(run, own, { mode });
    run.clock.advance(1_234);
    const answer = await requestCode(run, own, email, { mode });
    assert.is(answer.status, 202, answer.text);
    assert.equal(answer.json, { expires_at: iso(run.clock.now() + 10 * MINUTE) });
  });

  test(`an address that nobody has gets the same answer as one that somebody has (${mode})`, async () => {
    const own = await run.createApp();
    const { email } = await member(run, own, { mode });
    const known = await requestCode(run, own, email, { mode });
    const unknown = await requestCode(run, own, stranger(), { mode });
    assert.is(unknown.status, 202, unknown.text);
    assert.is(unknown.text, known.text);
    const names = (answer: Answer) => Object.keys(answer.headers).sort();
    assert.equal(names(unknown), names(known));
  });
}

test('an address that nobody has gets no message', async () => {
  const own = await run.createApp();
  const { email } = await member(run, own);
  const before = run.mails().length;
  for (let n = 0; n < 3; n++) assert.is((await requestCode(run, own, stranger())).status, 202);
  await freshCode(run, own, email);
  assert.is(run.mails().length, before + 1, 'only the one that somebody has');
});

test('a known address gets one message per request', async () => {
  const own = await run.createApp();
  const { email } = await member(run, own);
  for (const count of [1, 2]) {
    await freshCode(run, own, email);
    assert.is(run.mails(email).length, count);
  }
});

for (const [name, write] of [
  ['in upper case', (email: string) => email.toUpperCase()],
  ['in lower case', (email: string) => email.toLowerCase()],
  ['with space around it', (email: string) => `  ${email}\t`],
] as const) {
  test(`the address is found ${name}, and the message goes to it as it was enrolled`, async () => {
    const own = await run.createApp();
    const { email } = await member(run, own, { email: `Ada.${++strangers}@Example.com` });
    const answer = await requestCode(run, own, write(email));
    assert.is(answer.status, 202, answer.text);
    await mailsTo(run, email, 1);
    assert.is(run.mails().filter(mail => mail.to.toLowerCase() === email.toLowerCase()).length, 1);
  });
}

test('requesting a code is no auth, and no sign-in', async () => {
  const own = await run.createApp();
  const { id, email } = await member(run, own);
  const before = usage(run, own);
  await freshCode(run, own, email);
  await requestCode(run, own, stranger());
  assert.equal(usage(run, own), before);
  const user = (await call(run, 'GET', `/v1/users/${id}`, { headers: server(own) })).json;
  assert.is(user.last_sign_in_at, null);
});

test('two codes of one user differ', async () => {
  const own = await run.createApp();
  const { email } = await member(run, own);
  const codes = new Set<string>();
  for (let n = 0; n < 4; n++) codes.add(await freshCode(run, own, email));
  assert.ok(codes.size > 1, 'not one fixed code');
});

/** Every spelling: fields.test.ts, and openapi-requests.test.ts for each route. */
const bad: [string, unknown][] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 5_000_111],
  ['an array', ['canary@example.com']],
  ['two addresses', 'canary@example.com,canary2@example.com'],
  ['with a line break', 'canary@example.com\r\nBcc: canary2@example.com'],
];
for (const [name, email] of bad) {
  test(`refused by name: an address that is ${name}`, async () => {
    for (const path of [CODES_PATH, VERIFY_PATH]) {
      const answer = await call(run, 'POST', path, {
        headers: browser(app),
        json: { email, code: '123456' },
      });
      assertError(answer, 'invalid_request', path);
      assert.match(answer.json.error.message, /^email\b/);
      assertLacks(answer, ['canary', '5000111', 'ddddd', 'bcc']);
    }
  });
}

test('fields that are not known change nothing, an app_id neither', async () => {
  const [own, other] = [await run.createApp(), await run.createApp()];
  const { email } = await member(run, own);
  const more = {
    app_id: other.id,
    challenge_id: 5,
    code: null,
    expires_at: 'x',
    mode: 'test',
    to: stranger(),
  };
  const raw = `{"email": 1, "__proto__": {"email": "x"}, ${JSON.stringify({ ...more, email }).slice(1)}`;
  const answer = await call(run, 'POST', CODES_PATH, { headers: browser(own), raw });
  assert.is(answer.status, 202, answer.text);
  const [mail] = await mailsTo(run, email, 1);
  await signedIn(run, own, email, codeIn(mail ?? { text: '' }));
});

test('a test key is taken from localhost', async () => {
  const answer = await requestCode(run, app, stranger(), { mode: 'test', origin: 'http://localhost:3000' });
  assert.is(answer.status, 202, answer.text);
});

test.run();
