/**
 * JSON that parsers may read in different ways: repeated members, escapes, byte order marks, bytes that are no UTF-8,
 * depth. Of repeated members the last counts, for the service and for both of the documented verifiers alike: a token that
 * one reads otherwise than the other would be a way around a check.
 */
import type { Header } from '../support/token-forge.ts';
import { classOf, type Given, GOOD, type Make, OURS, type Wanted } from './variant.ts';

const text = (value: unknown) => JSON.stringify(value);
/** A member more, before or after the others. */
const first = (object: object, name: string, json: string) =>
  `{${JSON.stringify(name)}:${json},${text(object).slice(1)}`;
const last = (object: object, name: string, json: string) =>
  `${text(object).slice(0, -1)},${JSON.stringify(name)}:${json}}`;

const head =
  (make: (header: Header, given: Given) => string | Buffer): Make =>
  given =>
    given.signed(make(given.header, given), given.claims);
const body =
  (make: (claims: Record<string, unknown>, given: Given) => string | Buffer): Make =>
  given =>
    given.signed(given.header, make(given.claims, given));
const late = ({ setup }: Given) => String(setup.now + 3_600);
const past = ({ setup }: Given) => String(setup.now - 3_600);
const escaped = (json: string) =>
  json.replace(
    /"([a-z_]+)":/g,
    (_, name: string) =>
      `"${[...name].map(letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}":`,
  );

const EXPIRED: Wanted = { service: ['expired'] };

/** Two values of one member: the bad one last. */
const refused = classOf('repeated members, the bad one last', {}, [
  ['alg none', head(header => last(header, 'alg', '"none"'))],
  ['alg HS256', head(header => last(header, 'alg', '"HS256"'))],
  ['alg none, escaped', head(header => `${text(header).slice(0, -1)},"\\u0061lg":"none"}`)],
  ['kid of nobody', head(header => last(header, 'kid', '"nobody"'))],
  ['crit', head(header => `{"crit":null,${last(header, 'crit', '["x"]').slice(1)}`)],
  ['exp gone by', body((claims, given) => last(claims, 'exp', past(given))), EXPIRED],
  [
    'exp gone by, escaped',
    body((claims, given) => `${text(claims).slice(0, -1)},"\\u0065xp":${past(given)}}`),
    EXPIRED,
  ],
  ['iss of others', body(claims => last(claims, 'iss', '"https://evil.example"'))],
  ['aud of others', body(claims => last(claims, 'aud', '["other"]'))],
  ['app_id of others', body(claims => last(claims, 'app_id', '"app_other"'))],
  ['livemode a text', body(claims => last(claims, 'livemode', '"true"'))],
  ['sub null', body(claims => last(claims, 'sub', 'null')), OURS],
]);

const accepted = classOf('repeated members, the good one last; escapes', GOOD, [
  ['alg none', head(header => first(header, 'alg', '"none"'))],
  ['kid of nobody', head(header => first(header, 'kid', '"nobody"'))],
  ['exp gone by', body((claims, given) => first(claims, 'exp', past(given)))],
  ['exp to come', body((claims, given) => first(claims, 'exp', late(given)))],
  ['iss of others', body(claims => first(claims, 'iss', '"https://evil.example"'))],
  ['aud of others', body(claims => first(claims, 'aud', '["other"]'))],
  ['app_id of others', body(claims => first(claims, 'app_id', '"app_other"'))],
  ['sub of others', body(claims => first(claims, 'sub', '"usr_other"'))],
  ['header names in escapes', head(header => escaped(text(header)))],
  ['claim names in escapes', body(claims => escaped(text(claims)))],
  ['slashes in escapes', body(claims => text(claims).replaceAll('/', '\\/'))],
  ['__proto__ in the header', head(header => last(header, '__proto__', '{"alg":"none","crit":["x"]}'))],
  ['__proto__ in the claims', body(claims => last(claims, '__proto__', '{"livemode":false,"exp":1}'))],
  ['constructor in the claims', body(claims => last(claims, 'constructor', '{"prototype":{"exp":1}}'))],
  ['toJSON in the claims', body(claims => last(claims, 'toJSON', '"x"'))],
  ['a lone surrogate in a claim', body(claims => last(claims, 'more', '"\\ud800"'))],
  ['an empty name', body(claims => last(claims, '', '1'))],
]);

const utf16 = (json: string) => Buffer.from(json, 'utf16le');

/** Members that nobody's verifier finds, and texts that are no JSON. */
const unread = classOf('texts that are no JSON, or other members', {}, [
  ['members of the prototype', head(header => `{"__proto__":${text(header)}}`)],
  ['claims of the prototype', body(claims => `{"__proto__":${text(claims)}}`)],
  ['names in upper case', head(header => text(header).toUpperCase())],
  ['alg with a space', head(header => text(header).replace('"alg"', '"alg "'))],
  ['a header in a list', head(header => `[${text(header)}]`)],
  ['claims in a list', body(claims => `[${text(claims)}]`)],
  ['claims a text', body(claims => text([text(claims)]).slice(1, -1))],
  ...['null', 'true', '1', '""', '[]', '{}', '{', '', 'x', 'undefined'].flatMap(json => [
    [`header ${json}`, head(() => json)] as const,
    [`claims ${json}`, body(() => json)] as const,
  ]),
  ['a comma too many', body(claims => `${text(claims).slice(0, -1)},}`)],
  ['single quotes', body(claims => text(claims).replaceAll('"', "'"))],
  ['a comment', body(claims => `/**/${text(claims)}`)],
  ['junk behind the claims', body(claims => `${text(claims)}x`)],
  ['junk behind the header', head(header => `${text(header)}{"alg":"none"}`)],
  ['a NUL behind the header', head(header => `${text(header)}\u0000`)],
  ['UTF-16', body(claims => utf16(text(claims)))],
  ['UTF-16 in the header', head(header => utf16(text(header)))],
]);

/** Read by some parsers and not by others; only we could sign them. */
const REPAIRED: Wanted = { ...OURS, service: ['valid', 'invalid'], me: ['200', '401 unauthorized'] };
const DEEP: Wanted = { ...GOOD };
/** Longer than the server SDK reads. */
const LONG: Wanted = { ...DEEP, sdk: 'refused' };
const deepIn = (depth: number, most: number) => (depth > most ? LONG : DEEP);
const BOM = Buffer.from('\ufeff');
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** A claim more, whose text ends in these bytes. */
const ending = (...bytes: number[]) =>
  body(claims => {
    const json = Buffer.from(last(claims, 'more', '"x"'));
    return Buffer.concat([json.subarray(0, -3), Buffer.from([...bytes, 0x22, 0x7d])]);
  });
const noByteOfText = body(claims =>
  Buffer.from(Buffer.from(text({ ...claims, sub: 'usr_x~' })).map(byte => (byte === 0x7e ? 0xff : byte))),
);

const parsers = classOf('byte order marks, bytes that are no UTF-8, depth', DEEP, [
  [
    'a mark before the header',
    head(header => Buffer.concat([BOM, Buffer.from(text(header))])),
    { ...OURS, service: ['invalid'], me: ['401 unauthorized'] },
  ],
  [
    'a mark before the claims',
    body(claims => Buffer.concat([BOM, Buffer.from(text(claims))])),
    { ...OURS, service: ['invalid'], me: ['401 unauthorized'] },
  ],
  ['half a letter in a claim', ending(0xc3), REPAIRED],
  ['an overlong letter in a claim', ending(0xc0, 0x80), REPAIRED],
  ['half a surrogate in a claim', ending(0xed, 0xa0, 0x80), REPAIRED],
  [
    'a byte that is none in sub',
    noByteOfText,
    { ...OURS, service: ['user_not_found', 'invalid'], me: ['404 not_found', '401 unauthorized'] },
  ],
  ...[8, 9, 100, 1_000, 4_000, 8_000].flatMap(depth => [
    [
      `${depth} lists in a claim`,
      body(claims => last(claims, 'more', lists(depth))),
      deepIn(depth, 1_000),
    ] as const,
    [
      `${depth >> 1} objects in a claim`,
      body(claims => last(claims, 'more', objects(depth >> 1))),
      deepIn(depth, 1_000),
    ] as const,
    [
      `${depth} lists in the header`,
      head(header => last(header, 'more', lists(depth))),
      deepIn(depth, 100),
    ] as const,
  ]),
  ['40,000 characters in a claim', body(claims => last(claims, 'more', `"${'a'.repeat(40_000)}"`)), LONG],
]);

/** Made by anybody, without a key. */
const deep = classOf('depth without a key', {}, [
  ...[100, 5_000, 20_000].map(
    depth =>
      [
        `${depth} lists in a header of nobody's`,
        (given: Given) =>
          given.signed(
            last(given.header, 'more', '['.repeat(depth) + ']'.repeat(depth)),
            given.claims,
            given.setup.foreign.private,
          ),
      ] as const,
  ),
  ...[5_000, 20_000].map(
    depth =>
      [
        `${depth} lists in the claims of nobody`,
        (given: Given) => given.signed(given.header, lists(depth), given.setup.foreign.private),
      ] as const,
  ),
  ['a header of 60,000 characters', given => `${'e'.repeat(60_000)}.${given.parts[1]}.${given.parts[2]}`],
  [
    'longer than a body may be',
    given => `${given.token}${'A'.repeat(70_000)}`,
    { service: ['413 payload_too_large'] },
  ],
]);

export const texts = [refused, accepted, unread, parsers, deep];
