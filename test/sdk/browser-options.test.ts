/** Options of createClient: a wrong one throws at once, names itself and the fix, and never repeats a key. */
import * as assert from 'uvu/assert';
import { PREFIX } from '../../src/brand.ts';
import { KEY_LENGTH, KEY_TAG } from '../../src/domain/credentials.ts';
import { type ClientOptions, createClient } from '../../src/sdk/browser/index.ts';
import { settingsOf } from '../../src/sdk/browser/options.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { suite } from '../support/suite.ts';
import { SOME_KEY, uncalled } from './browser-support.ts';

const test = suite('browser SDK: options');
const good = { publishableKey: SOME_KEY, baseUrl: 'https://signin.example.com' };

test('keys are taken in the form in which the service makes them', () => {
  for (const mode of ['live', 'test'] as const) {
    const key = `${PREFIX}_${KEY_TAG.publishable}_${mode}_${'z'.repeat(KEY_LENGTH.publishable)}`;
    assert.is(createClient({ ...good, publishableKey: key }).mode, mode);
  }
});

test('the address is one, however it is written', () => {
  const cases: [string | URL, string][] = [
    ['https://signin.example.com', 'https://signin.example.com'],
    ['https://signin.example.com/', 'https://signin.example.com'],
    ['https://Signin.Example.com:443//', 'https://signin.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://example.com/face/', 'https://example.com/face'],
    [new URL('https://example.com/face'), 'https://example.com/face'],
  ];
  for (const [baseUrl, wanted] of cases) assert.is(settingsOf({ ...good, baseUrl }).baseUrl, wanted);
});

const SECRET = `svc_sk_live_${'S'.repeat(32)}`;
const wrong: [name: string, options: unknown, message: RegExp][] = [
  ['nothing', undefined, /options must be \{ publishableKey, /],
  ['no key', { baseUrl: good.baseUrl }, /publishableKey must be the publishable key.*svc_pk_live_/],
  ['an empty key', { ...good, publishableKey: '' }, /publishableKey must be/],
  [
    'a secret key',
    { ...good, publishableKey: SECRET },
    /publishableKey is a secret key: remove it from the page/,
  ],
  [
    'a key with a space',
    { ...good, publishableKey: `${SOME_KEY} ` },
    /publishableKey is not a key.*without spaces/,
  ],
  ['half a key', { ...good, publishableKey: SOME_KEY.slice(0, 20) }, /publishableKey is not a key.*complete/],
  ['no address', { publishableKey: SOME_KEY }, /baseUrl must be the URL/],
  ['an address without scheme', { ...good, baseUrl: 'signin.example.com' }, /baseUrl.*including https:\/\//],
  ['another scheme', { ...good, baseUrl: 'ftp://example.com' }, /baseUrl must start with https/],
  ['a host and port for a scheme', { ...good, baseUrl: 'localhost:8080' }, /baseUrl must start with https/],
  ['a query', { ...good, baseUrl: 'https://example.com/?a=1' }, /baseUrl must not contain a query/],
  ['a password', { ...good, baseUrl: 'https://a:b@example.com' }, /baseUrl must not contain a user name/],
  ['the path of the API', { ...good, baseUrl: 'https://example.com/v1/' }, /baseUrl must not end with \/v1/],
  ['no encoder', { ...good, encoder: {} }, /encoder must be a FaceEncoder/],
  ['null for an encoder', { ...good, encoder: null }, /encoder must be a FaceEncoder/],
  ...['x'.repeat(101), 'é', 'a\n', 7, null].map((id): [string, unknown, RegExp] => [
    `an encoder with the id ${JSON.stringify(id)}`,
    { ...good, encoder: { ...syntheticEncoder(), id } },
    /^createClient: encoder\.id must be 1 to 100 printable ASCII characters\.$/,
  ]),
  ['no function to capture', { ...good, capture: {} }, /capture must be a function/],
  ['no time', { ...good, timeout: 0 }, /timeout must be a number of milliseconds/],
  ['endless time', { ...good, timeout: Number.POSITIVE_INFINITY }, /timeout must be/],
  ['no number', { ...good, timeout: '15' }, /timeout must be/],
  ['a word', { ...good, firstParty: 'yes' }, /firstParty must be true or false/],
  ['no fetch', { ...good, fetch: 'fetch' }, /fetch must be a function/],
];
for (const [name, options, message] of wrong)
  test(`refused: ${name}`, () => {
    let error: unknown;
    try {
      createClient(options as ClientOptions);
    } catch (thrown) {
      error = thrown;
    }
    assert.instance(error, TypeError);
    const text = (error as TypeError).message;
    assert.match(text, /^createClient: /);
    assert.match(text, message);
    for (const secret of [SECRET, SOME_KEY.slice(0, 20)])
      assert.not.ok(text.includes(secret), 'no key is repeated');
  });

test('good options are taken, and nothing is sent or loaded for them', () => {
  const encoder = syntheticEncoder();
  encoder.load = uncalled('loaded');
  const unsent = uncalled('sent');
  const client = createClient({
    ...good,
    encoder,
    capture: unsent,
    timeout: 1,
    firstParty: true,
    fetch: unsent,
  });
  assert.is(client.mode, 'test');
  assert.is(client.session, null);
  assert.is(client.token, null);
});

test('an option that does not exist is warned of, once and without its value', async () => {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (line: string) => said.push(line);
  try {
    for (let n = 0; n < 2; n++) createClient({ ...good, publishablekey: SECRET, colour: 1 } as never);
    while (said.length < 2) await new Promise(resolve => setTimeout(resolve, 5));
  } finally {
    console.warn = warn;
  }
  assert.equal(said, [
    'face-sign-in: createClient has no option publishablekey: did you mean publishableKey?',
    'face-sign-in: createClient has no option colour: there are publishableKey, baseUrl, encoder, capture, timeout, firstParty, fetch',
  ]);
});

test.run();
