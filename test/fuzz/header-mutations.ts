/** Changes of the headers: what the body claims to be, the credential and how it is sent, where the page is. */
import fc from 'fast-check';
import { KEY_HEADER, SESSION_COOKIE } from '../../src/brand.ts';
import type { Wire } from './request.ts';

export type HeaderMutation =
  | { kind: 'set'; name: string; value: string | string[] }
  | { kind: 'remove' | 'twice' | 'exchange'; name: string }
  | { kind: 'mangle'; name: string; how: Mangle; at: number }
  | { kind: 'many'; count: number; length: number };

const MANGLES = {
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
  one: (text, at) => text.slice(0, at % (text.length + 1)) + text.slice((at % (text.length + 1)) + 1),
  other: (text, at) => {
    const n = at % Math.max(1, text.length);
    return `${text.slice(0, n)}${text[n] === 'A' ? 'B' : 'A'}${text.slice(n + 1)}`;
  },
  dots: text => text.replaceAll('.', '..'),
  unsigned: text => text.replace(/\.[^.]*$/, '.'),
} satisfies Record<string, (text: string, at: number) => string>;
type Mangle = keyof typeof MANGLES;

// biome-ignore format: a list to be read at one go
const TYPES = [
  'text/plain', 'application/jsonx', 'application/json+x', 'text/json',
  'application/x-www-form-urlencoded', '', 'application/json; charset=utf-16',
  'application/json;charset="utf-8"', 'application/json; charset=latin1', 'APPLICATION/JSON',
  'application/json;', 'application/json; charset', 'application/json, text/plain', '*/*',
  'application/json; charset=utf-8; charset=utf-7', 'multipart/form-data',
  'multipart/form-data; boundary=x', `application/json; ${'x'.repeat(4_000)}`, 'application /json', 'null',
  'application/json\t; charset=utf8',
];
// biome-ignore format: a list to be read at one go
const HEADERS: Readonly<Record<string, readonly (string | string[])[]>> = {
  'content-type': TYPES,
  'content-encoding': [
    'gzip', 'identity', 'IDENTITY', 'br', 'deflate', 'identity, gzip', '', 'zstd', 'x'.repeat(500),
  ],
  authorization: [
    '', 'Bearer', 'Bearer ', 'Bearer a b', 'Basic Og==', 'bearer x', 'Bearer ..',
    `Bearer ${'a'.repeat(3_000)}`, 'Digest x="', 'Bearer\tx', 'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  [KEY_HEADER]: ['', 'x', ['a', 'b'], 'svc_pk_live_', '\u00ff', '__proto__', 'k'.repeat(3_000)],
  origin: [
    'null', '', '*', 'https://', 'https://app.example/', 'HTTPS://APP.EXAMPLE', 'https://app.example:443',
    'file://', ['https://app.example', 'https://app.example'], 'https://[::1', 'http://localhost:99999',
    'https://app.example https://evil.example', 'x'.repeat(2_000),
  ],
  cookie: [
    `${SESSION_COOKIE}=`, `${SESSION_COOKIE}=x; ${SESSION_COOKIE}=y`, `${SESSION_COOKIE}="a.b.c"`,
    ';;=;=a;%', `${SESSION_COOKIE}=%00`, `${SESSION_COOKIE}=${'a'.repeat(3_000)}`, '__proto__=x',
  ],
  'x-forwarded-for': [
    '', 'x', '::1', '1.2.3.4, 5.6.7.8', ',,,', '999.1.1.1', '[::1]:80', 'fe80::1%eth0', '::ffff:1.2.3.4',
    'a'.repeat(2_000), '::ffff:0:0%\u00ff',
  ],
  'x-forwarded-proto': ['https', 'x', ''],
  'x-forwarded-host': ['evil.example', 'a b'],
  'user-agent': ['', 'x'.repeat(4_000), '\u00ff\u00fe', '__proto__'],
  accept: ['image/png', '', 'application/xml;q=1, */*;q=0'],
  'accept-encoding': ['gzip', 'identity;q=0', '*;q=0'],
  'accept-language': ['x'.repeat(2_000)],
  host: ['', 'x', 'evil.example:99999', '[::1', 'a b', 'x/y?z@', 'app.example, evil.example'],
  range: ['bytes=0-1', 'bytes=9-1', 'x'],
  'if-none-match': ['*', '""'],
  'if-modified-since': ['Sat, 01 Jan 2050 00:00:00 GMT', 'x'],
  'x-http-method-override': ['DELETE', 'x'],
  'x-request-id': ['req_mine', '\u00ff'],
  connection: ['close', 'keep-alive, x', 'x'],
  'access-control-request-method': ['POST', ''],
  te: ['trailers'],
  dnt: ['1'],
};
const CREDENTIALS = ['authorization', KEY_HEADER, 'origin', 'cookie', 'content-type'];

const setting = fc.constantFrom(...Object.keys(HEADERS)).chain(name =>
  fc.record({
    kind: fc.constant('set' as const),
    name: fc.constant(name),
    value: fc.constantFrom(...(HEADERS[name] ?? [])),
  }),
);

export const headerMutation: fc.Arbitrary<HeaderMutation> = fc.oneof(
  { weight: 10, arbitrary: setting },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'twice' as const, 'exchange' as const),
      name: fc.constantFrom(...CREDENTIALS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mangle' as const),
      name: fc.constantFrom(...CREDENTIALS),
      how: fc.constantFrom(...(Object.keys(MANGLES) as Mangle[])),
      at: fc.noBias(fc.nat({ max: 1_000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('many' as const),
      count: fc.constantFrom(50, 200, 400),
      length: fc.constantFrom(0, 1, 8),
    }),
  },
);

export function changeHeaders({ headers }: Wire, mutation: HeaderMutation): void {
  switch (mutation.kind) {
    case 'set':
      headers[mutation.name] = mutation.value;
      return;
    case 'remove':
      delete headers[mutation.name];
      return;
    case 'many':
      for (let n = 0; n < mutation.count; n++) headers[`x-${n}`] = 'a'.repeat(mutation.length);
      return;
  }
  const value = headers[mutation.name];
  if (typeof value !== 'string') return;
  if (mutation.kind === 'twice') headers[mutation.name] = [value, value];
  // The credential of one route where another belongs.
  else if (mutation.kind === 'exchange') {
    const bearer = mutation.name === 'authorization';
    delete headers[mutation.name];
    headers[bearer ? KEY_HEADER : 'authorization'] = bearer
      ? value.replace(/^Bearer /, '')
      : `Bearer ${value}`;
  } else if (mutation.kind === 'mangle') headers[mutation.name] = MANGLES[mutation.how](value, mutation.at);
}
