/** The algorithm is the verifier's choice, never the token's. */
import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encode, type Header } from '../support/token-forge.ts';
import { classOf, type Given, type Make } from './variant.ts';

/** The claims under a changed header, with a signature over both that `seal` makes. */
function sealed({ header, parts }: Given, change: Header, seal: (text: string) => Buffer): string {
  const text = `${encode({ ...header, ...change })}.${parts[1]}`;
  return `${text}.${seal(text).toString('base64url')}`;
}

const spelt =
  (alg: unknown): Make =>
  given => {
    const head = encode({ ...given.header, alg });
    return `${head}.${given.parts[1]}.${given.chance.pick(['', given.parts[2], 'AA'])}`;
  };

const publicKey = ({ setup, header }: Given): KeyObject =>
  createPublicKey((setup.keys.find(({ kid }) => kid === header.kid) ?? setup.foreign).private);
const jwk = (given: Given) => publicKey(given).export({ format: 'jwk' }) as { x: string; y: string };
const x = (given: Given) => Buffer.from(jwk(given).x, 'base64url');
const y = (given: Given) => Buffer.from(jwk(given).y, 'base64url');

/** What a confused verifier could take for the secret of an HMAC. */
const SECRETS: Record<string, (given: Given) => string | Buffer> = {
  PEM: given => publicKey(given).export({ type: 'spki', format: 'pem' }),
  'PEM without its last line end': given =>
    String(publicKey(given).export({ type: 'spki', format: 'pem' })).trimEnd(),
  'PEM with CRLF': given =>
    String(publicKey(given).export({ type: 'spki', format: 'pem' })).replaceAll('\n', '\r\n'),
  DER: given => publicKey(given).export({ type: 'spki', format: 'der' }),
  'DER in base64': given => publicKey(given).export({ type: 'spki', format: 'der' }).toString('base64'),
  'JWK as JSON': given => JSON.stringify(jwk(given)),
  'JWK as published': given =>
    JSON.stringify({ ...jwk(given), kid: given.header.kid, alg: 'ES256', use: 'sig' }),
  'x and y': given => Buffer.concat([x(given), y(given)]),
  'the point': given => Buffer.concat([Buffer.of(4), x(given), y(given)]),
  'the compressed point': given => Buffer.concat([Buffer.of(2 + ((y(given).at(-1) ?? 0) & 1)), x(given)]),
  x: given => x(given),
  'x as text': given => jwk(given).x,
  kid: given => String(given.header.kid),
  nothing: () => '',
  'a zero byte': () => Buffer.of(0),
};

const hmac =
  (secret: (given: Given) => string | Buffer, bits: 256 | 384 | 512, alg = `HS${bits}`): Make =>
  given =>
    sealed(given, { alg }, text => createHmac(`sha${bits}`, secret(given)).update(text).digest());

const other =
  (alg: string, key: (given: Given) => KeyObject, hash: string | null, more: object = {}): Make =>
  given =>
    sealed(given, { alg }, text =>
      sign(hash, Buffer.from(text), { key: key(given), dsaEncoding: 'ieee-p1363', ...more }),
    );

const own = ({ setup, header }: Given) =>
  (setup.keys.find(({ kid }) => kid === header.kid) ?? setup.foreign).private;
const pss = { padding: 6, saltLength: 32 };

export const algorithms = classOf('algorithms', {}, [
  ...['none', 'None', 'NONE', 'nOnE', ''].map(alg => [`alg "${alg}"`, spelt(alg)] as const),
  ...Object.entries(SECRETS).map(([what, secret]) => [`HS256 keyed by ${what}`, hmac(secret, 256)] as const),
  ['HS384 keyed by PEM', hmac(given => SECRETS.PEM?.(given) ?? '', 384)],
  ['HS512 keyed by PEM', hmac(given => SECRETS.PEM?.(given) ?? '', 512)],
  ['HMAC of 64 bytes that calls itself ES256', hmac(given => SECRETS.PEM?.(given) ?? '', 512, 'ES256')],
  ['HMAC of 32 bytes that calls itself ES256', hmac(given => SECRETS.DER?.(given) ?? '', 256, 'ES256')],
  ['ES384', other('ES384', given => given.setup.curves.p384, 'sha384')],
  ['ES384 that calls itself ES256', other('ES256', given => given.setup.curves.p384, 'sha384')],
  ['ES384 by our own key', other('ES384', own, 'sha384')],
  ['ES384 in name only, by our own key', other('ES384', own, 'sha256')],
  ['ES512', other('ES512', given => given.setup.curves.p521, 'sha512')],
  ['ES256K', other('ES256K', given => given.setup.curves.k256, 'sha256')],
  ['ES256K that calls itself ES256', other('ES256', given => given.setup.curves.k256, 'sha256')],
  ['RS256', other('RS256', given => given.setup.curves.rsa, 'sha256')],
  ['RS256 that calls itself ES256', other('ES256', given => given.setup.curves.rsa, 'sha256')],
  ['PS256', other('PS256', given => given.setup.curves.rsa, 'sha256', pss)],
  ['EdDSA', other('EdDSA', given => given.setup.curves.ed25519, null)],
  ['Ed25519 that calls itself ES256', other('ES256', given => given.setup.curves.ed25519, null)],
  ['alg missing, by our own key', given => given.resigned({}, { alg: undefined })],
  ...[null, 256, true, ['ES256'], { name: 'ES256' }, 'es256', 'ES256 ', 'ES256\u0000', 'ＥＳ256'].map(
    alg =>
      [`alg ${JSON.stringify(alg)}, by our own key`, (given: Given) => given.resigned({}, { alg })] as const,
  ),
]);
