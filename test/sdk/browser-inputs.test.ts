/** What a page gives to a verb: mistakes are told before a camera is opened or anything is sent. */
import * as assert from 'uvu/assert';
import type { Client } from '../../src/sdk/browser/index.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { faces } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import { refused, SOME_KEY, uncalled, watched } from './browser-support.ts';

const test = suite('browser SDK: inputs');
const consent = { policyVersion: '2026-01', accepted: true };
const face = () => faces.genuine(0);
// biome-ignore lint/suspicious/noExplicitAny: what a page without types may give
type Anything = any;

function setUp() {
  const unopened = uncalled('the camera was opened');
  const unsent = uncalled('something was sent');
  const options = { encoder: syntheticEncoder(), capture: unopened, fetch: unsent };
  return watched({ publishableKey: SOME_KEY, baseUrl: 'http://127.0.0.1:1', ...options }).client;
}

const wrong: [name: string, descriptors: Anything, detail: RegExp][] = [
  ['no list', 'face', /^descriptors: must be an array/],
  ['null', null, /^descriptors: must be an array/],
  ['one descriptor without brackets', face(), /^descriptors: must be a list of lists/],
  ['one typed descriptor without brackets', Float32Array.from(face()), /^descriptors: must be an array/],
  ['none', [], /^descriptors: must hold 1 to 3 descriptors, not 0/],
  [
    'too many',
    [1, 2, 3, 4].map(n => faces.genuine(0, n)),
    /^descriptors: must hold 1 to 3 descriptors, not 4/,
  ],
  ['127 numbers', [face().slice(1)], /^descriptors\[0\]: must be an array of exactly 128 numbers/],
  [
    '129 numbers, in the second',
    [face(), [...face(), 0]],
    /^descriptors\[1\]: must be an array of exactly 128/,
  ],
  ['an object', [{ length: 128 }], /^descriptors\[0\]: must be an array/],
  ['bytes without numbers', [new DataView(new ArrayBuffer(128))], /^descriptors\[0\]: must be an array/],
  [
    'a text among the numbers',
    [face().with(7, '1' as Anything)],
    /^descriptors\[0\]\[7\]: must be a finite number/,
  ],
  [
    'not a number',
    [face(), face().with(127, Number.NaN)],
    /^descriptors\[1\]\[127\]: must be a finite number/,
  ],
  ['infinite', [Float32Array.from(face().with(0, 1e300))], /^descriptors\[0\]\[0\]: must be a finite number/],
  ['a hole', [Object.assign(new Array(128), { 0: 1 })], /^descriptors\[0\]\[1\]: must be a finite number/],
  ['big integers', [new BigInt64Array(128)], /^descriptors\[0\]\[0\]: must be a finite number/],
];
for (const [name, descriptors, detail] of wrong)
  test(`descriptors refused: ${name}`, async () => {
    const error = await refused(setUp().signIn({ descriptors }), 'invalid_request');
    assert.match(error.detail ?? '', detail);
  });

test('each verb has its own most descriptors', async () => {
  const six = [1, 2, 3, 4, 5, 6].map(n => faces.genuine(0, n));
  const email = 'ada@example.com';
  const error = await refused(setUp().enroll({ email, consent, descriptors: six }), 'invalid_request');
  assert.match(error.detail ?? '', /1 to 5/);
});

test('how many to capture is a number that the service takes', async () => {
  for (const count of [0, 4, 1.5, '2' as Anything, Number.NaN]) {
    const error = await refused(setUp().signIn({ capture: { count } }), 'invalid_request', String(count));
    assert.match(error.detail ?? '', /^capture\.count: must be a whole number from 1 to 3/);
  }
});

const refusals: [name: string, verb: (client: Client) => Promise<unknown>, code: Anything, detail: RegExp][] =
  [
    [
      'no consent',
      c => c.enroll({ email: 'a@example.com' } as Anything),
      'consent_required',
      /accepted: true/,
    ],
    [
      'consent not given',
      c => c.enroll({ email: 'a@example.com', consent: { ...consent, accepted: false } }),
      'consent_required',
      /once the person/,
    ],
    [
      'a word for consent',
      c => c.enroll({ email: 'a@example.com', consent: { ...consent, accepted: 'yes' as Anything } }),
      'consent_required',
      /accepted: true/,
    ],
    [
      'consent to nothing',
      c => c.enroll({ email: 'a@example.com', consent: { policyVersion: '', accepted: true } }),
      'invalid_request',
      /^consent\.policyVersion/,
    ],
    ['no email', c => c.enroll({ consent } as Anything), 'invalid_request', /^email: must be a string/],
    [
      'a number for a name',
      c => c.enroll({ email: 'a@example.com', name: 7 as Anything, consent }),
      'invalid_request',
      /^name: must be a string/,
    ],
    ['no email for a code', c => c.requestEmailCode(undefined as Anything), 'invalid_request', /^email/],
    [
      'a number for a code',
      c => c.signInWithEmailCode('a@example.com', 123456 as Anything),
      'invalid_request',
      /^code: must be a string/,
    ],
    ['no new name', c => c.rename({} as Anything), 'invalid_request', /^name/],
    ['no new address', c => c.requestEmailChange({} as Anything), 'invalid_request', /^newEmail/],
    ['no code for it', c => c.confirmEmailChange({} as Anything), 'invalid_request', /^code/],
  ];
for (const [name, verb, code, detail] of refusals)
  test(`refused: ${name}`, async () => {
    assert.match((await refused(verb(setUp()), code)).detail ?? '', detail);
  });

for (const nothing of [undefined, null])
  test(`${nothing} for options rejects as wrong ones do, and is fine where none are needed`, async () => {
    const client: Anything = setUp();
    await refused(client.enroll(nothing), 'consent_required');
    for (const verb of ['rename', 'requestEmailChange', 'confirmEmailChange'])
      await refused(client[verb](nothing), 'invalid_request', verb);
    for (const verb of ['profile', 'addTemplates', 'deleteAccount'])
      await refused(client[verb](nothing), 'not_signed_in', verb);
    await client.signOut(nothing);
    await refused(client.signIn(nothing), 'offline', 'it went on to the challenge');
  });

test.run();
