/** Webhooks as the server SDK verifies them: Standard Webhooks 1.0.0. Its library judges in test/clients. */
import { createHmac } from 'node:crypto';
import * as assert from 'uvu/assert';
import { verifyWebhook, WebhookError, type WebhookHeaders } from '../../src/sdk/server/index.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: webhooks');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = 1_773_576_000_000;
const EVENT = {
  id: `evt_${'0'.repeat(25)}`,
  seq: 7,
  type: 'user.deleted',
  timestamp: '2026-03-15T12:00:00.000Z',
  data: { app_id: 'app_1', livemode: true, user_id: 'usr_ü', reason: 'self' },
} as const;
const BODY = JSON.stringify(EVENT);

const sign = (
  body: string | Uint8Array,
  { id = EVENT.id as string, at = NOW / 1_000, secret = SECRET } = {},
) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${at}.`)
    .update(body)
    .digest('base64')}`;
const headersOf = (signature: string, at: number | string = NOW / 1_000) => ({
  'webhook-id': EVENT.id,
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
});
const verify = (
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook(headers, body, secret, { now: () => NOW });

const good = headersOf(sign(BODY));
const upper = Object.fromEntries(Object.entries(good).map(([name, value]) => [name.toUpperCase(), value]));
const bytes = new TextEncoder().encode(BODY);
const accepted: [
  name: string,
  headers: WebhookHeaders,
  body?: string | Uint8Array | ArrayBuffer,
  secret?: string[],
][] = [
  ['an object of Node.js, and text', good],
  ['names in capitals', upper],
  ['Headers', new Headers(good)],
  ['bytes', good, bytes],
  ['a Buffer', good, Buffer.from(BODY)],
  ['a part of a larger buffer', good, Buffer.from(`xx${BODY}x`).subarray(2, -1)],
  ['an ArrayBuffer', good, bytes.buffer],
  [
    'during a roll: signed by both, and one of them is known',
    headersOf(`${sign(BODY, { secret: OTHER })} ${sign(BODY)}`),
  ],
  ['during a roll: both are known, and one has signed', good, BODY, [OTHER, SECRET]],
  [
    'a signature of a version to come beside it',
    headersOf(`v2,abc v1a,${sign(BODY).slice(3)} ${sign(BODY)}`),
  ],
  ...[-300, 300].map((off): [string, WebhookHeaders] => [
    `clocks that differ by ${off} s`,
    headersOf(sign(BODY, { at: NOW / 1_000 + off }), NOW / 1_000 + off),
  ]),
];
for (const [name, headers, body, secret] of accepted)
  test(`accepted: ${name}`, async () => {
    assert.equal(await verify(headers, body, secret), EVENT);
  });

const cut = sign(BODY).slice(0, -2);
const refused: [
  name: string,
  code: string,
  headers: WebhookHeaders,
  body?: string,
  secret?: string | string[],
][] = [
  ...Object.keys(good).flatMap((name): [string, string, WebhookHeaders][] => [
    [`without ${name}`, 'missing_header', { ...good, [name]: undefined }],
    [`${name} empty`, 'missing_header', { ...good, [name]: '' }],
    [`${name} twice`, 'missing_header', { ...good, [name]: ['a', 'b'] }],
  ]),
  ...['x', '-1', '1e9', '1773576000.5', ' 1773576000', `${NOW}`, NOW / 1_000 - 301, NOW / 1_000 + 301].map(
    (at): [string, string, WebhookHeaders] => [
      `sent at ${at}`,
      'timestamp',
      headersOf(sign(BODY, { at: at as number }), at),
    ],
  ),
  ['another body', 'signature', good, `${BODY} `],
  ['another id', 'signature', { ...good, 'webhook-id': 'evt_1' }],
  ['another moment', 'signature', headersOf(sign(BODY), NOW / 1_000 + 1)],
  ['another secret', 'signature', good, BODY, OTHER],
  ['no secret', 'signature', good, BODY, []],
  ['a signature cut', 'signature', headersOf(cut)],
  ['a signature that is no base64', 'signature', headersOf('v1,%%%')],
  ['a signature without its padding', 'signature', headersOf(sign(BODY).replace('=', ''))],
  ['an empty signature', 'signature', headersOf('v1,')],
  ['without its version', 'signature', headersOf(sign(BODY).slice(3))],
  ['of another version', 'signature', headersOf(sign(BODY).replace('v1', 'v2'))],
  ['behind ten others', 'signature', headersOf(`${'v1,AAAA '.repeat(10)}${sign(BODY)}`)],
  ['what is no JSON', 'malformed', headersOf(sign('{')), '{'],
  ['null', 'malformed', headersOf(sign('null')), 'null'],
  ['an object that is no event', 'malformed', headersOf(sign('{"id":"evt_1"}')), '{"id":"evt_1"}'],
];
for (const [name, code, headers, body, secret] of refused)
  test(`refused: ${name}`, async () => {
    const error = await verify(headers, body, secret).then(
      () => assert.unreachable('accepted'),
      thrown => thrown,
    );
    assert.instance(error, WebhookError);
    assert.is(error.code, code);
  });

const mistakes: [name: string, body: unknown, secret: unknown, message: RegExp][] = [
  ['a body that was parsed', EVENT, SECRET, /^body: pass it as it arrived/],
  ['no body', undefined, SECRET, /^body: /],
  ['a secret that is not set', BODY, undefined, /^secret: .*environment variable/],
  ['an empty secret', BODY, '', /^secret: /],
  ['the word alone', BODY, 'whsec_', /^secret: /],
  ['a secret key', BODY, `svc_sk_live_${'x'.repeat(32)}`, /^secret: /],
  ['one good, one not', BODY, [SECRET, ''], /^secret: /],
];
for (const [name, body, secret, message] of mistakes)
  test(`a mistake of the program: ${name}`, async () => {
    const error = await verifyWebhook(good, body as string, secret as string).catch(thrown => thrown);
    assert.instance(error, TypeError);
    assert.match(error.message, message);
    assert.not.ok(error.message.includes('svc_sk'));
  });

test('a changed bit anywhere is noticed', async () => {
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    const error = await verify(good, changed).catch(thrown => thrown);
    assert.is(error.code, 'signature', `byte ${at}`);
  }
});

test.run();
