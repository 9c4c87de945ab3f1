/** Options of the server SDK: a wrong one is refused when the verifier is made, by name, with the fix. */
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { createVerifier, type VerifierOptions } from '../../src/sdk/server/index.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: options');
const good = { issuer: 'https://face.example', appId: `app_${'A'.repeat(24)}`, mode: 'live' } as const;
const LIVE = `svc_sk_live_${'s'.repeat(32)}`;
const TEST = `svc_sk_test_${'s'.repeat(32)}`;
const PUBLISHABLE = `svc_pk_live_${'p'.repeat(24)}`;

const neverAnswers = () => new Promise(() => undefined);
const make = (options: object) => createVerifier({ ...good, ...options } as VerifierOptions);

test('what is right is taken', () => {
  const fine: object[] = [
    {},
    { mode: 'test' },
    { secretKey: LIVE },
    { secretKey: TEST, mode: 'test', verification: 'online', whenUnavailable: 'offline' },
    { secretKey: LIVE, verification: 'offline' },
    { revocations: false },
    ...[true, {}, { maxAgeSeconds: 5 }, { maxAgeSeconds: Number.POSITIVE_INFINITY, background: false }].map(
      revocations => ({ secretKey: LIVE, revocations, fetch: neverAnswers }),
    ),
    {
      secretKey: LIVE,
      revocations: { background: false },
      verification: 'online',
      whenUnavailable: 'offline',
    },
    { issuer: 'http://127.0.0.1:8080' },
    { issuer: 'https://face.example/path/' },
    { baseUrl: 'http://face-sign-in:8080', jwksUrl: 'https://cdn.example/jwks.json' },
    ...['localhost', 'shop.localhost', '127.8.9.1', '127.1', '[::1]'].map(host => ({
      issuer: `http://${host}:1`,
    })),
    ...['10.0.0.7', '172.31.0.1', '192.168.1.1', '[fd00::1]', 'localhost'].map(host => ({
      baseUrl: `http://${host}:8080/face`,
    })),
    { issuer: 'http://face.example', jwksUrl: 'http://face.example/jwks.json', allowHttp: true },
    { clockToleranceSeconds: 0, timeoutMs: 100, retries: 0 },
    { clockToleranceSeconds: 300, timeoutMs: 60_000, retries: 5 },
    { fetch: async () => new Response(), now: () => 0, requireVerifiedEmail: true },
  ];
  for (const options of fine) assert.not.throws(() => make(options).close(), inspect(options));
});

const HTTP = (name: string) => new RegExp(`^${name}: use https\\. .* allowHttp: true\\.$`);
const wrong: readonly (readonly [object, RegExp])[] = [
  ...[
    'face.example',
    'face',
    '10.0.0.7',
    'localhost.example',
    '127.0.0.1.example',
    '0.0.0.0',
    '[::2]',
    '128.0.0.1',
  ].map(host => [{ issuer: `http://${host}` }, HTTP('issuer')] as const),
  ...['face.example', '172.32.0.1', '11.0.0.7', '[2001:db8::1]', '192.169.0.1', 'fd00.example'].map(
    host => [{ baseUrl: `http://${host}` }, HTTP('baseUrl')] as const,
  ),
  [{ jwksUrl: 'http://cdn.example/jwks.json' }, HTTP('jwksUrl')],
  [{ issuer: 'http://face.example', allowHttp: 'yes' }, /^allowHttp: give true or false/],
  [{ issuer: undefined }, /^issuer: it is empty\. Is the environment variable set\? Or give an address/],
  [{ issuer: '' }, /^issuer: it is empty/],
  [{ issuer: 'face.example' }, /^issuer: .*https:/],
  [{ issuer: 'ftp://face.example' }, /^issuer: /],
  [{ issuer: 'https://user:word@face.example' }, /^issuer: /],
  [{ issuer: 'https://face.example?x' }, /^issuer: /],
  [{ issuer: ' https://face.example' }, /^issuer: /],
  [{ issuer: 7 }, /^issuer: /],
  [{ appId: undefined }, /^appId: it is empty\. Is the environment variable set\? Or give the id/],
  [{ appId: 'shop' }, /^appId: .*app_/],
  [{ appId: 'app_1 ' }, /^appId: /],
  [{ mode: undefined }, /^mode: .*"live" or "test"/],
  [{ mode: 'LIVE' }, /^mode: /],
  [{ secretKey: undefined }, /^secretKey: it is empty.*environment variable/],
  [{ secretKey: '' }, /^secretKey: it is empty/],
  [{ secretKey: null }, /^secretKey: /],
  [{ secretKey: PUBLISHABLE }, /^secretKey: this is a publishable key.*key create --type secret --mode live/],
  [{ secretKey: TEST }, /^secretKey: this is a test key.*mode is "live"/],
  [{ secretKey: LIVE, mode: 'test' }, /^secretKey: this is a live key.*mode is "test"/],
  [{ secretKey: LIVE.slice(0, -1) }, /^secretKey: give "svc_sk_live_" and 32 characters/],
  [{ secretKey: `${LIVE}\n` }, /^secretKey: /],
  [{ secretKey: 's'.repeat(44) }, /^secretKey: /],
  [{ verification: 'online' }, /^verification: "online" needs the option secretKey/],
  [{ verification: 'both' }, /^verification: /],
  [{ whenUnavailable: 'accept' }, /^whenUnavailable: /],
  [{ revocations: true }, /^revocations: .*secretKey/],
  [{ revocations: 'yes', secretKey: LIVE }, /^revocations: give true, or an object/],
  [{ revocations: null, secretKey: LIVE }, /^revocations: give true, or an object/],
  [
    { revocations: { maxAge: 60 }, secretKey: LIVE },
    /^There is no option "revocations.maxAge".*maxAgeSeconds/,
  ],
  ...[0, 4, 86_401, 5.5, '60', Number.NaN].map(
    maxAgeSeconds =>
      [
        { revocations: { maxAgeSeconds }, secretKey: LIVE },
        /^revocations.maxAgeSeconds: .*5 to 86,400/,
      ] as const,
  ),
  [{ revocations: { background: 1 }, secretKey: LIVE }, /^revocations.background: give true or false/],
  [
    { revocations: true, secretKey: LIVE, verification: 'online' },
    /^revocations: "online" asks about every token/,
  ],
  [{ requireVerifiedEmail: 'yes' }, /^requireVerifiedEmail: /],
  [{ clockToleranceSeconds: -1 }, /^clockToleranceSeconds: .*0 to 300/],
  [{ clockToleranceSeconds: 301 }, /^clockToleranceSeconds: /],
  [{ clockToleranceSeconds: Number.POSITIVE_INFINITY }, /^clockToleranceSeconds: /],
  [{ clockToleranceSeconds: '10' }, /^clockToleranceSeconds: /],
  [{ timeoutMs: 0 }, /^timeoutMs: .*100 to 60,000/],
  [{ retries: 1.5 }, /^retries: /],
  [{ baseUrl: '/api' }, /^baseUrl: /],
  [{ jwksUrl: 'jwks.json' }, /^jwksUrl: /],
  [{ fetch: 'fetch' }, /^fetch: /],
  [{ now: 0 }, /^now: /],
  [{ secretkey: LIVE }, /^There is no option "secretkey".*secretKey/],
  [{ audience: 'x' }, /^There is no option "audience"/],
];

for (const [options, message] of wrong) {
  test(`refused: ${inspect(options, { breakLength: Infinity })}`, () => {
    try {
      make(options);
    } catch (error) {
      assert.instance(error, TypeError);
      assert.match((error as Error).message, message);
      const isHttp = message.source.includes('use https');
      assert.is((error as { code?: string }).code, isHttp ? 'http_not_allowed' : undefined);
      for (const secret of [LIVE, TEST, PUBLISHABLE, 'word'])
        assert.not.ok(inspect(error).includes(secret), 'the message tells the value');
      return;
    }
    assert.unreachable('taken');
  });
}

test('no options at all are reported by name too', () => {
  assert.throws(() => createVerifier(undefined as unknown as VerifierOptions), /issuer, appId, mode/);
});

test('without a secret key users, usage and app say what is missing', async () => {
  const verifier = make({});
  const asking: (() => Promise<unknown>)[] = [
    () => verifier.users.list(),
    () => verifier.users.get('usr_1'),
    () => verifier.users.delete('usr_1'),
    () => verifier.users.all().next(),
    () => verifier.usage(),
    () => verifier.app(),
    () => verifier.events.list(),
    () => verifier.events.follow().next(),
  ];
  for (const ask of asking) {
    const error = (await ask().catch(thrown => thrown)) as Error;
    assert.instance(error, TypeError);
    assert.match(error.message, /secretKey/);
  }
});

test.run();
