import * as assert from 'uvu/assert';
import {
  assertError,
  browser,
  call,
  decoded,
  enrolled,
  faces,
  match,
  server,
  verify,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('tokens-verify');
const run = serviceFor(test);

for (const mode of ['live', 'test'] as const) {
  for (const made of ['enroll', 'match'] as const) {
    test(`a token of ${made} in ${mode} mode carries exactly the specified claims`, async () => {
      const app = await run.createApp();
      const first = await enrolled(run, app, { mode });
      run.clock.advance(1_500);
      const iat = Math.floor((made === 'match' ? run.clock.now() : run.clock.now() - 1_500) / 1000);
      const { token, user } = made === 'match' ? (await match(run, app, { mode })).json : first;
      const answer = await verify(run, app, token, mode);
      assert.is(answer.status, 200);
      assert.is(answer.json.valid, true, answer.text);
      const { jti, ...claims } = answer.json.claims;
      assert.match(jti, /^\S{16,}$/);
      assert.equal(claims, {
        iss: run.base,
        aud: [mode === 'live' ? 'svc' : 'svc_test', app.id],
        sub: user.id,
        app_id: app.id,
        email: user.email,
        iat,
        exp: iat + 3600,
        amr: ['face'],
        email_verified: false,
        livemode: mode === 'live',
      });
      assert.equal(decoded(token).claims, answer.json.claims);
      assert.equal(Object.keys(answer.json).sort(), ['claims', 'valid']);
    });
  }
}

test('every token has an id of its own', async () => {
  const app = await run.createApp();
  const tokens = [(await enrolled(run, app)).token];
  for (let n = 0; n < 5; n++) tokens.push((await match(run, app)).json.token);
  assert.is(new Set(tokens.map(token => decoded(token).claims.jti)).size, 6);
});

test('the issuer comes from the settings, never from Host or forwarded headers', async () => {
  const app = await run.createApp();
  const first = await enrolled(run, app);
  const spoofed = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const issued = await call(run, 'POST', '/v1/challenges', { headers: { ...browser(app), ...spoofed } });
  const json = { challenge_id: issued.json.challenge_id, descriptors: [faces.genuine(0)] };
  const answer = await call(run, 'POST', '/v1/match', { headers: { ...browser(app), ...spoofed }, json });
  assert.is(decoded(answer.json.token).claims.iss, run.base);
  const checked = { headers: { ...server(app), ...spoofed }, json: { token: first.token } };
  assert.is((await call(run, 'POST', '/v1/tokens/verify', checked)).json.valid, true);
});

test('a token ends exactly one hour after it was issued', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const end = decoded(token).claims.exp * 1000;
  run.clock.advance(end - 1_000 - run.clock.now());
  assert.is((await verify(run, app, token)).json.valid, true, 'a second before');
  run.clock.advance(1_000);
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'expired' });
  run.clock.advance(3_600_000 * 24);
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'expired' });
});

const malformed = [
  'a',
  '.',
  '..',
  '...',
  'a.b.c',
  'a.b.c.d',
  'a.b.c.d.e',
  'e30.e30.',
  'null',
  '{}',
  '\u0000',
  'ü.ü.ü',
  '💥',
];
for (const token of [...malformed, ' ', 'x'.repeat(60_000), `${'.'.repeat(60_000)}`]) {
  test(`a string that is no token is answered 200 invalid: ${JSON.stringify(token.slice(0, 20))}`, async () => {
    const app = await run.createApp();
    const answer = await verify(run, app, token);
    assert.is(answer.status, 200, answer.text);
    assert.equal(answer.json, { valid: false, reason: 'invalid' });
  });
}

for (const token of [undefined, null, '', 1, true, {}, [], ['a.b.c']]) {
  test(`a token that is ${JSON.stringify(token)} is a bad request`, async () => {
    const app = await run.createApp();
    const answer = await verify(run, app, token);
    assertError(answer, 'invalid_request');
    assert.match(answer.json.error.message, /(^|\W)token(\W|$)/);
  });
}

test.run();
