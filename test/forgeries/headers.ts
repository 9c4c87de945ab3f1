/** Keys in the header are ignored; the id of a key is looked up in the published set and nowhere else; crit is refused. */
import { createPublicKey, sign } from 'node:crypto';
import { encode, type Header } from '../support/token-forge.ts';
import { classOf, type Given, GOOD, type Make, OURS } from './variant.ts';

/** Signed by somebody else's key, which the header brings along. */
const brought =
  (more: (given: Given) => Header): Make =>
  given =>
    given.signed({ ...given.header, ...more(given) }, given.claims, given.setup.foreign.private);
const theirs = ({ setup }: Given) => ({ ...setup.foreign.jwk, kid: setup.foreign.kid });
const spki = ({ setup }: Given) =>
  createPublicKey(setup.foreign.private).export({ type: 'spki', format: 'der' }).toString('base64');
const theirKid = (given: Given) => ({ kid: given.setup.foreign.kid });

export const headerKeys = classOf('keys in the header', {}, [
  ['jwk under our kid', brought(given => ({ jwk: { ...theirs(given), kid: given.header.kid } }))],
  ['jwk under its own kid', brought(given => ({ jwk: theirs(given), ...theirKid(given) }))],
  ['jwk without kid', brought(given => ({ jwk: theirs(given), kid: undefined }))],
  [
    'jwk with its private part',
    brought(given => ({ jwk: given.setup.foreign.private.export({ format: 'jwk' }) })),
  ],
  ['jwk in a list', brought(given => ({ jwk: [theirs(given)] }))],
  ['jwk of an HMAC', brought(() => ({ jwk: { kty: 'oct', k: 'AAAA', alg: 'HS256' } }))],
  ['jku under our kid', brought(given => ({ jku: `${given.setup.bait}/jwks.json` }))],
  ['jku under its own kid', brought(given => ({ jku: `${given.setup.bait}/jwks.json`, ...theirKid(given) }))],
  [
    'jku of the service',
    brought(given => ({ jku: `${given.setup.run.base}/.well-known/jwks.json`, ...theirKid(given) })),
  ],
  [
    'jku with userinfo',
    brought(given => ({ jku: `${given.setup.run.base}@${given.setup.bait.slice(7)}/jwks.json` })),
  ],
  ['jku a file', brought(() => ({ jku: 'file:///etc/passwd' }))],
  ['x5u', brought(given => ({ x5u: `${given.setup.bait}/key.pem`, ...theirKid(given) }))],
  ['x5c', brought(given => ({ x5c: [spki(given)] }))],
  [
    'x5c with x5t',
    brought(given => ({ x5c: [spki(given)], x5t: 'AAAA', 'x5t#S256': 'AAAA', ...theirKid(given) })),
  ],
  [
    'all of them',
    brought(given => ({
      jwk: theirs(given),
      jku: `${given.setup.bait}/a`,
      x5u: `${given.setup.bait}/b`,
      x5c: [spki(given)],
      ...theirKid(given),
    })),
  ],
  ['none, under our kid', brought(() => ({}))],
  ['none, under its own kid', brought(theirKid)],
  ['none, without kid', brought(() => ({ kid: undefined }))],
  [
    'a key that was ours once',
    given =>
      given.signed({ ...given.header, kid: given.setup.left.kid }, given.claims, given.setup.left.private),
  ],
  [
    'a key that was ours once, under our kid',
    given => given.signed(given.header, given.claims, given.setup.left.private),
  ],
  [
    'the other one of our keys under this kid',
    given =>
      given.signed(
        given.header,
        given.claims,
        given.setup.keys.find(({ kid }) => kid !== given.header.kid)?.private,
      ),
  ],
  [
    'jwk of ours added afterwards',
    given =>
      `${encode({ ...given.header, jwk: given.setup.keys[1].jwk })}.${given.parts[1]}.${given.parts[2]}`,
  ],
]);

const kids: readonly (readonly [string, (given: Given) => unknown])[] = [
  ['missing', () => undefined],
  ['empty', () => ''],
  ['unknown', ({ chance }) => chance.word(43)],
  [
    'a path',
    ({ header, chance }) =>
      `${'../'.repeat(1 + chance.below(6))}${chance.pick(['dev/null', 'etc/passwd', header.kid])}`,
  ],
  ['an absolute path', () => '/dev/null'],
  ['SQL', ({ header }) => `${header.kid}' OR '1'='1`],
  ['SQL that chooses', () => `' UNION SELECT 'x' --`],
  ['a command', () => '$(id)|id;`id`'],
  ['an address', ({ setup }) => `${setup.bait}/key`],
  ['a list', ({ header }) => [header.kid]],
  ['an empty list', () => []],
  ['an object', ({ header }) => ({ kid: header.kid })],
  ['an object that is a text', ({ header }) => ({ toString: header.kid, length: 43 })],
  ['null', () => null],
  ['a number', () => 0],
  ['true', () => true],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', '0'].map(
    name => [name, () => name] as const,
  ),
  ['the id of a key that left', ({ setup }) => setup.left.kid],
  ['the id of the other key', ({ setup, header }) => setup.keys.find(({ kid }) => kid !== header.kid)?.kid],
  ['with a space', ({ header }) => `${header.kid} `],
  ['with a NUL', ({ header }) => `${header.kid}\u0000`],
  ['padded', ({ header }) => `${header.kid}=`],
  ['in lower case', ({ header }) => String(header.kid).toLowerCase()],
  ['in upper case', ({ header }) => String(header.kid).toUpperCase()],
  ['cut short', ({ header }) => String(header.kid).slice(0, -1)],
  ['its first letter', ({ header }) => String(header.kid)[0]],
  ['twice', ({ header }) => `${header.kid},${header.kid}`],
  ['long', () => 'k'.repeat(4_000)],
];

export const kidTricks = classOf('kid tricks', {}, [
  ...kids.map(
    ([what, kid]) =>
      [`${what}, by our own key`, (given: Given) => given.resigned({}, { kid: kid(given) })] as const,
  ),
  ...kids.map(
    ([what, kid]) =>
      [
        `${what}, by a key of nobody`,
        (given: Given) =>
          given.signed({ ...given.header, kid: kid(given) }, given.claims, given.setup.foreign.private),
      ] as const,
  ),
]);

const criticals: readonly (readonly [string, Header])[] = [
  ['of an unknown member', { crit: ['x'], x: 1 }],
  ['of a missing member', { crit: ['x'] }],
  ['of exp', { crit: ['exp'], exp: 1 }],
  ['of alg', { crit: ['alg'] }],
  ['of kid', { crit: ['kid'] }],
  ['of itself', { crit: ['crit'] }],
  ['empty', { crit: [] }],
  ['null', { crit: null }],
  ['a text', { crit: 'x' }],
  ['a number', { crit: 0 }],
  ['an object', { crit: { 0: 'b64' } }],
  ['of numbers', { crit: [1] }],
  ['of the empty name', { crit: [''], '': 1 }],
  ['of b64 twice', { crit: ['b64', 'b64'], b64: false }],
  ['of b64, false', { crit: ['b64'], b64: false }],
  ['of b64, true', { crit: ['b64'], b64: true }],
  ['of b64, a text', { crit: ['b64'], b64: 'false' }],
  ['of __proto__', { crit: ['__proto__'] }],
];

/** Only we could sign it; a verifier that does not know crit (such as PyJWT 2.6) takes it. */
export const critical = classOf('crit and b64', {}, [
  ...criticals.map(([what, header]) => {
    const wants = what === 'of b64, true' ? OURS : {};
    return [`crit ${what}, by our own key`, (given: Given) => given.resigned({}, header), wants] as const;
  }),
  [
    'b64 false, claims not encoded',
    given => {
      const text = `${encode({ ...given.header, crit: ['b64'], b64: false })}.${JSON.stringify(given.claims)}`;
      const key = given.setup.keys.find(({ kid }) => kid === given.header.kid)?.private;
      return key
        ? `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
        : null;
    },
  ],
  [
    'crit added afterwards',
    given => `${encode({ ...given.header, crit: ['exp'] })}.${given.parts[1]}.${given.parts[2]}`,
    {},
  ],
]);

const harmless: readonly (readonly [string, Header])[] = [
  ['typ missing', { typ: undefined }],
  ...['jwt', 'at+jwt', 'JWS', 'application/jwt', '', 'x'.repeat(300)].map(
    typ => [`typ ${typ.slice(0, 20)}`, { typ }] as const,
  ),
  ['cty', { cty: 'JWT' }],
  ['zip', { zip: 'DEF' }],
  ['b64 without crit', { b64: true }],
  ['an unknown member', { nonce: 'x', 'http://example.com/a': [1] }],
  ["somebody else's jwk", { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } }],
];

export const otherHeaders = [
  classOf('typ, cty, zip and unknown members: signed by us', GOOD, [
    ...harmless.map(([what, header]) => [what, (given: Given) => given.resigned({}, header)] as const),
  ]),
  classOf('typ, cty, zip and unknown members: put in afterwards', {}, [
    ...harmless.map(
      ([what, header]) =>
        [
          what,
          (given: Given) => `${encode({ ...given.header, ...header })}.${given.parts[1]}.${given.parts[2]}`,
        ] as const,
    ),
  ]),
];
