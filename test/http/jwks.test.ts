/** The set of public keys, and the rotation of signing keys as a verifier sees it. */
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose';
import * as assert from 'uvu/assert';
import { call, decoded, enrolled, faces, match, soon, verify } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('jwks');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  await enrolled(run, app);
});

const published = async () => (await call(run, 'GET', '/.well-known/jwks.json')).json;
const kids = async () => (await published()).keys.map((key: { kid: string }) => key.kid) as string[];
const signIn = async () => (await match(run, app, { descriptors: [faces.genuine(0)] })).json.token as string;
const kidOf = (token: string) => decoded(token).header.kid as string;
const valid = async (token: string) => (await verify(run, app, token)).json.valid as boolean;
const rotate = (...flags: string[]) => run.cli(['signing-key', 'rotate', ...flags]);

async function offline(token: string): Promise<string> {
  const rules = {
    algorithms: ['ES256'],
    issuer: run.base,
    audience: 'svc',
    currentDate: new Date(run.clock.now()),
  };
  return jwtVerify(token, createLocalJWKSet(await published()), rules).then(
    () => 'accepted',
    () => 'refused',
  );
}

const later = (ms: number) => run.clock.advance(ms);

/** To a state with one key only, from whatever the test before left. */
async function settle(): Promise<void> {
  later(11 * MINUTE);
  later(25 * HOUR);
  await soon(async () => (await kids()).length === 1, 'one key is left');
}

test('the set holds public P-256 keys named by their thumbprint, for verifiers to cache', async () => {
  const answer = await call(run, 'GET', '/.well-known/jwks.json');
  assert.is(answer.status, 200);
  assert.is(answer.headers['cache-control'], 'public, max-age=300');
  assert.equal(Object.keys(answer.json), ['keys']);
  assert.is(answer.json.keys.length, 1);
  for (const key of answer.json.keys) {
    assert.is(key.kty, 'EC');
    assert.is(key.crv, 'P-256');
    assert.is(key.kid, await calculateJwkThumbprint(key, 'sha256'));
    assert.is(key.use ?? 'sig', 'sig');
    assert.is(key.alg ?? 'ES256', 'ES256');
    for (const secret of ['d', 'k', 'p', 'q', 'oth']) assert.is(key[secret], undefined, secret);
  }
});

test('a token is signed by a key of the set', async () => {
  const token = await signIn();
  assert.ok((await kids()).includes(kidOf(token)));
  assert.is(await offline(token), 'accepted');
});

test('a new key is published ten minutes before it signs, and the old one stays for 24 hours', async () => {
  await settle();
  const [old = ''] = await kids();
  const { json } = await rotate();
  await soon(async () => (await kids()).length === 2, 'the new key in the set');
  assert.equal((await kids()).sort(), [old, json.kid].sort());
  later(10 * MINUTE - 1_000);
  const before = await signIn();
  assert.is(kidOf(before), old, 'ten minutes less a second');
  later(1_000);
  await soon(async () => kidOf(await signIn()) === json.kid, 'the new key signs');
  assert.equal((await kids()).sort(), [old, json.kid].sort(), 'current and previous');
  assert.is(await valid(before), true, 'a token of the key before');
  assert.is(await offline(before), 'accepted');
  later(24 * HOUR - MINUTE);
  assert.is((await kids()).length, 2, 'the old key, just under 24 hours later');
  later(2 * MINUTE);
  await soon(async () => (await kids()).length === 1, 'the old key leaves the set');
  assert.equal(await kids(), [json.kid]);
});

test('a second rotation within that time is refused, and the set never holds more than two keys', async () => {
  await settle();
  await rotate();
  for (const flags of [[], ['--now']]) {
    const again = await run.cli(['signing-key', 'rotate', ...flags]);
    assert.is(again.code, 1, flags.join());
  }
  assert.is((await kids()).length, 2);
  later(10 * MINUTE);
  const again = await run.cli(['signing-key', 'rotate']);
  assert.is(again.code, 1, 'current and previous');
  assert.is((await kids()).length, 2);
});

test('rotate --now signs with the new key at once; tokens of the old one stay valid', async () => {
  await settle();
  const [old = ''] = await kids();
  const before = await signIn();
  const { json } = await rotate('--now');
  await soon(async () => kidOf(await signIn()) === json.kid, 'the new key signs');
  assert.equal((await kids()).sort(), [old, json.kid].sort());
  assert.is(await valid(before), true);
  assert.is(await valid(await signIn()), true);
});

for (const state of ['one key', 'a key that waits', 'a key that was replaced']) {
  test(`rotate --revoke-old leaves one new key and no old token valid, starting from ${state}`, async () => {
    await settle();
    const older = await signIn();
    if (state === 'a key that waits') await rotate();
    if (state === 'a key that was replaced') await rotate('--now');
    const before = await signIn();
    const known = await kids();
    const { json } = await rotate('--revoke-old');
    await soon(async () => (await kids()).join() === json.kid, 'only the new key in the set');
    assert.not.ok(known.includes(json.kid), 'a key nobody could have stolen');
    await soon(async () => kidOf(await signIn()) === json.kid, 'the new key signs');
    for (const token of [older, before]) {
      assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'invalid' });
      assert.is(await offline(token), 'refused');
    }
    assert.is(await valid(await signIn()), true);
  });
}

test.run();
