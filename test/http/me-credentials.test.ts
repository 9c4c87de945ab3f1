/** Who may call a user's own routes: each form of a token that is none, and which fault is told first. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  assertLacks,
  call,
  decoded,
  enrolled,
  type Headers,
  type Json,
  match,
  server,
  soon,
} from '../support/client.ts';
import { bearer, deleteMe, getMe, logout, ME_ROUTES, profile } from '../support/me.ts';
import { appFor, serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-credentials');
let token: string;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  ({ token } = await enrolled(run, app, { fields: { email: 'ana@example.com' } }));
});

async function everyRoute(headers: Headers, check: (answer: Answer, at: string) => void): Promise<void> {
  for (const [method, path, json] of ME_ROUTES)
    check(await call(run, method, path, { headers, ...(json && { json }) }), `${method} ${path}`);
}
const refusedEverywhere = (headers: Headers, status = 401, code = 'unauthorized') =>
  everyRoute(headers, (answer, at) => {
    assertError(answer, status, code, at);
    assertLacks(answer, ['ana@example.com', token]);
  });
/** A user who may be deleted, signed out or left behind. */
async function somebody(): Promise<{ at: TestApp; user: Json; token: string }> {
  const at = await run.createApp();
  return { at, ...(await enrolled(run, at)) };
}

const faults: [string, () => Headers][] = [
  ['no credential', () => ({})],
  ['an empty header', () => ({ authorization: '' })],
  ['the scheme alone', () => ({ authorization: 'Bearer' })],
  ['nonsense', () => bearer('nonsense')],
  ['three empty parts', () => bearer('..')],
  ['a secret key', () => server(app)],
  ['a publishable key as Bearer', () => bearer(app.live.pk)],
  ['a publishable key with its Origin', () => ({ 'x-svc-key': app.live.pk, origin: app.origin })],
  ['a token in the header of keys', () => ({ 'x-svc-key': token, origin: app.origin })],
  ['a token without its scheme', () => ({ authorization: token })],
  ['a token by another scheme', () => ({ authorization: `Basic ${token}` })],
  ['a token with more behind it', () => bearer(`${token}.x`)],
  ['a token cut short', () => bearer(token.slice(0, -2))],
  ['a token without its signature', () => bearer(`${token.split('.').slice(0, 2).join('.')}.`)],
  ['two tokens', () => ({ authorization: `Bearer ${token}, Bearer ${token}` })],
  ['a user id', () => bearer(decoded(token).claims.sub)],
];
for (const [name, headers] of faults)
  test(`every route refuses ${name}: 401 unauthorized`, () => refusedEverywhere(headers()));

test('what was refused has changed nothing', async () => {
  const { user, template_count } = await profile(run, token);
  assert.equal([user.name, user.email, template_count], ['Ada', 'ana@example.com', 1]);
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function signedBy(key: KeyObject, header: object, claims: object, hash = 'sha256'): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const jwk = own.publicKey.export({ format: 'jwk' });
const published = async () => (await call(run, 'GET', '/.well-known/jwks.json')).json.keys[0];

const forgeries: [string, (header: Json, claims: Json) => string | Promise<string>][] = [
  ['signed by nobody', (_, claims) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`],
  ['signed by a foreign key', (header, claims) => signedBy(own.privateKey, header, claims)],
  [
    'signed by a key that it brings along',
    (header, claims) => signedBy(own.privateKey, { ...header, jwk }, claims),
  ],
  [
    'signed by a foreign key of the other curve',
    (header, claims) => signedBy(other.privateKey, { ...header, alg: 'ES384' }, claims, 'sha384'),
  ],
  [
    'signed with the public key as a shared secret',
    async (header, claims) => {
      const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
      const secret = JSON.stringify(await published());
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    },
  ],
  [
    'with claims of its own under a good signature',
    (_, claims) => {
      const [header, , signature] = token.split('.');
      return `${header}.${encode({ ...claims, email: 'x@example.com' })}.${signature}`;
    },
  ],
  [
    'with the algorithm changed under a good signature',
    header => `${encode({ ...header, alg: 'none' })}.${token.split('.').slice(1).join('.')}`,
  ],
];
for (const [name, forge] of forgeries)
  test(`a token ${name} is refused`, async () => {
    const { header, claims } = decoded(token);
    assert.is((await getMe(run, token)).status, 200, 'the true one is good');
    await refusedEverywhere(bearer(await forge(header, claims)));
  });

test('a token of another issuer is refused, though the same key signed it', async () => {
  let moved = await startService();
  try {
    const there = await moved.createApp();
    const first = await enrolled(moved, there);
    assert.is((await getMe(moved, first.token)).status, 200);
    moved = await moved.restart();
    const again = (await match(moved, there)).json.token;
    assert.is.not(decoded(again).claims.iss, decoded(first.token).claims.iss);
    assert.is(decoded(again).header.kid, decoded(first.token).header.kid);
    assertError(await getMe(moved, first.token), 401, 'unauthorized');
    assert.is((await getMe(moved, again)).status, 200);
  } finally {
    await moved.close();
  }
});

test('a token of a signing key that was revoked is refused', async () => {
  const own = await startService();
  try {
    const { token: old } = await enrolled(own, await own.createApp());
    assert.is((await getMe(own, old)).status, 200);
    await own.cli(['signing-key', 'rotate', '--revoke-old']);
    await soon(async () => (await getMe(own, old)).status !== 200, 'the revocation');
    assertError(await getMe(own, old), 401, 'unauthorized');
  } finally {
    await own.close();
  }
});

test('a token is good until its last second, and expired exactly one hour after it was issued', async () => {
  const { token: one } = await somebody();
  run.clock.advance(decoded(one).claims.exp * 1_000 - run.clock.now() - 1);
  assert.is((await getMe(run, one)).status, 200, 'a moment before');
  run.clock.advance(1);
  await refusedEverywhere(bearer(one));
  // The shared user's token is as old: a fresh one for the tests that follow.
  ({ token } = (await match(run, app)).json);
});

test('a token that was signed out is answered 401 token_revoked by every route', async () => {
  const { token: one } = await somebody();
  assert.is((await logout(run, one)).status, 204);
  await refusedEverywhere(bearer(one), 401, 'token_revoked');
});

for (const by of ['the user', 'the secret key'])
  test(`a user deleted by ${by} is answered 404 not_found by every route`, async () => {
    const { at, user, token: one } = await somebody();
    const gone =
      by === 'the user'
        ? await deleteMe(run, one)
        : await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(at) });
    assert.is(gone.status, 204, gone.text);
    await refusedEverywhere(bearer(one), 404, 'not_found');
  });

test('when the app is gone its tokens are invalid: 401 unauthorized, also those signed out', async () => {
  const { at, token: one } = await somebody();
  const revoked = (await match(run, at)).json.token;
  assert.is((await logout(run, revoked)).status, 204);
  assert.is((await run.cli(['app', 'delete', at.id, '--yes'])).code, 0);
  await soon(async () => (await getMe(run, one)).json?.error?.code === 'unauthorized', 'the deletion');
  await refusedEverywhere(bearer(one));
  assertError(await getMe(run, revoked), 401, 'unauthorized', 'signed out');
});

test('revoked is reported before the deleted user', async () => {
  const { at, user, token: one } = await somebody();
  await logout(run, one);
  await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(at) });
  assertError(await getMe(run, one), 401, 'token_revoked');
});

test('expired is reported before revoked and before the deleted user', async () => {
  const { at, user, token: one } = await somebody();
  const second = (await match(run, at)).json.token;
  await logout(run, one);
  await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(at) });
  run.clock.advance(3_600_000);
  assertError(await getMe(run, one), 401, 'unauthorized', 'revoked');
  assertError(await getMe(run, second), 401, 'unauthorized', 'deleted');
  ({ token } = (await match(run, app)).json);
});

test.run();
