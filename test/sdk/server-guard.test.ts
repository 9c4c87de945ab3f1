/** What all middlewares of the server SDK have in common: where the token is found, and what is answered without one. */
import * as assert from 'uvu/assert';
import { createGuard, type GuardOptions, isRefusal, type Refusal } from '../../src/sdk/server/guard.ts';
import type { VerificationCode, VerifyOptions } from '../../src/sdk/server/index.ts';
import { VerificationError, type VerifiedClaims } from '../../src/sdk/server/index.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: guard');
const claims = { sub: 'usr_1' } as VerifiedClaims;

/** A verifier that takes `good`, refuses other tokens by their own text as a code, and notes what it was asked. */
function verifierWith() {
  const asked: [string, VerifyOptions | undefined][] = [];
  const verifier = {
    async verify(token: string, options?: VerifyOptions) {
      asked.push([token, options]);
      if (token === 'good') return claims;
      if (token === 'broken') throw new RangeError('a fault of the program');
      const code = /^[a-z_]+$/.test(token) ? (token as VerificationCode) : 'malformed';
      throw new VerificationError(code, {
        cause: new Error('SECRET'),
        ...(code === 'rate_limited' && { retryAfter: 42 }),
      });
    },
  };
  return { verifier, asked };
}

const { verifier } = verifierWith();
const guardOf = (options?: GuardOptions) => createGuard(verifier, options);

async function refusal(
  options: GuardOptions | undefined,
  authorization?: string,
  cookies?: string,
): Promise<Refusal> {
  const outcome = await guardOf(options)(authorization, cookies);
  if (!isRefusal(outcome)) throw new Error('it passed');
  return outcome;
}
async function passed(options: GuardOptions | undefined, authorization?: string, cookies?: string) {
  const outcome = await guardOf(options)(authorization, cookies);
  if (isRefusal(outcome)) throw new Error(`refused with ${outcome.status}`);
  return outcome.claims;
}

test('a Bearer token is found however the scheme is written', async () => {
  for (const header of ['Bearer good', 'bearer good', 'BEARER  good', ' Bearer good '])
    assert.is(await passed(undefined, header), claims, header);
});

test('no token: 401 and how to bring one; nobody, where that is allowed', async () => {
  for (const header of [undefined, '', 'Basic dXNlcjpwYXNz', 'Bearerx good', 'good']) {
    const answer = await refusal(undefined, header);
    assert.equal(answer, {
      status: 401,
      headers: { 'cache-control': 'no-store', 'www-authenticate': 'Bearer' },
      body: { error: { code: 'unauthorized', message: 'Sign in first.' } },
    });
    assert.is(await passed({ optional: true }, header), null);
  }
});

const ABOUT_THE_TOKEN: readonly VerificationCode[] = [
  'malformed',
  'issuer',
  'audience',
  'app',
  'mode_mismatch',
  'expired',
  'not_yet_valid',
  'signature',
  'invalid',
  'revoked',
  'user_not_found',
];
const OUTAGES: readonly VerificationCode[] = [
  'keys_unavailable',
  'unauthorized',
  'unavailable',
  'rate_limited',
];

test('a bad token: the same 401 whatever its fault, also where nobody is allowed', async () => {
  for (const options of [{}, { optional: true }])
    for (const token of [...ABOUT_THE_TOKEN, '', 'good good', 'good,good'])
      assert.equal(await refusal(options, `Bearer ${token}`), {
        status: 401,
        headers: { 'cache-control': 'no-store', 'www-authenticate': 'Bearer error="invalid_token"' },
        body: { error: { code: 'unauthorized', message: 'Sign in again.' } },
      });
});

test('no fault of the token: 503 with Retry-After, so that nobody is signed out by an outage', async () => {
  for (const code of OUTAGES) {
    const { status, headers, body } = await refusal({ optional: true }, `Bearer ${code}`);
    assert.equal([status, body.error.code], [503, 'service_unavailable']);
    assert.is(headers['retry-after'], code === 'rate_limited' ? '42' : '5');
    assert.is(headers['www-authenticate'], undefined);
  }
});

test('an address that is not proven: 403', async () => {
  const { status, body } = await refusal({}, 'Bearer email_not_verified');
  assert.equal([status, body.error.code], [403, 'email_not_verified']);
});

test('no answer tells the cause; onRefused is told', async () => {
  for (const code of [...ABOUT_THE_TOKEN, ...OUTAGES, 'email_not_verified']) {
    const reported: VerificationError[] = [];
    const answer = await refusal({ onRefused: error => void reported.push(error) }, `Bearer ${code}`);
    assert.not.match(JSON.stringify(answer), /SECRET|signature|revoked|user_not|keys_/);
    assert.equal(
      reported.map(error => error.code),
      [code],
    );
    assert.match(String(reported[0]?.cause), /SECRET/);
  }
});

test('whether the address is asked for is for the verifier to say, unless the middleware does', async () => {
  const { verifier: noting, asked } = verifierWith();
  await createGuard(noting)('Bearer good', '');
  await createGuard(noting, { requireVerifiedEmail: true })('Bearer good', '');
  await createGuard(noting, { requireVerifiedEmail: false })('Bearer good', '');
  assert.equal(asked, [
    ['good', {}],
    ['good', { requireVerifiedEmail: true }],
    ['good', { requireVerifiedEmail: false }],
  ]);
});

test('a cookie is taken when asked for, and only by its name; the header wins', async () => {
  assert.is((await refusal({}, undefined, 'session=good')).status, 401);
  const cookie = { cookie: 'session' };
  for (const header of ['session=good', 'a=b; session=good', 'session="good";x', ' session=good ; c=d'])
    assert.is(await passed(cookie, undefined, header), claims, header);
  for (const header of ['xsession=good', 'Session=good', 'session =good', 'sessiongood', '', undefined])
    assert.equal((await refusal(cookie, undefined, header)).headers['www-authenticate'], 'Bearer', header);
  assert.is((await refusal(cookie, 'Bearer expired', 'session=good')).status, 401);
  assert.is(await passed(cookie, 'Bearer good', 'session=expired'), claims);
  assert.is(await passed(cookie, 'Basic x', 'session=good'), claims);
});

test('a cookie that is there twice is no token: the other one may be somebody else’s', async () => {
  const { headers } = await refusal(
    { cookie: 'session', optional: true },
    undefined,
    'session=good; session=good2',
  );
  assert.equal(headers['www-authenticate'], 'Bearer error="invalid_token"');
});

test('the answer waits for onRefused, and what fails there fails the request, not the program', async () => {
  const reported: string[] = [];
  const onRefused = async ({ code }: VerificationError) => {
    await new Promise(done => setTimeout(done, 10));
    reported.push(code);
    if (code === 'revoked') throw new Error('the log is full');
  };
  assert.is((await refusal({ onRefused }, 'Bearer expired')).status, 401);
  assert.equal(reported, ['expired']);
  const error = await guardOf({ onRefused })('Bearer revoked', '').catch(thrown => thrown);
  assert.is(error.message, 'the log is full');
});

test('a fault of the program is not an answer', async () => {
  const error = await guardOf()('Bearer broken', '').catch(thrown => thrown);
  assert.instance(error, RangeError);
});

test('wrong options are reported when the middleware is made', () => {
  const wrong: [unknown, object, RegExp][] = [
    [undefined, {}, /createVerifier/],
    [{}, {}, /createVerifier/],
    [verifier, { cookies: 'x' }, /no option "cookies"/],
    [verifier, { cookie: '' }, /^cookie: /],
    [verifier, { cookie: 'a=b' }, /^cookie: /],
    [verifier, { cookie: 'a b' }, /^cookie: /],
  ];
  for (const [of, options, message] of wrong)
    assert.throws(() => createGuard(of as typeof verifier, options), message);
});

test.run();
