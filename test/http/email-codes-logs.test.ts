/** The log of email codes holds no code, address, name or token, whatever becomes of the request. */
import * as assert from 'uvu/assert';
import { browser, call, enrolled } from '../support/client.ts';
import { CODES_PATH, freshCode, signedIn, VERIFY_PATH, verifyCode, wrongCode } from '../support/codes.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('email-codes: logs');
const person = { email: 'Mary.Somerville@Example.com', name: 'Mary Somerville' };
const builtIn = undefined as unknown as string;
const run = serviceFor(test, {
  env: { LIMIT_CODE_PER_IP: builtIn, LIMIT_VERIFY_PER_IP: builtIn, LOG_LEVEL: 'debug' },
});

function assertSilent(secrets: string[], codes: string[], from = 0): void {
  const lines = run.logs.slice(from).filter(line => !line.includes('"listening"'));
  assert.ok(lines.length > 0, 'something is logged');
  for (const line of lines) {
    assert.type(JSON.parse(line), 'object');
    for (const secret of secrets)
      assert.not.ok(line.toLowerCase().includes(secret.toLowerCase()), `${secret} in ${line}`);
    // Ids, times and file names may hold any digits; a code stands by itself.
    for (const code of codes) assert.not.match(line, new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`));
  }
}

test('neither of a sign-in, nor of wrong codes, limits, lockout and broken bodies', async () => {
  const app = await run.createApp({ name: 'Quiet Station' });
  const ip = '203.0.113.77';
  const { token } = await enrolled(run, app, { ip, fields: person });
  const unknownEmail = 'caroline.herschel@example.com';
  const code = await freshCode(run, app, person.email, { ip });
  const found = await signedIn(run, app, person.email, code, { ip });
  const next = await freshCode(run, app, person.email, { ip });
  const wrongs = Array.from({ length: 6 }, (_, n) => wrongCode(next, n));
  for (const email of [person.email, unknownEmail])
    for (const wrong of wrongs) await verifyCode(run, app, email, wrong, { ip });
  const statuses: Record<string, number> = {};
  for (const [path, json] of [
    [CODES_PATH, { email: person.email }],
    [VERIFY_PATH, { email: person.email, code: next }],
  ] as const) {
    const body = JSON.stringify(json);
    const sends = [
      { headers: browser(app), raw: `${body}}` },
      { headers: browser(app), raw: body, type: 'text/plain' },
      { headers: browser(app, 'live', 'https://other.example'), raw: body },
      { headers: {}, raw: body },
      { headers: browser(app), json: { ...json, email: `${person.email},${person.email}` } },
      ...Array.from({ length: 12 }, () => ({ headers: browser(app), json })),
    ];
    for (const sent of sends) {
      const answer = await call(run, 'POST', path, { ip, ...sent });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
  }
  await call(run, 'POST', `${CODES_PATH}?email=${person.email}&code=${next}`, {
    headers: browser(app),
    json: { email: unknownEmail },
  });
  for (const status of ['400', '401', '403', '415', '429']) assert.ok(statuses[status], `a ${status}`);
  const secrets = [person.email, 'somerville', 'herschel', 'quiet station', token, found.token, ip];
  assertSilent(
    [...secrets, app.live.pk, ...[token, found.token].map((text: string) => text.split('.')[2] ?? '')],
    [code, next, ...wrongs],
  );
});

test.run();
