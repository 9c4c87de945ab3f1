/** Signatures that nobody made, and signatures of something else. After the ECDSA and JWS suites of Wycheproof. */
import { sign } from 'node:crypto';
import { encode } from '../support/token-forge.ts';
import { signText } from './given.ts';
import { classOf, type Given, GOOD, type Make } from './variant.ts';

/** Order of the group, prime of the field, a point that is always there. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const GX = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n;
const MAX = 2n ** 256n - 1n;

const number = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex') || '0'}`);
const bytesOf = (value: bigint, length = 32) =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
const r = ({ bytes }: Given) => number(bytes.subarray(0, 32));
const s = ({ bytes }: Given) => number(bytes.subarray(32));
const pair = (one: bigint, two: bigint) => Buffer.concat([bytesOf(one), bytesOf(two)]);
const keyOf = ({ setup, header }: Given) =>
  (setup.keys.find(({ kid }) => kid === header.kid) ?? setup.foreign).private;

const VALUES: Record<string, bigint> = {
  '0': 0n,
  '1': 1n,
  '2': 2n,
  'n-1': N - 1n,
  n: N,
  'n+1': N + 1n,
  '2n mod 2^256': (2n * N) & MAX,
  p: P,
  'p-1': P - 1n,
  'p+1': P + 1n,
  'p-n': P - N,
  'n/2': N >> 1n,
  'x of G': GX,
  '2^255': 1n << 255n,
  '2^256-1': MAX,
};
const names = Object.keys(VALUES);

/** Another signature in the place of the real one. */
const instead =
  (make: (given: Given) => Buffer): Make =>
  given =>
    given.withSignature(make(given));

const integer = (value: bigint, padded = 0) => {
  const hex = value.toString(16);
  const even = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const positive = (even[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), even]) : even;
  const body = Buffer.concat([Buffer.alloc(padded), positive]);
  return Buffer.concat([Buffer.of(2, body.length), body]);
};
const der = (given: Given, padded = 0) => {
  const both = Buffer.concat([integer(r(given), padded), integer(s(given))]);
  return Buffer.concat([Buffer.of(0x30, both.length), both]);
};

/** Tries until a signature has a half that begins with a zero byte; seldom more than some hundred times. */
function withLeadingZero(given: Given): Buffer | null {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const bytes = signText(`${given.parts[0]}.${given.parts[1]}`, keyOf(given));
    if (bytes[0] === 0 || bytes[32] === 0) return bytes;
  }
  return null;
}

const stripped: Make = given => {
  const bytes = withLeadingZero(given);
  if (!bytes) return null;
  const halves = [bytes.subarray(0, 32), bytes.subarray(32)].map(half =>
    half[0] === 0 ? half.subarray(1) : half,
  );
  return given.withSignature(Buffer.concat(halves));
};

/** A signature of our key, over something else than header and claims. */
const over =
  (text: (given: Given) => string | Buffer, hash = 'sha256'): Make =>
  given =>
    given.withSignature(
      sign(hash, Buffer.from(text(given) as string), { key: keyOf(given), dsaEncoding: 'ieee-p1363' }),
    );
const both = ({ parts }: Given) => `${parts[0]}.${parts[1]}`;
const plain = ({ header, claims }: Given) => `${JSON.stringify(header)}.${JSON.stringify(claims)}`;

export const signatures = classOf('signatures', {}, [
  ...names.map(
    name => [`r and s ${name}`, instead(() => pair(VALUES[name] ?? 0n, VALUES[name] ?? 0n))] as const,
  ),
  ...names.map(name => [`r ${name}`, instead(given => pair(VALUES[name] ?? 0n, s(given)))] as const),
  ...names.map(name => [`s ${name}`, instead(given => pair(r(given), VALUES[name] ?? 0n))] as const),
  [
    'two such values',
    instead(({ chance }) => pair(VALUES[chance.pick(names)] ?? 0n, VALUES[chance.pick(names)] ?? 0n)),
  ],
  ['r negated', instead(given => pair(N - r(given), s(given)))],
  ['r and s negated', instead(given => pair(N - r(given), N - s(given)))],
  ['r plus n, cut to 32 bytes', instead(given => pair((r(given) + N) & MAX, s(given)))],
  ['s plus n, cut to 32 bytes', instead(given => pair(r(given), (s(given) + N) & MAX))],
  ['s plus n, in 33 bytes', instead(given => Buffer.concat([bytesOf(r(given)), bytesOf(s(given) + N, 33)]))],
  [
    'both plus n, in 33 bytes',
    instead(given => Buffer.concat([bytesOf(r(given) + N, 33), bytesOf(s(given) + N, 33)])),
  ],
  ["s as two's complement", instead(given => pair(r(given), (1n << 256n) - s(given)))],
  ['s one more', instead(given => pair(r(given), (s(given) + 1n) & MAX))],
  ['r one less', instead(given => pair(r(given), (MAX + r(given)) & MAX))],
  ['halves exchanged', instead(given => pair(s(given), r(given)))],
  [
    'little-endian',
    instead(({ bytes }) =>
      Buffer.concat([
        Buffer.from(bytes.subarray(0, 32)).reverse(),
        Buffer.from(bytes.subarray(32)).reverse(),
      ]),
    ),
  ],
  ['reversed', instead(({ bytes }) => Buffer.from(bytes).reverse())],
  ['every bit flipped', instead(({ bytes }) => Buffer.from(bytes.map(byte => byte ^ 255)))],
  ['DER', instead(given => der(given))],
  ['DER with a needless zero', instead(given => der(given, 1))],
  ['DER and junk', instead(given => Buffer.concat([der(given), Buffer.of(0)]))],
  [
    'DER with the long form of its length',
    instead(given => Buffer.concat([Buffer.of(0x30, 0x81), der(given).subarray(1)])),
  ],
  ['DER cut to 64 bytes', instead(given => der(given).subarray(0, 64))],
  ['DER of zeros', instead(() => Buffer.from('3006020100020100', 'hex'))],
  ['DER of an empty sequence', instead(() => Buffer.from('3000', 'hex'))],
  ['DER of infinity', instead(() => Buffer.from('300a090380fe01090142', 'hex'))],
  ...[0, 1, 31, 32, 33, 48, 62, 63].map(
    length => [`${length} bytes of it`, instead(({ bytes }) => bytes.subarray(0, length))] as const,
  ),
  ...[1, 2, 32, 64, 1_000].map(
    more =>
      [
        `${more} zero bytes after it`,
        instead(({ bytes }) => Buffer.concat([bytes, Buffer.alloc(more)])),
      ] as const,
  ),
  ['a zero byte before it', instead(({ bytes }) => Buffer.concat([Buffer.of(0), bytes]))],
  ['halves of 33 bytes', instead(given => Buffer.concat([bytesOf(r(given), 33), bytesOf(s(given), 33)]))],
  ['halves of 48 bytes', instead(given => Buffer.concat([bytesOf(r(given), 48), bytesOf(s(given), 48)]))],
  ['twice', instead(({ bytes }) => Buffer.concat([bytes, bytes]))],
  ['leading zeros stripped', stripped],
  ['in hexadecimal', ({ withSignature, bytes }) => withSignature(bytes.toString('hex'))],
  ['encoded twice', ({ withSignature, parts }) => withSignature(encode(parts[2]))],
  ['random', instead(({ chance }) => chance.bytes(64))],
  ['of SHA-1', over(both, 'sha1')],
  ['of SHA-224', over(both, 'sha224')],
  ['of SHA-384', over(both, 'sha384')],
  ['of SHA-512', over(both, 'sha512')],
  ['of SHA3-256', over(both, 'sha3-256')],
  ['over the claims alone', over(({ parts }) => parts[1])],
  ['over the header alone', over(({ parts }) => parts[0])],
  ['over a dot more', over(given => `${both(given)}.`)],
  ['over a line end more', over(given => `${both(given)}\n`)],
  ['over no dot', over(({ parts }) => parts[0] + parts[1])],
  ['over what was encoded', over(plain)],
  ['over nothing', over(() => '')],
  ['over the claims, then the header', over(({ parts }) => `${parts[1]}.${parts[0]}`)],
  [
    'of another token',
    ({ withSignature, resigned, chance }) =>
      withSignature(resigned({ jti: `jti_${chance.word(24)}` }).split('.')[2] ?? ''),
  ],
  [
    'of the same claims under another header',
    ({ withSignature, resigned }) => withSignature(resigned({}, { typ: 'jwt' }).split('.')[2] ?? ''),
  ],
  [
    'of a token that was signed out',
    ({ withSignature, home }) => withSignature(home.revoked.split('.')[2] ?? ''),
  ],
]);

const twin: Make = given => given.withSignature(pair(r(given), N - s(given)));
const twinOf = (token: string): string => {
  const [head, body, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  return `${head}.${body}.${pair(number(bytes.subarray(0, 32)), N - number(bytes.subarray(32))).toString('base64url')}`;
};

/**
 * ECDSA: whoever has a signature (r, s) has (r, n - s) too, which is as good; JWS does not ask for the low one, and half
 * of ours are not. It says the same of the same claims, and signing out counts for both: they share their jti.
 */
export const twins = classOf('the other signature, n - s', GOOD, [
  ['of a good token', twin],
  ['of its twin', given => twinOf(String(twin(given)))],
  [
    'of a token that was signed out',
    ({ home }) => twinOf(home.revoked),
    { service: ['revoked'], me: ['401 token_revoked'] },
  ],
  [
    'of an expired token',
    given => twinOf(given.resigned({ iat: 1, exp: 3_601 })),
    { service: ['expired'], me: ['401 unauthorized'], typescript: 'refused' },
  ],
]);
