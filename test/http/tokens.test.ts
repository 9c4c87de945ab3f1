/** Tokens as a verifier sees them. Forged ones: test/domain/token-verification.test.ts. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as assert from 'uvu/assert';
import { call, decoded, enrolled, verify } from '../support/client.ts';
import { appFor, serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('tokens');
let token: string;
let set: JSONWebKeySet;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  token = (await enrolled(run, app)).token;
  set = (await call(run, 'GET', '/.well-known/jwks.json')).json;
});

const part = (index: number) => token.split('.')[index] ?? '';

test('the header names ES256 and a key of the set', () => {
  const { header } = decoded(token);
  assert.is(header.alg, 'ES256');
  assert.ok(set.keys.some(key => key.kid === header.kid));
  for (const name of ['jwk', 'jku', 'x5c', 'x5u', 'crit']) assert.is(header[name], undefined);
  assert.is(Buffer.from(part(2), 'base64url').length, 64);
});

for (const mode of ['live', 'test'] as const) {
  test(`a ${mode} token verifies offline by the specified rules, and only by them`, async () => {
    const one = (await enrolled(run, await run.createApp(), { mode })).token;
    const keys = createLocalJWKSet(set);
    const audience = mode === 'live' ? 'svc' : 'svc_test';
    const rules = {
      algorithms: ['ES256'],
      issuer: run.base,
      audience,
      currentDate: new Date(run.clock.now()),
    };
    const { payload } = await jwtVerify(one, keys, rules);
    assert.is(payload.livemode, mode === 'live');
    assert.ok(Array.isArray(payload.aud) && payload.aud.includes(String(payload.app_id)));
    const wrong = [
      { audience: mode === 'live' ? 'svc_test' : 'svc' },
      { audience: app.id },
      { issuer: 'https://other.example' },
      { currentDate: new Date(run.clock.now() + 3_600_000) },
    ];
    for (const change of wrong) {
      const outcome = await jwtVerify(one, keys, { ...rules, ...change }).then(
        () => 'accepted',
        () => 'refused',
      );
      assert.is(outcome, 'refused', Object.keys(change).join());
    }
  });
}

for (const [base, issuer] of [
  ['https://id.example.com', 'https://id.example.com'],
  ['https://id.example.com/', 'https://id.example.com'],
]) {
  test(`BASE_URL ${base} is the issuer, without a slash at its end`, async () => {
    await using other = await startService({ env: { BASE_URL: base ?? '' } });
    const made = (await enrolled(other, await other.createApp())).token;
    assert.is(decoded(made).claims.iss, issuer);
  });
}

test('a token of another issuer is refused, though its key, app and user are the same', async () => {
  let other = await startService();
  try {
    const there = await other.createApp();
    const made = (await enrolled(other, there)).token;
    assert.is((await verify(other, there, made)).json.valid, true, 'the control');
    const before = other.base;
    other = await other.restart();
    assert.is.not(other.base, before, 'another port is another address, and so another issuer');
    assert.equal((await verify(other, there, made)).json, { valid: false, reason: 'invalid' });
    other.clock.advance(3_600_000);
    assert.equal(
      (await verify(other, there, made, 'test')).json,
      { valid: false, reason: 'invalid' },
      'the first fault',
    );
  } finally {
    await other.close();
  }
});

test('a token of another service is refused', async () => {
  await using other = await startService();
  const foreign = (await enrolled(other, await other.createApp())).token;
  assert.equal((await verify(run, app, foreign)).json, { valid: false, reason: 'invalid' });
  assert.equal((await verify(other, await other.createApp(), token)).json, {
    valid: false,
    reason: 'invalid',
  });
});

test.run();
