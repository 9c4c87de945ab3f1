/** Online verification by the server SDK: the service's word as codes, and what happens when there is none. */
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { VerificationError } from '../../src/sdk/server/index.ts';
import { decoded, enrolled, faces, match } from '../support/client.ts';
import { deleteMe, logout } from '../support/me.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import {
  codeOf,
  countedFetch,
  down,
  foreign,
  KEYS,
  ONLINE,
  type Signer,
  signerOf,
  silent,
  verifierOf,
} from './server-support.ts';

const HOUR = 3_600_000;
const test = suite('server SDK: online verification');
let signer: Signer;
const run = serviceFor(test, { env: { LIMIT_SECRET_KEY_PER_MINUTE: '60' } });
const app = appFor(test, run);
test.before(async () => {
  await enrolled(run, app);
  await enrolled(run, app, { mode: 'test' });
  signer = await signerOf(run);
});

const signIn = async (person = 0): Promise<string> =>
  (await match(run, app, { descriptors: [faces.genuine(person)] })).json.token;
const online = (more: object = {}) => verifierOf(run, app, 'live', { secretKey: app.live.sk, ...more });
/** So that no test takes from the requests of another. */
const fresh = async (more: object = {}) => {
  run.clock.advance(60_000);
  return online(more);
};

test('a good token resolves to what it says, as checked online, in both modes', async () => {
  const token = await signIn();
  const said = await (await fresh()).verify(token);
  assert.is(said.checked, 'online');
  assert.equal(said.raw, decoded(token).claims);
  const { json } = await match(run, app, { mode: 'test', descriptors: [faces.genuine(0)] });
  const verifier = verifierOf(run, app, 'test', { secretKey: app.test.sk });
  assert.is((await verifier.verify(json.token)).livemode, false);
});

test('a token that was signed out is revoked; its twin of the same user is not', async () => {
  const [out, stays] = [await signIn(), await signIn()];
  const verifier = await fresh();
  assert.is(await codeOf(verifier.verify(out)), 'accepted');
  await logout(run, out);
  assert.is(await codeOf(verifier.verify(out)), 'revoked');
  assert.is(await codeOf(verifier.verify(stays)), 'accepted');
  const offline = verifierOf(run, app);
  assert.is(await codeOf(offline.verify(out)), 'accepted', 'offline nobody can know');
  const kept = online({ verification: 'offline' });
  assert.is((await kept.verify(out)).checked, 'offline');
});

test('the token of a deleted user is user_not_found', async () => {
  const { token } = await enrolled(run, app, { descriptors: [faces.genuine(5)] });
  const verifier = await fresh();
  assert.is(await codeOf(verifier.verify(token)), 'accepted');
  await deleteMe(run, token);
  assert.is(await codeOf(verifier.verify(token)), 'user_not_found');
});

test("expired is what the service's clock says, whatever the one here does", async () => {
  const token = await signIn();
  const { asked, fetch } = countedFetch();
  const fast = online({ fetch, now: () => run.clock.now() + 2 * HOUR });
  assert.is(await codeOf(fast.verify(token)), 'accepted');
  run.clock.advance(HOUR);
  const slow = online({ fetch, now: () => run.clock.now() - 2 * HOUR });
  assert.is(await codeOf(slow.verify(token)), 'expired');
  assert.is(asked[ONLINE], 2);
});

test('a token of the other mode is refused before anybody is asked', async () => {
  const { json } = await match(run, app, { mode: 'test', descriptors: [faces.genuine(0)] });
  const { asked, fetch } = countedFetch();
  assert.is(await codeOf(online({ fetch }).verify(json.token)), 'mode_mismatch');
  assert.equal(asked, {});
});

test('a key of another app takes no token of this one: invalid', async () => {
  const other = await run.createApp();
  assert.is(await codeOf((await fresh({ secretKey: other.live.sk })).verify(await signIn())), 'invalid');
});

test('a key that the service does not know, or that was revoked: unauthorized, whose cause says it', async () => {
  const unknown = `svc_sk_live_${'A'.repeat(32)}`;
  const error = await online({ secretKey: unknown })
    .verify(await signIn())
    .catch(thrown => thrown);
  assert.instance(error, VerificationError);
  assert.is(error.code, 'unauthorized');
  assert.equal(
    [error.cause.name, error.cause.code, error.cause.status],
    ['ServiceError', 'unauthorized', 401],
  );
  assert.ok(error.cause.requestId);
  assert.not.ok(inspect(error, { depth: 9, showHidden: true }).includes(unknown));
  const { json } = await run.cli(['key', 'create', '--app', app.id, '--type', 'secret', '--mode', 'live']);
  const verifier = await fresh({ secretKey: json.key });
  const token = await signIn();
  assert.is(await codeOf(verifier.verify(token)), 'accepted');
  await run.cli(['key', 'revoke', json.id]);
  assert.is(await codeOf(verifier.verify(token)), 'unauthorized');
});

test('beyond the limit of the key: rate_limited, with the seconds; forgeries do not use it up', async () => {
  const token = await signIn();
  const kid = decoded(token).header.kid;
  const verifier = await fresh();
  for (let n = 0; n < 100; n++)
    assert.is(
      await codeOf(verifier.verify(await foreign(token, n % 2 ? kid : `${n}`.padStart(43, 'k')))),
      'signature',
    );
  for (let n = 0; n < 60; n++) assert.is(await codeOf(verifier.verify(token)), 'accepted', `${n}`);
  const error = await verifier.verify(token).catch(thrown => thrown);
  assert.is(error.code, 'rate_limited');
  assert.ok(error.retryAfter > 0 && error.retryAfter <= 60, `${error.retryAfter}`);
  const falling = online({ whenUnavailable: 'offline' });
  assert.is((await falling.verify(token)).checked, 'offline');
});

test('without an answer it is refused, unless the fallback was asked for, which keeps the offline rules', async () => {
  const token = await signIn();
  const revoked = await signIn();
  await logout(run, revoked);
  const kinds: ((signal: AbortSignal) => Response | Promise<Response>)[] = [
    down,
    () => new Response('<html>', { status: 502 }),
    () => Response.json({ error: { code: 'internal_error', message: 'x' } }, { status: 500 }),
    () => new Response('<html>'),
    () => Response.json({ valid: 'yes' }),
    silent,
  ];
  for (const kind of kinds) {
    const counted = countedFetch();
    const options = { fetch: counted.fetch, timeoutMs: 300 };
    const [strict, falling] = [await fresh(options), online({ ...options, whenUnavailable: 'offline' })];
    for (const verifier of [strict, falling]) assert.is(await codeOf(verifier.verify(token)), 'accepted');
    counted.instead = (path, signal) => (path === ONLINE ? kind(signal) : undefined);
    assert.is(await codeOf(strict.verify(token)), 'unavailable', String(kind));
    assert.is((await falling.verify(token)).checked, 'offline', String(kind));
    assert.is(await codeOf(falling.verify(revoked)), 'accepted', 'which is what the fallback costs');
    const forged = await foreign(token, decoded(token).header.kid);
    const old = await signer.resigned(token, { exp: Math.floor(run.clock.now() / 1_000) - 60 });
    assert.is(await codeOf(falling.verify(forged)), 'signature');
    assert.is(await codeOf(falling.verify(old)), 'expired');
  }
});

test('when nothing of the service can be had the fallback refuses too', async () => {
  const counted = countedFetch();
  counted.instead = down;
  const token = await signIn();
  const falling = await fresh({ fetch: counted.fetch, whenUnavailable: 'offline', timeoutMs: 300 });
  assert.is(await codeOf(falling.verify(token)), 'keys_unavailable');
});

test('a service that hangs is waited for twice at most: for its keys, and for its word', async () => {
  const counted = countedFetch();
  counted.instead = (_, signal) => silent(signal);
  const token = await signIn();
  // Every request seems to have taken long enough for the keys to be worth another one.
  let time = run.clock.now();
  const options = { fetch: counted.fetch, timeoutMs: 200, now: () => (time += 5_000) };
  const falling = online({ ...options, whenUnavailable: 'offline' });
  assert.is(await codeOf(falling.verify(token)), 'keys_unavailable');
  assert.equal(counted.asked, { [KEYS]: 1, [ONLINE]: 1 });
});

test('a key set that cannot be had does not keep the service from answering', async () => {
  const counted = countedFetch();
  counted.instead = path => (path === KEYS ? down() : undefined);
  const token = await signIn();
  const verifier = await fresh({ fetch: counted.fetch, timeoutMs: 300 });
  assert.is(await codeOf(verifier.verify(token)), 'accepted');
  assert.is(await codeOf(verifier.verify(await foreign(token, decoded(token).header.kid))), 'invalid');
});

test('an answer about another token lets nobody in', async () => {
  const counted = countedFetch();
  const [mine, another] = [await signIn(), await signIn()];
  const verifier = await fresh({ fetch: counted.fetch });
  const { claims } = decoded(another);
  counted.instead = path => (path === ONLINE ? Response.json({ valid: true, claims }) : undefined);
  assert.is(await codeOf(verifier.verify(mine)), 'unavailable');
  assert.is(await codeOf(verifier.verify(another)), 'accepted');
});

test('an address that is not proven is refused when asked for', async () => {
  const verifier = await fresh({ requireVerifiedEmail: true });
  assert.is(await codeOf(verifier.verify(await signIn())), 'email_not_verified');
});

test.run();
