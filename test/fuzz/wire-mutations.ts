/**
 * Changes of what is sent. Of bytes: what is no UTF-8, no JSON, no object, or of a length at the edge of what is accepted.
 * Of headers: what the body claims to be, the credential and how it is sent, where the page is.
 */
import fc from 'fast-check';
import { KEY_HEADER, SESSION_COOKIE } from '../../src/brand.ts';
import { BODY_BYTES, ENROLL_BODY_BYTES } from '../../src/protocol/limits.ts';
import { type Change, changeOf, pickedBy } from './change.ts';
import type { Wire } from './request.ts';
import { strangeTexts } from './values.ts';

/** Not UTF-8 (lone, overlong, surrogates, beyond Unicode), or bytes that JSON has no place for. */
// biome-ignore format: a list to be read at one go
const BAD = [
  'ff', 'c080', 'eda080', 'f4908080', '80', 'e282', '00', '0a', '1f', '7f', 'efbbbf', 'feff', '5c', '22', '7d', '2c', '20',
  'c2a0', '5b', '295d7d272c0a', '2f2f0a', '7b7d',
].map(hex => Buffer.from(hex, 'hex'));
// biome-ignore format: a list to be read at one go
const WHOLE = [
  '', ' ', 'null', 'true', '0', '"{}"', '[]', '[{}]', '{}', '{', '{"a"}', '{,}', 'a=b&c=d', '[1]{}', '{}{}', '<xml/>',
  '{"__proto__":null}', '\u0000', '['.repeat(9_000), '{"a":'.repeat(9_000),
];
const SIZES = [...[BODY_BYTES, ENROLL_BODY_BYTES].flatMap(size => [size - 1, size, size + 1]), 1_000_000];
const padding = (bytes: Buffer, at: number) =>
  Buffer.alloc(Math.max(0, pickedBy(at, SIZES) - bytes.length), ' ');

const BYTES: Record<string, (bytes: Buffer, at: number, place: number) => Buffer | Buffer[]> = {
  truncate: (bytes, _, n) => bytes.subarray(0, n),
  cut: (bytes, at, n) => [bytes.subarray(0, n), bytes.subarray(n + 1 + (at % 8))],
  flip: (bytes, at, n) => [
    bytes.subarray(0, n),
    Buffer.from([(bytes[n] ?? 0) ^ (1 << (at % 8))]),
    bytes.subarray(n + 1),
  ],
  insert: (bytes, at, n) => [bytes.subarray(0, n), pickedBy(at, BAD), bytes.subarray(n)],
  prefix: (bytes, at) => [pickedBy(at, BAD), bytes],
  suffix: (bytes, at) => [bytes, pickedBy(at, BAD)],
  whole: (_, at) => Buffer.from(pickedBy(at, WHOLE)),
  'pad before': (bytes, at) => [padding(bytes, at), bytes],
  'pad after': (bytes, at) => [bytes, padding(bytes, at)],
  utf16: bytes => Buffer.from(bytes.toString(), 'utf16le'),
};
export const byteMutation = changeOf([...Object.keys(BYTES), 'none', 'chunked', 'chunked']);

export function changeBytes(wire: Wire, { how, at }: Change): void {
  const bytes = wire.bytes ?? Buffer.alloc(0);
  if (how === 'chunked') wire.chunked = wire.bytes !== undefined;
  else if (how === 'none') wire.bytes = undefined;
  else wire.bytes = Buffer.concat([BYTES[how]?.(bytes, at, at % (bytes.length + 1)) ?? []].flat());
}

const MANGLES: Record<string, (text: string, at: number) => string> = {
  shorter: text => text.slice(0, -1),
  longer: text => `${text}A`,
  upper: text => text.toUpperCase(),
  lower: text => text.toLowerCase(),
  half: text => text.slice(0, text.length >> 1),
  double: text => `${text}${text}`,
  listed: text => `${text}, ${text}`,
  quoted: text => `"${text}"`,
  spaced: text => text.replace(' ', '   '),
  bare: text => text.replace(/^Bearer /, ''),
  basic: text => text.replace(/^Bearer/, 'Basic'),
  slash: text => `${text}/`,
  port: text => `${text}:443`,
  userinfo: text => text.replace('://', '://x@'),
  subdomain: text => text.replace('://', '://x.'),
  suffix: text => `${text}.evil.example`,
  http: text => text.replace(/^https/, 'http'),
  latin: text => `${text}\u00e9`,
  empty: () => '',
  other: (text, at) => {
    const n = at % Math.max(1, text.length);
    return `${text.slice(0, n)}${text[n] === 'A' ? 'B' : 'A'}${text.slice(n + 1)}`;
  },
  dots: text => text.replaceAll('.', '..'),
  unsigned: text => text.replace(/\.[^.]*$/, '.'),
};
const CREDENTIALS = ['authorization', KEY_HEADER, 'origin', 'cookie', 'content-type'];
// biome-ignore format: a list to be read at one go
const NAMES = [
  ...CREDENTIALS, ...CREDENTIALS, 'content-encoding', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host',
  'user-agent', 'accept', 'accept-encoding', 'accept-language', 'host', 'range', 'if-none-match', 'if-modified-since',
  'x-http-method-override', 'x-request-id', 'connection', 'access-control-request-method', 'te', 'dnt',
];
/** Any of them in any header. */
// biome-ignore format: a list to be read at one go
const VALUES = [
  '', '*', 'null', 'gzip', 'identity', 'identity, gzip', 'close', 'text/plain', 'application/jsonx', 'application/json;',
  'application/json; charset=utf-16', 'APPLICATION/JSON', 'application/json, text/plain', 'multipart/form-data; boundary=x',
  'Bearer', 'Bearer a b', 'Bearer\tx', 'Basic Og==', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'svc_pk_live_', ';;=;=a;%',
  `${SESSION_COOKIE}=x; ${SESSION_COOKIE}="a.b.c"`, 'https://', 'https://app.example/', 'HTTPS://APP.EXAMPLE', 'file://',
  'https://app.example:443', 'https://[::1', 'http://localhost:99999', 'https://app.example https://evil.example',
  '1.2.3.4, 5.6.7.8', '[::1]:80', 'fe80::1%eth0', '::ffff:1.2.3.4', 'bytes=9-1', 'DELETE', 'trailers', '\u00ff\u00fe',
  'Sat, 01 Jan 2050 00:00:00 GMT', 'k'.repeat(3_000),
];
/** The client sends no others. */
const sendable = strangeTexts.map(text => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 4_000));
const SET = Array(30).fill('set');
export const headerMutation = changeOf(
  [...SET, ...Object.keys(MANGLES), 'remove', 'twice', 'exchange', 'many', 'many'],
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...VALUES) }, { weight: 1, arbitrary: sendable }),
  fc.constantFrom(...NAMES),
);

export function changeHeaders({ headers }: Wire, { how, at, text, name }: Change): void {
  const credential = pickedBy(at, CREDENTIALS);
  const value = headers[credential];
  if (how === 'set') headers[name] = text;
  else if (how === 'remove') delete headers[credential];
  else if (how === 'many')
    for (let n = 0; n < pickedBy(at, [50, 200, 400]); n++) headers[`x-${n}`] = text.slice(0, 8);
  else if (typeof value !== 'string') return;
  else if (how === 'twice') headers[credential] = [value, value];
  else if (how === 'exchange') {
    // The credential of one route where another belongs.
    const isBearer = credential === 'authorization';
    delete headers[credential];
    headers[isBearer ? KEY_HEADER : 'authorization'] = isBearer
      ? value.replace(/^Bearer /, '')
      : `Bearer ${value}`;
  } else headers[credential] = MANGLES[how]?.(value, at) ?? value;
}
