/** The rules of offline verification, asked of the documented verifiers: every kind of wrong token beside a right one. */
import { createHmac } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config.ts';
import { openAdmin } from '../../src/service/data.ts';
import { call, decoded, enrolled, faces, type Json, match } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { type Answer, python, type Question, typescript, type Verifier } from './verifiers.ts';

const HOUR = 3_600_000;
const test = suite('offline verification');
let app: TestApp;
let other: TestApp;
/** What the service issued, by mode. */
const issued: Record<string, { token: string; sub: string }> = {};
let privateKey: CryptoKey;
let kid = '';

// The clients live in the present, so the service must too, without replacing its key for its age.
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
test.before(async () => {
  run.clock.advance(Date.now() - run.clock.now());
  app = await run.createApp();
  other = await run.createApp();
  for (const mode of ['live', 'test'] as const) {
    const { token, user } = await enrolled(run, app, { mode });
    issued[mode] = { token, sub: user.id };
  }
  kid = decoded(live().token).header.kid;
  privateKey = await signingKey(kid);
});

const live = () => issued.live as { token: string; sub: string };

/** The private half of the key in use, so that tokens can be forged which differ in one thing only. */
async function signingKey(id: string): Promise<CryptoKey> {
  const admin = await openAdmin(loadConfig({ DATA_DIR: run.dataDir }));
  const jwk = await admin.deps.store.openSigningKey(id);
  await admin.close();
  return (await importJWK(jwk as JWK, 'ES256')) as CryptoKey;
}

/** The live token's claims, changed and signed again by the service's own key. */
function resigned(change: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const claims = { ...decoded(live().token).claims, ...change };
  for (const [name, value] of Object.entries(claims)) if (value === undefined) delete claims[name];
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid, ...header })
    .sign(privateKey);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (ms: number) => Math.floor((Date.now() + ms) / 1_000);

/** Signed by somebody else's key, under the id of ours. */
async function foreign(): Promise<string> {
  const { privateKey: key } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
  ]);
  return new SignJWT(decoded(live().token).claims).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
}

/** The public key taken for the secret of an HMAC. */
async function confused(): Promise<string> {
  const set: Json = (await call(run, 'GET', '/.well-known/jwks.json')).json;
  const text = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${live().token.split('.')[1]}`;
  return `${text}.${createHmac('sha256', JSON.stringify(set.keys[0])).update(text).digest('base64url')}`;
}

const tampered = () => {
  const [head, claims = '', signature] = live().token.split('.');
  const body = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return `${head}.${part({ ...body, sub: 'usr_somebodyelse0000000000' })}.${signature}`;
};

const wrong: [string, () => Promise<string> | string][] = [
  ['expired', () => resigned({ iat: seconds(-2 * HOUR), exp: seconds(-HOUR) })],
  ['without an expiry', () => resigned({ exp: undefined })],
  ['of another issuer', () => resigned({ iss: 'https://face.example' })],
  ['for the audience of test mode', () => resigned({ aud: ['svc_test', app.id] })],
  ['for the app as its only audience', () => resigned({ aud: [app.id] })],
  ['of another app', () => resigned({ app_id: other.id })],
  ['of test mode behind a live audience', () => resigned({ livemode: false })],
  ['without a user', () => resigned({ sub: undefined })],
  ['with other claims than were signed', tampered],
  ['signed by a key of nobody', foreign],
  ['signed with HS256 by the public key', confused],
  ['unsigned', () => `${part({ alg: 'none', typ: 'JWT', kid })}.${live().token.split('.')[1]}.`],
  ['with an id of no key', () => resigned({}, { kid: 'nobody' })],
  ['cut short', () => live().token.slice(0, -4)],
  ['that is none', () => 'not-a-token'],
];

for (const [name, verifier] of [
  ['TypeScript', typescript],
  ['Python', python],
] as [string, Verifier][]) {
  const ask = (...questions: Question[]): Promise<Answer[]> => verifier(run, questions);
  const inLive = (token: string): Question => ({ token, appId: app.id, mode: 'live' });

  test(`${name}: tokens of both modes are accepted in their own mode and for their own app only`, async () => {
    for (const [mode, otherMode] of [
      ['live', 'test'],
      ['test', 'live'],
    ] as const) {
      const { token, sub } = issued[mode] as { token: string; sub: string };
      const answers = await ask(
        { token, appId: app.id, mode },
        { token, appId: app.id, mode: otherMode },
        { token, appId: other.id, mode },
      );
      assert.equal(answers, [sub, null, null], mode);
    }
  });

  test(`${name}: a token without livemode counts as live`, async () => {
    const token = await resigned({ livemode: undefined });
    assert.equal(await ask(inLive(token), { ...inLive(token), mode: 'test' }), [live().sub, null]);
  });

  test(`${name}: clocks may differ by seconds, not by minutes`, async () => {
    for (const [iat, exp, sub] of [
      [5_000, HOUR, live().sub],
      [-HOUR, -5_000, live().sub],
      [-HOUR, -5 * 60_000, null],
    ] as const) {
      const token = await resigned({ iat: seconds(iat), exp: seconds(exp) });
      assert.equal(await ask(inLive(token)), [sub], `issued ${iat} ms, expires ${exp} ms from now`);
    }
  });

  for (const [what, make] of wrong) {
    test(`${name}: a token ${what} is refused, its right twin accepted`, async () => {
      assert.equal(await ask(inLive(await make()), inLive(await resigned({}))), [null, live().sub]);
    });
  }
}

test('after a rotation tokens of the new and of the old key are accepted, by both', async () => {
  const before = live();
  const rotated = await run.cli(['signing-key', 'rotate', '--now']);
  assert.is(rotated.code, 0, rotated.stderr);
  const { token } = (await match(run, app, { descriptors: [faces.genuine(0, 1)] })).json;
  assert.is.not(decoded(token).header.kid, kid);
  const questions = [before.token, token].map(
    each => ({ token: each, appId: app.id, mode: 'live' }) as const,
  );
  for (const ask of [typescript, python]) assert.equal(await ask(run, questions), [before.sub, before.sub]);
});

test.run();
