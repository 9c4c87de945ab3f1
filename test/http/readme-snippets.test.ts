/** The code that the documents show is the code that runs here, against a real server; only addresses are put in its place. */
import { stripTypeScriptTypes } from 'node:module';
import * as assert from 'uvu/assert';
import { syntheticFaces } from '../../src/sdk/browser/testing.ts';
import { decoded, planFile } from '../support/client.ts';
import { deleteMe, logout } from '../support/me.ts';
import { snippet } from '../support/readme.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const faces = syntheticFaces(3);
// biome-ignore lint/suspicious/noExplicitAny: answers, as a page's script reads them
type Json = any;

interface Page {
  enroll(email: string, descriptors: number[][]): Promise<Json>;
  signIn(descriptor: ArrayLike<number>): Promise<Json>;
  onSignIn(descriptor: ArrayLike<number>): Promise<Json>;
  requestCode(email: string): Promise<Json>;
  signInWithCode(email: string, code: string): Promise<Json>;
}

const test = suite('readme snippets');

const service = serviceFor(test, { env: { BASE_URL: '', PLANS_FILE: planFile({ none: 0 }) } });
const app = appFor(test, service);

/** The page's functions, with a fetch that adds what a browser adds by itself. */
function page(publishableKey: string, offerEmailCode: () => void = assert.unreachable): Page {
  const withOrigin = (url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, Origin: app.origin } });
  const code = ['page', 'fallback', 'codes'].map(name => snippet(name, service)).join('\n');
  const names = 'enroll, signIn, onSignIn, requestCode, signInWithCode';
  const make = new Function('publishableKey', 'fetch', 'offerEmailCode', `${code}\nreturn { ${names} };`);
  return make(publishableKey, withOrigin, offerEmailCode);
}

/** The server's function; it is told the time of the service, which tests move. */
async function verifier(): Promise<(token: string, appId: string, mode: string) => Promise<Json>> {
  const code = snippet('server', service).replace(`'jose'`, JSON.stringify(import.meta.resolve('jose')));
  const timed = code.replace(
    '    issuer,',
    `    currentDate: new Date(${service.clock.now()}),\n    issuer,`,
  );
  const script = stripTypeScriptTypes(timed);
  return (await import(`data:text/javascript,${encodeURIComponent(script)}`)).verify;
}

function online(secretKey: string, token: string): Promise<Json> {
  const body = `return (async () => { ${snippet('online', service)}\nreturn result; })()`;
  return new Function('secretKey', 'token', body)(secretKey, token);
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: Error) => error.message,
  );

for (const mode of ['live', 'test'] as const) {
  test(`${mode}: enroll, sign in, verify offline for the own app and mode only, verify online`, async () => {
    const { enroll, signIn } = page(app[mode].pk);
    const enrolled = await enroll('ada@example.com', [faces.genuine(0), faces.genuine(0, 2)]);
    const result = await signIn(Float32Array.from(faces.genuine(0, 1)));
    assert.is(result.user?.id, enrolled.user?.id, JSON.stringify(result));
    const verify = await verifier();
    assert.is((await verify(result.token, app.id, mode)).sub, result.user.id);
    assert.is(await refusal(verify(result.token, 'app_other', mode)), 'a token of another app or mode');
    const otherMode = mode === 'live' ? 'test' : 'live';
    assert.match(await refusal(verify(result.token, app.id, otherMode)), '"aud"');
    const { valid, claims } = await online(app[mode].sk, result.token);
    assert.equal([valid, claims.sub], [true, result.user.id]);
    assert.equal(await online(app[otherMode].sk, result.token), { valid: false, reason: 'mode_mismatch' });
  });
}

test('a server reads what is revoked, and asks about no token', async () => {
  const { enroll } = page(app.live.pk);
  const [good, out, gone] = [
    await enroll('good@example.com', [faces.genuine(21)]),
    await enroll('out@example.com', [faces.genuine(22)]),
    await enroll('gone@example.com', [faces.genuine(23)]),
  ].map(({ token }) => token as string) as [string, string, string];
  const names = '{ readRevocations, isRevoked }';
  const make = new Function('secretKey', 'Date', `${snippet('revocations-feed', service)}\nreturn ${names};`);
  const { readRevocations, isRevoked } = make(app.live.sk, {
    parse: Date.parse,
    now: service.clock.now,
  });
  const revoked = () => [good, out, gone].map(token => isRevoked(decoded(token).claims));
  assert.throws(revoked, /not known/);
  await readRevocations();
  assert.equal(revoked(), [false, false, false]);
  for (const act of [() => logout(service, out), () => deleteMe(service, gone)]) {
    const reading = readRevocations();
    await act();
    await reading;
  }
  assert.equal(revoked(), [false, true, true]);
  service.clock.advance(1_000);
  await service.cli(['signing-key', 'rotate', '--revoke-old']);
  await readRevocations();
  assert.equal(revoked(), [true, true, true]);
});

test('the page signs in with a code from an email, and in test mode with the fixed one', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { requestCode, signInWithCode } = page(app[mode].pk);
    assert.type((await requestCode('ada@example.com')).expires_at, 'string');
    const sent = service.mails('ada@example.com').at(-1)?.text.slice(0, 6) ?? '';
    const result = await signInWithCode('ada@example.com', mode === 'live' ? sent : '000000');
    assert.is(result.method, 'email_code', JSON.stringify(result));
  }
});

const thrown = (promise: Promise<unknown>): Promise<Json> =>
  promise.then(
    () => assert.unreachable('accepted'),
    error => error,
  );

test('the page offers a code when nobody is recognised, and signs in somebody who is', async () => {
  let offered = 0;
  const { onSignIn, signIn } = page(app.live.pk, () => offered++);
  assert.is(await onSignIn(faces.stranger(1)), undefined);
  assert.is(offered, 1);
  assert.is((await thrown(signIn(faces.stranger(1)))).code, 'no_match');
  assert.type((await onSignIn(faces.genuine(0, 1))).token, 'string');
});

test('any other refusal reaches the page as it is: that of the challenge, not what follows from it', async () => {
  const spent = await service.createApp({ plan: 'none', origins: [app.origin] });
  const { onSignIn, enroll } = page(spent.live.pk);
  const calls = [onSignIn(faces.genuine(0)), enroll('eve@example.com', [faces.genuine(5)])];
  for (const error of await Promise.all(calls.map(thrown))) {
    assert.instance(error, Error);
    assert.equal([error.code, error.limit, error.used], ['plan_limit_reached', 0, 0]);
    assert.match(error.message, /month/);
  }
});

test.run();
