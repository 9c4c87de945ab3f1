/**
 * A forgery or two of every class, beside a good token, before all who have to tell: the service, its own routes, the
 * documented verifier, and the server SDK offline and online. test/domain/token-verification.test.ts has more of each
 * for the service, server-verify.test.ts for the SDK.
 */
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { JWK } from 'jose';
import * as assert from 'uvu/assert';
import { createVerifier, type Verifier } from '../../src/sdk/server/index.ts';
import { typescript } from '../clients/verifiers.ts';
import { decoded, enrolled, faces, type Json, verify } from '../support/client.ts';
import { deleteMe, getMe, logout } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { encode } from '../support/token-forge.ts';
import { judgeSets, type OfflineVerifier } from './forged-key-sets.ts';
import { codeOf, countedFetch, foreign, ONLINE, type Signer, signerOf } from './server-support.ts';

/** Of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const test = suite('server SDK: forgeries');
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });

interface Given {
  readonly token: string;
  readonly head: Json;
  readonly claims: Json;
  readonly parts: readonly [string, string, string];
  readonly app: string;
  /** Signed out; of somebody who was deleted; of another app; the published key. */
  readonly revoked: string;
  readonly gone: string;
  readonly other: { readonly id: string; readonly sub: string };
  readonly jwk: JWK;
}
let g: Given;
let sdk: { readonly offline: Verifier; readonly online: Verifier };
let signer: Signer;
let app: Awaited<ReturnType<typeof run.createApp>>;
const counted = countedFetch();

test.before(async () => {
  // The documented verifier lives in the present, so the service does too.
  run.clock.advance(Date.now() - run.clock.now());
  // Two keys are published, so that a token has to name its own.
  assert.is((await run.cli(['signing-key', 'rotate', '--now'])).code, 0);
  app = await run.createApp();
  const stranger = await run.createApp();
  const enroll = (person: number, to = app) => enrolled(run, to, { descriptors: [faces.genuine(person)] });
  const [{ token }, { token: revoked }, gone] = [await enroll(0), await enroll(1), await enroll(2)];
  await logout(run, revoked);
  await deleteMe(run, gone.token);
  signer = await signerOf(run);
  const { header: head, claims } = decoded(token);
  const { keys } = (await (await fetch(`${run.base}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
  const other = { id: stranger.id, sub: (await enroll(0, stranger)).user.id };
  const jwk = keys.find(({ kid }) => kid === head.kid) as JWK;
  const parts = token.split('.') as [string, string, string];
  g = { token, head, claims, parts, app: app.id, revoked, gone: gone.user.id, other, jwk };
  const options = {
    issuer: run.base,
    appId: app.id,
    mode: 'live' as const,
    fetch: counted.fetch,
    now: run.clock.now,
  };
  const online = createVerifier({ ...options, secretKey: app.live.sk });
  sdk = { offline: createVerifier(options), online };
});

const spelt = (head: unknown, claims: unknown) => signer.spelt(g.token, encode(head), encode(claims));
/** Signed by the service's own key, so that nothing but what was changed can refuse it. */
const ours = (claims: Json, head: Json = {}) => spelt({ ...g.head, ...head }, { ...g.claims, ...claims });
/** Anybody can make these: a good token's parts with one of them exchanged. */
const swapped = (at: 0 | 1 | 2, part: string) => g.parts.map((is, n) => (n === at ? part : is)).join('.');
const headed = (change: Json) => swapped(0, encode({ ...g.head, ...change }));
const claiming = (change: Json) => swapped(1, encode({ ...g.claims, ...change }));
const last = (json: object, name: string, value: string) =>
  `${JSON.stringify(json).slice(0, -1)},"${name}":${value}}`;
const hmac = (secret: string, alg = 'HS256') => {
  const text = `${encode({ ...g.head, alg })}.${g.parts[1]}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};
const pem = () =>
  String(
    createPublicKey({ key: g.jwk as JsonWebKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
  );
const signedBy = (type: 'P-256' | 'P-384' | 'secp256k1', alg: string, head: Json = {}) => {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: type });
  const jwk = publicKey.export({ format: 'jwk' });
  const text = `${encode({ ...g.head, alg, ...head, ...('jwk' in head && { jwk }) })}.${g.parts[1]}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
const resealed = (change: (r: Buffer, s: Buffer) => readonly Buffer[], token = g.token) => {
  const [head, claims, seal = ''] = token.split('.');
  const bytes = Buffer.from(seal, 'base64url');
  const made = Buffer.concat(change(bytes.subarray(0, 32), bytes.subarray(32)));
  return `${head}.${claims}.${made.toString('base64url')}`;
};
/** ECDSA: whoever has (r, s) has (r, n - s) too, which is as good; it shares its jti, so that it ends with its twin. */
const twin = (token = g.token) =>
  resealed(
    (r, s) => [
      r,
      Buffer.from((ORDER - BigInt(`0x${s.toString('hex')}`)).toString(16).padStart(64, '0'), 'hex'),
    ],
    token,
  );
const spareBits = (part: string) =>
  `${part.slice(0, -1)}${String.fromCharCode(part.charCodeAt(part.length - 1) + 1)}`;
const zeros = Buffer.alloc(32);

type Row = readonly [
  kind: string,
  make: () => unknown,
  service?: string,
  me?: string | undefined,
  offline?: string,
];

/** What anybody can make, without a key of ours: invalid everywhere, and no question to the service is spent on it. */
const KEYLESS: readonly Row[] = [
  ['algorithms: none', () => `${encode({ ...g.head, alg: 'none' })}.${g.parts[1]}.`],
  ['algorithms: none over a good signature', () => headed({ alg: 'none' })],
  ['algorithms: HS256 keyed by the public key', () => hmac(pem())],
  ['algorithms: HS256 that calls itself ES256', () => hmac(pem(), 'ES256')],
  ['algorithms: another curve', () => signedBy('P-384', 'ES384')],
  ['algorithms: another curve that calls itself ES256', () => signedBy('secp256k1', 'ES256')],
  ['keys in the header: jwk', () => signedBy('P-256', 'ES256', { jwk: true })],
  ['keys in the header: jku', () => signedBy('P-256', 'ES256', { jku: 'http://127.0.0.1:9/jwks.json' })],
  ['keys in the header: none, under our kid', () => foreign(g.token, g.head.kid)],
  ['kid tricks: a path', () => foreign(g.token, '../../../dev/null')],
  ['kid tricks: SQL', () => foreign(g.token, `${g.head.kid}' OR '1'='1`)],
  ['kid tricks: a member of every object', () => foreign(g.token, '__proto__')],
  ['crit added afterwards', () => headed({ crit: ['exp'] })],
  ['typ put in afterwards', () => headed({ typ: 'at+jwt' })],
  ['signatures: zeros', () => resealed(() => [zeros, zeros])],
  [
    'signatures: r and s as large as the order',
    () => resealed(() => [Buffer.from(ORDER.toString(16).repeat(2), 'hex')]),
  ],
  ['signatures: halves exchanged', () => resealed((r, s) => [s, r])],
  ['signatures: cut short', () => resealed((r, s) => [r, s.subarray(1)])],
  ['signatures: a byte after it', () => resealed((r, s) => [r, s, Buffer.of(0)])],
  ['header in another spelling', () => swapped(0, `${g.parts[0]}=`)],
  ['claims in another spelling', () => swapped(1, `${g.parts[1]} `)],
  [
    'signature in another spelling: spare bits',
    () => swapped(2, spareBits(g.parts[2])),
    'invalid',
    undefined,
    'either',
  ],
  ['other forms: no signature', () => swapped(2, '')],
  ['other forms: a fourth part', () => `${g.token}.${g.parts[2]}`],
  ['claims changed: another user', () => claiming({ sub: g.other.sub })],
  ['claims changed: a later end', () => claiming({ exp: g.claims.exp + 1 })],
  ['claims changed: a proven address', () => claiming({ email_verified: 1 })],
  [
    'depth without a key',
    () => swapped(0, encode(last(g.head, 'more', '['.repeat(5_000) + ']'.repeat(5_000)))),
  ],
  [
    'damage: a bit flipped',
    () => resealed((r, s) => [r, s.map((byte, n) => (n === 31 ? byte ^ 1 : byte)) as Buffer]),
  ],
  ['damage: cut short', () => g.token.slice(0, -20)],
];

const EXPIRED = ['expired', '401 unauthorized'] as const;
/** What only the service could sign and never does: its own strictness is asked, the documented rules where they speak. */
const BY_US: readonly Row[] = [
  ['algorithms: alg missing', () => ours({}, { alg: undefined })],
  ['algorithms: alg in a list', () => ours({}, { alg: ['ES256'] })],
  ['kid tricks: missing', () => ours({}, { kid: undefined })],
  ['kid tricks: in a list', () => ours({}, { kid: [g.head.kid] })],
  ['crit of an unknown member', () => ours({}, { crit: ['x'], x: 1 })],
  ['exp missing', () => ours({ exp: undefined })],
  ['exp a text', () => ours({ exp: String(g.claims.exp) })],
  ['exp gone by', () => ours({ exp: g.claims.iat - 60 }), ...EXPIRED],
  ['iat missing', () => ours({ iat: undefined }), 'invalid', undefined, 'either'],
  ['aud of another app', () => ours({ aud: ['svc', g.other.id] }), 'invalid', undefined, 'either'],
  ['aud of test mode', () => ours({ aud: ['svc_test', g.app] })],
  ['aud missing', () => ours({ aud: undefined })],
  ['iss of another', () => ours({ iss: 'https://evil.example' })],
  ['iss that begins alike', () => ours({ iss: `${run.base}.evil.example` })],
  ['app_id of another app', () => ours({ app_id: g.other.id })],
  [
    'app_id of another app, with its audience',
    () => ours({ app_id: g.other.id, aud: ['svc', g.other.id] }),
    'invalid',
    '404 not_found',
  ],
  ['livemode a text', () => ours({ livemode: 'true' })],
  [
    'livemode of the other mode',
    () => ours({ livemode: false, aud: ['svc_test', g.app] }),
    'mode_mismatch',
    '404 not_found',
  ],
  ['sub missing', () => ours({ sub: undefined })],
  ['sub of somebody who is gone', () => ours({ sub: g.gone }), 'user_not_found', '404 not_found', 'accepted'],
  ['sub of another app', () => ours({ sub: g.other.sub }), 'user_not_found', '404 not_found', 'accepted'],
  [
    'jti of a token that was signed out',
    () => ours({ jti: decoded(g.revoked).claims.jti }),
    'revoked',
    '401 token_revoked',
    'accepted',
  ],
  [
    'the twin of a token that was signed out',
    () => twin(g.revoked),
    'revoked',
    '401 token_revoked',
    'accepted',
  ],
  ['repeated members: alg none last', () => spelt(last(g.head, 'alg', '"none"'), g.claims)],
  ['repeated members: exp gone by last', () => spelt(g.head, last(g.claims, 'exp', '1')), ...EXPIRED],
  ['no JSON: junk behind the claims', () => spelt(g.head, `${JSON.stringify(g.claims)}x`)],
  ['no JSON: claims in a list', () => spelt(g.head, [g.claims])],
  [
    'byte order mark before the claims',
    () => spelt(g.head, `\ufeff${JSON.stringify(g.claims)}`),
    'invalid',
    undefined,
    'either',
  ],
];

/** Nothing that matters was changed. */
const GOOD: readonly Row[] = (
  [
    ['a good token', () => g.token],
    ['the other signature, n - s', () => twin()],
    ['typ, cty and unknown members', () => ours({}, { typ: 'at+jwt', cty: 'JWT', nonce: 'x' })],
    [
      "somebody else's jwk in the header",
      () => ours({}, { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' } }),
    ],
    ['livemode missing, of a live token', () => ours({ livemode: undefined })],
    ['aud in another order, with another one', () => ours({ aud: [g.app, 'other', 'svc'] })],
    ['one claim more', () => ours({ admin: true })],
    [
      'repeated members, the good one last',
      () => spelt(g.head, `{"exp":1,${JSON.stringify(g.claims).slice(1)}`),
    ],
  ] as const
).map(([kind, make]) => [kind, make, 'valid', '200', 'accepted'] as const);

const bySdk = async (token: string) =>
  (await codeOf(sdk.offline.verify(token))) === 'accepted' ? 'accepted' : 'refused';

for (const [kind, make, service = 'invalid', me = '401 unauthorized', offline = 'refused'] of [
  ...KEYLESS,
  ...BY_US,
  ...GOOD,
])
  test(`${kind}: service ${service}, its routes ${me}, README and SDK ${offline}`, async () => {
    const token = (await make()) as string;
    // Without the helper, which holds answers to their description: claims that we never write are not in it.
    const headers = { authorization: `Bearer ${app.live.sk}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ token });
    const verdict = await (await fetch(run.base + ONLINE, { method: 'POST', headers, body })).json();
    assert.is(verdict.valid ? 'valid' : verdict.reason, service);
    const seen = await getMe(run, token);
    assert.is([seen.status, seen.json.error?.code].filter(Boolean).join(' '), me);
    // Of what nobody's documented rule speaks of the SDK is as strict as the service.
    assert.is(await bySdk(token), offline === 'either' ? 'refused' : offline, 'the SDK offline');
    const [byReadme] = await typescript(run, [{ token, appId: g.app, mode: 'live' }]);
    if (offline !== 'either') assert.is(byReadme === null ? 'refused' : 'accepted', offline, 'README');
    const before = counted.asked[ONLINE] ?? 0;
    const code = await codeOf(sdk.online.verify(token));
    assert.is(code === 'accepted', service === 'valid', `the SDK online: ${code}`);
    if (service !== 'valid' && offline === 'accepted') assert.is(code, service);
    if (KEYLESS.some(([name]) => name === kind))
      assert.is(counted.asked[ONLINE] ?? 0, before, 'the service was not asked');
  });

test('what is no text, or empty, is refused as such', async () => {
  for (const token of ['', null, 1, [g.token], { token: g.token }]) {
    assert.is((await verify(run, app, token)).status, 400, JSON.stringify(token));
    assert.is.not(await codeOf(sdk.offline.verify(token as string)), 'accepted');
  }
});

test('a bad key in the set is left out by README and SDK, and by the SDK leaves the good one alone', async () => {
  const verifier: OfflineVerifier = (token, issuer, appId) =>
    codeOf(createVerifier({ issuer, appId, mode: 'live' }).verify(token));
  const { asked, accepted, refused } = await judgeSets(verifier);
  assert.ok(asked > 100);
  assert.equal([accepted, refused], [[], []]);
  const readme: OfflineVerifier = async (token, base, appId) =>
    (await typescript({ base } as typeof run, [{ token, appId, mode: 'live' }]))[0] ? 'accepted' : 'refused';
  assert.equal((await judgeSets(readme)).accepted, []);
});

test.run();
