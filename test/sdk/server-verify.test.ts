/** Offline verification by the server SDK: what a good token says, and the code of every kind of bad one beside it. */
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import type { VerificationCode, VerifierOptions } from '../../src/sdk/server/index.ts';
import { isVerificationError, VerificationError } from '../../src/sdk/server/index.ts';
import { decoded, enrolled, type Json, type Mode } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { codeOf, countedFetch, foreign, type Signer, signerOf, verifierOf } from './server-support.ts';

const test = suite('server SDK: offline verification');
const run = serviceFor(test);
const app = appFor(test, run);
const other = appFor(test, run);
let signer: Signer;
const issued: Record<Mode, Json> = { live: null, test: null };

test.before(async () => {
  for (const mode of ['live', 'test'] as const) issued[mode] = await enrolled(run, app, { mode });
  signer = await signerOf(run);
});

const live = () => issued.live.token as string;
const seconds = () => Math.floor(run.clock.now() / 1_000);
const resigned = (claims: Json, header: Json = {}) => signer.resigned(live(), claims, header);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a good token of either mode resolves to what it says', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { token, user, expires_at } = issued[mode];
    const said = await verifierOf(run, app, mode).verify(token);
    const { claims } = decoded(token);
    assert.equal(said, {
      sub: user.id,
      email: user.email,
      emailVerified: false,
      appId: app.id,
      amr: ['face'],
      livemode: mode === 'live',
      issuedAt: new Date(claims.iat * 1_000),
      expiresAt: new Date(expires_at),
      jti: claims.jti,
      checked: 'offline',
      raw: claims,
    });
  }
});

const wrong: readonly (readonly [string, VerificationCode, () => Promise<string> | string])[] = [
  ['of another issuer', 'issuer', () => resigned({ iss: 'https://other.example' })],
  ['for the audience of test mode', 'audience', () => resigned({ aud: ['svc_test', app.id] })],
  ['for another app as its audience', 'audience', () => resigned({ aud: ['svc', other.id] })],
  ['for the app alone', 'audience', () => resigned({ aud: [app.id] })],
  ['of another app behind our audience', 'audience', () => resigned({ app_id: other.id })],
  ['of another app', 'app', () => resigned({ app_id: other.id, aud: ['svc', other.id] })],
  ['of test mode', 'mode_mismatch', () => issued.test.token],
  [
    'of test mode, by livemode alone',
    'mode_mismatch',
    () => resigned({ livemode: false, aud: ['svc_test', app.id] }),
  ],
  ['expired', 'expired', () => resigned({ iat: seconds() - 7_200, exp: seconds() - 3_600 })],
  ['not valid yet', 'not_yet_valid', () => resigned({ nbf: seconds() + 600 })],
  ['with an address that is not proven', 'email_not_verified', () => resigned({ email_verified: false })],
  ['with an expiry that no date can tell', 'malformed', () => resigned({ exp: 8.64e12 + 1 })],
  ['by a key of nobody under our id', 'signature', () => foreign(live(), decoded(live()).header.kid)],
  ['by a key of nobody under its own id', 'signature', () => foreign(live(), 'k'.repeat(43))],
  [
    'with other claims than were signed',
    'signature',
    () => {
      const [head, , signature] = live().split('.');
      return `${head}.${part({ ...decoded(live()).claims, sub: 'usr_1' })}.${signature}`;
    },
  ],
  ['with crit', 'malformed', async () => `${part({ ...decoded(live()).header, crit: ['exp'] })}.${rest()}`],
  ['that is unsigned', 'malformed', () => `${part({ alg: 'none' })}.${live().split('.')[1]}.`],
  [
    'with a header nested 1,000 deep',
    'malformed',
    () =>
      `${Buffer.from(`{"alg":"ES256","kid":"k","more":${'['.repeat(1_000)}${']'.repeat(1_000)}}`).toString('base64url')}.${rest()}`,
  ],
  ['with claims nested 100,000 deep', 'malformed', () => deepClaims(100_000)],
  ['with claims nested 2,000 deep', 'malformed', () => deepClaims(2_000)],
  ['signed, but longer than 8,192 characters', 'malformed', () => resigned({ more: 'x'.repeat(7_000) })],
  ['with 10 MB of header', 'malformed', () => `${'e'.repeat(10_000_000)}.${rest()}`],
  ['with its last bits set', 'malformed', () => live().slice(0, -1) + twin(live().at(-1) as string)],
  ['with padding', 'malformed', () => `${live()}==`],
  ['behind its scheme', 'malformed', () => `Bearer ${live()}`],
  ['and a line end', 'malformed', () => `${live()}\n`],
  ['that is empty', 'malformed', () => ''],
];

const rest = () => live().split('.').slice(1).join('.');
const deepClaims = (depth: number) =>
  `${live().split('.')[0]}.${Buffer.from('['.repeat(depth)).toString('base64url')}.${live().split('.')[2]}`;
/** The same two bits of a signature, with others where no byte is. */
const twin = (last: string) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[last] ?? '';

for (const [what, code, make] of wrong) {
  test(`a token ${what} is refused as ${code}, its right twin accepted`, async () => {
    const verifier = verifierOf(run, app, 'live', { requireVerifiedEmail: true });
    const token = await make();
    assert.is(await codeOf(verifier.verify(token)), code);
    assert.is(await codeOf(verifier.verify(await resigned({ email_verified: true }))), 'accepted');
    await verifier.verify(token).catch(error => {
      assert.ok(isVerificationError(error));
      const reported = inspect(error, { depth: 9, showHidden: true });
      for (const secret of [token, issued.live.user.email, live().split('.')[2] as string])
        assert.not.ok(secret !== '' && reported.includes(secret), `${code} tells ${secret.slice(0, 40)}`);
    });
  });
}

test('what is no text is malformed', async () => {
  const verifier = verifierOf(run, app);
  for (const token of [undefined, null, 1, true, {}, [live()], { toString: live }, new String(live())])
    assert.is(await codeOf(verifier.verify(token as string)), 'malformed');
});

test('header and claims in another spelling of their bytes are malformed, although the signature holds', async () => {
  const { header, claims } = decoded(live());
  /** JSON whose base64url has bits to spare in its last character. */
  const spare = (value: object) =>
    [0, 1, 2]
      .map(n => Buffer.from(`${JSON.stringify(value)}${' '.repeat(n)}`).toString('base64url'))
      .find(text => text.length % 4 === 2) as string;
  const [head, body] = [spare(header), spare(claims)];
  const other = (text: string) =>
    text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
  const verifier = verifierOf(run, app);
  assert.equal(Buffer.from(other(head), 'base64url'), Buffer.from(head, 'base64url'));
  assert.is(await codeOf(verifier.verify(await signer.spelt(live(), head, body))), 'accepted');
  for (const [one, two] of [
    [other(head), body],
    [head, other(body)],
  ] as const)
    assert.is(await codeOf(verifier.verify(await signer.spelt(live(), one, two))), 'malformed');
});

test('a token without livemode counts as live', async () => {
  const token = await resigned({ livemode: undefined });
  const said = await verifierOf(run, app).verify(token);
  assert.is(said.livemode, true);
  assert.is(await codeOf(verifierOf(run, app, 'test').verify(token)), 'mode_mismatch');
});

test('the address is asked for as the call says, before what the verifier says', async () => {
  const strict = verifierOf(run, app, 'live', { requireVerifiedEmail: true });
  assert.is(await codeOf(strict.verify(live(), { requireVerifiedEmail: false })), 'accepted');
  assert.is(
    await codeOf(verifierOf(run, app).verify(live(), { requireVerifiedEmail: true })),
    'email_not_verified',
  );
});

for (const tolerance of [0, 10, 300]) {
  test(`clock tolerance of ${tolerance} s: to the millisecond`, async () => {
    let time = 0;
    const verifier = verifierOf(run, app, 'live', { clockToleranceSeconds: tolerance, now: () => time });
    const exp = seconds() + 3_600;
    const expiring = await resigned({ exp });
    time = (exp + tolerance) * 1_000 - 1;
    assert.is(await codeOf(verifier.verify(expiring)), 'accepted');
    time += 1;
    assert.is(await codeOf(verifier.verify(expiring)), 'expired');
    const beginning = await resigned({ nbf: exp - 600 });
    time = (exp - 600 - tolerance) * 1_000 - 1;
    assert.is(await codeOf(verifier.verify(beginning)), 'not_yet_valid');
    time += 1;
    assert.is(await codeOf(verifier.verify(beginning)), 'accepted');
  });
}

for (const [tolerance, ahead] of [
  [0, 60],
  [10, 60],
  [300, 300],
] as const)
  test(`issued ahead of the clock, with a tolerance of ${tolerance} s: good up to ${ahead} s`, async () => {
    let time = 0;
    const verifier = verifierOf(run, app, 'live', { clockToleranceSeconds: tolerance, now: () => time });
    const iat = seconds();
    const early = await resigned({ iat, exp: iat + 3_600 });
    time = (iat - ahead) * 1_000;
    assert.is(await codeOf(verifier.verify(early)), 'accepted');
    time -= 1;
    assert.is(await codeOf(verifier.verify(early)), 'invalid');
    time = (iat - 10 * 365 * 86_400) * 1_000;
    assert.is(await codeOf(verifier.verify(early)), 'invalid');
  });

test('a clock of no number refuses', async () => {
  assert.is(await codeOf(verifierOf(run, app, 'live', { now: () => Number.NaN }).verify(live())), 'expired');
});

test('the keys are asked for where the options say, and the issuer stays what tokens name', async () => {
  const elsewhere = run.base.replace('127.0.0.1', 'localhost');
  for (const options of [
    { baseUrl: elsewhere },
    { baseUrl: 'http://127.0.0.1:9', jwksUrl: `${run.base}/.well-known/jwks.json` },
    { issuer: `${run.base}/` },
  ] satisfies Partial<VerifierOptions>[])
    assert.is(
      await codeOf(verifierOf(run, app, 'live', options).verify(live())),
      'accepted',
      inspect(options),
    );
  assert.is(await codeOf(verifierOf(run, app, 'live', { issuer: elsewhere }).verify(live())), 'issuer');
});

test('what can be refused by its claims costs no request, and a thousand good tokens cost one', async () => {
  const counted = countedFetch();
  const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch });
  for (const make of [
    issued.test.token,
    await resigned({ exp: 0 }),
    await resigned({ iss: 'x' }),
    'nonsense',
  ])
    assert.is.not(await codeOf(verifier.verify(make)), 'accepted');
  assert.equal(counted.asked, {});
  const codes = await Promise.all(Array.from({ length: 1_000 }, () => codeOf(verifier.verify(live()))));
  assert.equal([...new Set(codes)], ['accepted']);
  assert.equal(counted.asked, { '/.well-known/jwks.json': 1 });
});

test('errors are reported by name and code, whichever copy of the package made them', () => {
  const copy = Object.assign(new Error('x'), { name: 'VerificationError', code: 'expired' });
  assert.ok(isVerificationError(copy) && isVerificationError(new VerificationError('expired')));
  for (const not of [new Error('x'), null, 'expired', Object.assign(new Error('x'), { code: 'expired' })])
    assert.not.ok(isVerificationError(not));
  assert.not.ok(
    isVerificationError(Object.assign(new Error('x'), { name: 'VerificationError', code: 'toString' })),
  );
});

test.run();
