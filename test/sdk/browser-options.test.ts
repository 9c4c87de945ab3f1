/** Options of createClient: a wrong one throws at once, names itself and the fix, and never repeats a key. */
import * as assert from 'uvu/assert';
import { PREFIX } from '../../src/brand.ts';
import { KEY_LENGTH, KEY_TAG } from '../../src/domain/credentials.ts';
import { faceApiEncoder } from '../../src/sdk/browser/encoders/face-api.ts';
import { mobileFaceNetEncoder } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { onnxEncoder } from '../../src/sdk/browser/encoders/onnx.ts';
import { type ClientOptions, createClient } from '../../src/sdk/browser/index.ts';
import { nearest, unknownName, warnOfUnknown } from '../../src/sdk/browser/near.ts';
import { settingsOf } from '../../src/sdk/browser/options.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { suite } from '../support/suite.ts';
import { SOME_KEY, uncalled } from './browser-support.ts';

const test = suite('browser SDK: options and names');
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

const NAMES = ['publishable-key', 'base-url', 'mode', 'lang', 'no-switch', 'modelPath'];

test('a typo, another spelling and a swap are understood; another word is not', () => {
  const meant: Record<string, string | undefined> = {
    'publishable-key': 'publishable-key',
    publishableKey: 'publishable-key',
    publishable_key: 'publishable-key',
    'publishible-key': 'publishable-key',
    'bsae-url': 'base-url',
    baseurl: 'base-url',
    modelPth: 'modelPath',
    modelsPath: 'modelPath',
    moed: 'mode',
    made: 'mode',
    model: 'mode',
    node: 'mode',
    name: undefined,
    slot: undefined,
    '': undefined,
    constructor: undefined,
  };
  for (const [given, wanted] of Object.entries(meant)) assert.is(nearest(given, NAMES), wanted, given);
});

test('an unknown name is reported with what was meant, or else with all there are', () => {
  assert.is(unknownName('option', 'modelPth', NAMES), 'no option modelPth: did you mean modelPath?');
  assert.is(unknownName('option', 'colour', ['a', 'b']), 'no option colour: there are a, b');
});

test('each unknown option is warned of once, and none that exists', () => {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (line: string) => said.push(line);
  try {
    for (let n = 0; n < 2; n++) warnOfUnknown('it', { modelPth: 1, mode: 2 }, NAMES);
  } finally {
    console.warn = warn;
  }
  assert.equal(said, ['face-sign-in: it has no option modelPth: did you mean modelPath?']);
});

const WHOLE = { faceapi: async () => ({}), modelPath: '/model', weightsPath: '/weights', wasmPath: '/wasm' };

/** What making it comes to: warnings, then the error. */
function outcome(make: () => unknown): string[] {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (line: string) => said.push(line);
  try {
    make();
  } catch (error) {
    said.push(String(error));
  } finally {
    console.warn = warn;
  }
  return said;
}
// biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
const mobile = (options: any) => outcome(() => mobileFaceNetEncoder(options));

test('complete options say nothing', () => {
  assert.equal(mobile(WHOLE), []);
  const all = {
    detector: 'ssd',
    minConfidence: 0.4,
    inputSize: 320,
    threads: false,
    fallback: 'webgl',
    fmr: '1e-4',
  };
  assert.equal(mobile({ ...WHOLE, ...all }), []);
});

test('a misspelt option is warned of with what was meant', () => {
  assert.equal(mobile({ ...WHOLE, thread: true }), [
    'face-sign-in: mobileFaceNetEncoder has no option thread: did you mean threads?',
  ]);
  const { modelPath, ...rest } = WHOLE;
  assert.equal(mobile({ ...rest, modelPaht: modelPath }), [
    'face-sign-in: mobileFaceNetEncoder has no option modelPaht: did you mean modelPath?',
    'TypeError: mobileFaceNetEncoder: modelPath must be the URL of the folder `model` of @vladmandic/face-api.',
  ]);
});

for (const [name, options, wanted] of [
  ['no options', undefined, /^TypeError: mobileFaceNetEncoder: faceapi must be a function such as /],
  ['no faceapi', { ...WHOLE, faceapi: undefined }, /: faceapi must be a function/],
  ['faceapi as a path', { ...WHOLE, faceapi: '/face-api.esm.js' }, /: faceapi must be a function/],
  [
    'no weights',
    { ...WHOLE, weightsPath: undefined },
    /: weightsPath must be the URL of mobilefacenet\.f16\.$/,
  ],
  ['a number for the wasm', { ...WHOLE, wasmPath: 1 }, /: wasmPath must be the URL of the \.wasm files/],
  ['another detector', { ...WHOLE, detector: 'big' }, /: detector must be 'tiny' or 'ssd'\.$/],
  ['another rate', { ...WHOLE, fmr: '1e-3' }, /^RangeError: fmr must be one of/],
] as [string, unknown, RegExp][])
  test(`${name}: refused at once`, () => {
    const said = mobile(options);
    assert.is(said.length, 1, String(said));
    assert.match(said[0] ?? '', wanted);
  });

test('the other encoders check theirs too', () => {
  // biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
  const faceApi = (options: any) => outcome(() => faceApiEncoder(options));
  const { weightsPath, ...rest } = WHOLE;
  assert.equal(faceApi(rest), []);
  assert.match(
    faceApi({ ...rest, weightsPath })[0] ?? '',
    /^face-sign-in: faceApiEncoder has no option weightsPath: /,
  );
  // biome-ignore lint/suspicious/noExplicitAny: options as a page without types gives them
  const onnx = (options: any) => outcome(() => onnxEncoder(options));
  assert.match(
    onnx({ size: 112, layuot: 'nchw' })[0] ?? '',
    /onnxEncoder has no option layuot: did you mean layout\?$/,
  );
});

test.run();
