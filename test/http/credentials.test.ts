/** Which credential opens which route: kinds, forms, revocation. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  call,
  challenge,
  faces,
  type Headers,
  soon,
} from '../support/client.ts';
import { appFor, serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('credentials');
const run = serviceFor(test);
const app = appFor(test, run);

const browserRoutes = ['/v1/challenges', '/v1/enroll', '/v1/match'];
const serverRoutes: [string, string][] = [
  ['POST', '/v1/tokens/verify'],
  ['GET', '/v1/app'],
];

const flipped = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
const otherCase = (key: string) =>
  key.slice(0, 12) +
  [...key.slice(12)].map(c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });

const browserFaults: [string, (app: TestApp) => Headers][] = [
  ['none', () => ({})],
  ['an empty key', () => ({ 'x-svc-key': '' })],
  ['nonsense', () => ({ 'x-svc-key': 'nonsense' })],
  ['a prefix alone', () => ({ 'x-svc-key': 'svc_pk_live_' })],
  ['an unknown key of the right form', () => ({ 'x-svc-key': `svc_pk_live_${'A'.repeat(24)}` })],
  ['the secret key', of => ({ 'x-svc-key': of.live.sk })],
  ['the secret key as Bearer', of => bearer(of.live.sk)],
  ['the publishable key as Bearer', of => bearer(of.live.pk)],
  ['the last character changed', of => ({ 'x-svc-key': flipped(of.live.pk) })],
  ['letters in the other case', of => ({ 'x-svc-key': otherCase(of.live.pk) })],
  ['one character less', of => ({ 'x-svc-key': of.live.pk.slice(0, -1) })],
  ['one character more', of => ({ 'x-svc-key': `${of.live.pk}A` })],
  ['the live key named test', of => ({ 'x-svc-key': of.live.pk.replace('_live_', '_test_') })],
  ['the test key named live', of => ({ 'x-svc-key': of.test.pk.replace('_test_', '_live_') })],
  ['the key twice', of => ({ 'x-svc-key': [of.live.pk, of.live.pk] })],
  ['two keys', of => ({ 'x-svc-key': `${of.live.pk},${of.test.pk}` })],
  ['the key in another header', of => ({ 'x-api-key': of.live.pk })],
  ['the key with the scheme', of => ({ 'x-svc-key': `Bearer ${of.live.pk}` })],
  ['a very long key', of => ({ 'x-svc-key': of.live.pk + 'A'.repeat(8_000) })],
  ['the id of the app', of => ({ 'x-svc-key': of.id })],
  ['bytes above ASCII', () => ({ 'x-svc-key': 'svc_pk_live_\u00fc' })],
];
for (const [name, headers] of browserFaults) {
  test(`a browser route refuses ${name}`, async () => {
    for (const path of browserRoutes) {
      const sent = {
        headers: { origin: app.origin, ...headers(app) },
        json: { descriptors: [faces.genuine(0)] },
      };
      const answer = await call(run, 'POST', path, sent);
      assertError(answer, 401, 'unauthorized', path);
      assertLacks(answer, [app.live.pk, app.live.sk, app.test.pk, app.live.pk.slice(-8)]);
    }
  });
}

const serverFaults: [string, (app: TestApp) => Headers][] = [
  ['none', () => ({})],
  ['an empty header', () => ({ authorization: '' })],
  ['the scheme alone', () => ({ authorization: 'Bearer' })],
  ['nonsense', () => bearer('nonsense')],
  ['an unknown key of the right form', () => bearer(`svc_sk_live_${'A'.repeat(32)}`)],
  ['the publishable key', of => bearer(of.live.pk)],
  ['the publishable key from its Origin', of => ({ 'x-svc-key': of.live.pk, origin: of.origin })],
  ['the secret key in the other header', of => ({ 'x-svc-key': of.live.sk })],
  ['the secret key without the scheme', of => ({ authorization: of.live.sk })],
  ['Basic', of => ({ authorization: `Basic ${Buffer.from(`${of.live.sk}:`).toString('base64')}` })],
  ['the secret key as Basic text', of => ({ authorization: `Basic ${of.live.sk}` })],
  ['the last character changed', of => bearer(flipped(of.live.sk))],
  ['letters in the other case', of => bearer(otherCase(of.live.sk))],
  ['one character less', of => bearer(of.live.sk.slice(0, -1))],
  ['one character more', of => bearer(`${of.live.sk}A`)],
  ['the live key named test', of => bearer(of.live.sk.replace('_live_', '_test_'))],
  ['two keys', of => bearer(`${of.live.sk}, Bearer ${of.live.sk}`)],
  ['a very long key', of => bearer(of.live.sk + 'A'.repeat(8_000))],
  ['the id of the app', of => bearer(of.id)],
];
for (const [name, headers] of serverFaults) {
  test(`a server route refuses ${name}`, async () => {
    for (const [method, path] of serverRoutes) {
      const answer = await call(run, method, path, {
        headers: headers(app),
        ...(method === 'POST' && { json: { token: 'x' } }),
      });
      assertError(answer, 401, 'unauthorized', path);
      assertLacks(answer, [app.live.pk, app.live.sk, app.test.pk, app.live.sk.slice(-8)]);
    }
  });
}

test('a key in the query or the body is no credential', async () => {
  const query = `?key=${app.live.pk}&x-svc-key=${app.live.pk}&access_token=${app.live.sk}`;
  const headers = { origin: app.origin };
  assertError(await call(run, 'POST', `/v1/challenges${query}`, { headers }), 401, 'unauthorized');
  assertError(await call(run, 'GET', `/v1/app${query}`), 401, 'unauthorized');
  const json = { key: app.live.sk, authorization: `Bearer ${app.live.sk}`, token: 'x' };
  assertError(await call(run, 'POST', '/v1/tokens/verify', { json }), 401, 'unauthorized');
});

test('the keys have the specified forms', () => {
  for (const mode of ['live', 'test'] as const) {
    assert.match(app[mode].pk, new RegExp(`^svc_pk_${mode}_[0-9A-Za-z]{24}$`));
    assert.match(app[mode].sk, new RegExp(`^svc_sk_${mode}_[0-9A-Za-z]{32}$`));
  }
});

test('every refusal of a credential reads the same', async () => {
  const texts = new Set<string>();
  for (const [, headers] of browserFaults) {
    const sent = { headers: { origin: app.origin, ...headers(app) } };
    texts.add((await call(run, 'POST', '/v1/challenges', sent)).json.error.code);
  }
  assert.equal([...texts], ['unauthorized']);
  assert.is((await challenge(run, app)).challenge_id.slice(0, 3), 'ch_');
});

interface Issued {
  id: string;
  key: string;
}
const kinds: [string, string, (key: string) => Promise<Answer>][] = [
  [
    'publishable',
    'live',
    key => call(run, 'POST', '/v1/challenges', { headers: { 'x-svc-key': key, origin: app.origin } }),
  ],
  [
    'publishable',
    'test',
    key => call(run, 'POST', '/v1/challenges', { headers: { 'x-svc-key': key, origin: app.origin } }),
  ],
  ['secret', 'live', key => call(run, 'GET', '/v1/app', { headers: bearer(key) })],
  ['secret', 'test', key => call(run, 'GET', '/v1/app', { headers: bearer(key) })],
];
for (const [type, mode, use] of kinds) {
  test(`a ${mode} ${type} key works at once when it is made, and stops when it is revoked, alone`, async () => {
    const make = async () =>
      (await run.cli(['key', 'create', '--app', app.id, '--type', type, '--mode', mode])).json as Issued;
    const [doomed, other] = [await make(), await make()];
    await soon(async () => (await use(doomed.key)).status === 200, 'the new key works');
    assert.is((await use(other.key)).status, 200);
    await run.cli(['key', 'revoke', doomed.id]);
    await soon(async () => (await use(doomed.key)).status === 401, 'the revoked key is refused');
    assertError(await use(doomed.key), 401, 'unauthorized');
    assert.is((await use(other.key)).status, 200, 'the other key is untouched');
  });
}

test.run();
