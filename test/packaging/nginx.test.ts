/** The service behind nginx, as src/packaging/nginx.conf has it: TLS, callers' addresses, sizes, and what must not be seen. */

import * as assert from 'uvu/assert';
import { consent, faces } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { callerOf } from './caller.ts';
import { type Nginx, startNginx } from './nginx.ts';

const test = suite('packaging: nginx');
const ISSUER = 'https://face.example';
const LIMIT = 5;
let nginx: Nginx;
let app: TestApp;

const run = serviceFor(test, {
  env: { BASE_URL: ISSUER, TRUST_PROXY: '1', LIMIT_IP_PER_MINUTE: String(LIMIT) },
});
test.before(async () => {
  nginx = await startNginx(run.base);
  app = await run.createApp();
});
test.after(async () => {
  await nginx?.stop();
});

const from = (address: string, allowH2 = true) => callerOf(nginx.secure, app, address, allowH2);

test('a person enrolls and signs in through TLS, over HTTP/2 and HTTP/1.1, with a token of the public address', async () => {
  for (const [i, allowH2] of [true, false].entries()) {
    const ask = from(`127.0.1.${i + 1}`, allowH2);
    const challenge = async () => (await ask('POST', '/v1/challenges')).json.challenge_id;
    const person = { email: `p${i}@example.com`, descriptors: [faces.genuine(i)], consent };
    const enrolled = await ask('POST', '/v1/enroll', { challenge_id: await challenge(), ...person });
    assert.is(enrolled.status, 201, JSON.stringify(enrolled.json));
    const descriptors = [faces.genuine(i, 1)];
    const { status, json, headers } = await ask('POST', '/v1/match', {
      challenge_id: await challenge(),
      descriptors,
    });
    assert.is(status, 200);
    assert.is(json.user.id, enrolled.json.user.id);
    assert.is(JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString()).iss, ISSUER);
    assert.is(headers['access-control-allow-origin'], app.origin);
    assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/);
  }
});

test('each caller has a budget of its own, and no claim about an address gets another', async () => {
  const [one, other] = [from('127.0.2.1'), from('127.0.2.2')];
  const statuses: number[] = [];
  for (let i = 0; i < LIMIT + 2; i++)
    statuses.push(
      (await one('POST', '/v1/challenges', undefined, { 'x-forwarded-for': `198.51.100.${i}` })).status,
    );
  assert.equal(statuses, [...Array(LIMIT).fill(200), 429, 429]);
  assert.is((await other('POST', '/v1/challenges')).status, 200);
});

test('a body that is too large is refused by the service itself, which names the limit', async () => {
  const ask = from('127.0.3.1');
  const refused = await ask('POST', '/v1/enroll', { filler: 'x'.repeat(300_000) });
  assert.is(refused.status, 413);
  assert.match(refused.json.error.message, /262,?144|256 KB/);
});

test('the portal is not to be seen, and plain HTTP leads to TLS', async () => {
  const ask = from('127.0.4.1');
  for (const path of ['/metrics', '/try', '/internal/apps'])
    assert.is((await ask('GET', path)).status, 404, path);
  const plain = await fetch(`http://127.0.0.1:${nginx.plain}/v1/challenges`, { redirect: 'manual' });
  assert.equal([plain.status, plain.headers.get('location')], [301, 'https://127.0.0.1/v1/challenges']);
});

test("nginx' log has each request with its id, and neither an address nor a path", async () => {
  const { headers } = await from('127.0.5.1')('GET', '/health');
  const line = nginx
    .log()
    .split('\n')
    .find(text => text.includes(String(headers['x-request-id'])));
  assert.match(line ?? '', /^\S+ GET 200 \d+\.\d+ \S+$/);
  assert.not.match(nginx.log(), /127\.0\.|usr_|\/v1/);
});

test.run();
