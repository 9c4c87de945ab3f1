/** The server SDK before a real service whose signing key is replaced, in each of the three ways. */
import * as assert from 'uvu/assert';
import { decoded, enrolled, faces, match, soon } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { codeOf, countedFetch, KEYS, verifierOf } from './server-support.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const test = suite('server SDK: rotation');
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
const app = appFor(test, run);
test.before(async () => {
  await enrolled(run, app);
});

const kidOf = (token: string) => decoded(token).header.kid as string;
const signIn = async () => (await match(run, app, { descriptors: [faces.genuine(0)] })).json.token as string;

async function rotate(...flags: string[]): Promise<void> {
  const { code, stderr } = await run.cli(['signing-key', 'rotate', ...flags]);
  assert.is(code, 0, stderr);
}

/** Signs in until the token is signed by another key than this. */
async function signedByAnother(kid: string): Promise<string> {
  let token = '';
  await soon(async () => {
    token = await signIn();
    return kidOf(token) !== kid;
  }, 'the new key signs');
  return token;
}

/** To a state with one key only, from whatever the test before left. */
function settle(): void {
  run.clock.advance(11 * MINUTE);
  run.clock.advance(25 * HOUR);
}

test('an ordinary rotation is never noticed: the new key is known before it signs', async () => {
  settle();
  const counted = countedFetch();
  const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch });
  const before = await signIn();
  assert.is(await codeOf(verifier.verify(before)), 'accepted');
  await rotate();
  for (let minute = 0; minute < 10; minute++) {
    assert.is(await codeOf(verifier.verify(await signIn())), 'accepted');
    run.clock.advance(MINUTE);
  }
  const fetched = counted.asked[KEYS];
  assert.is(fetched, 2, 'once at first, once when five minutes were over');
  run.clock.advance(SECOND);
  const after = await signIn();
  assert.is.not(kidOf(after), kidOf(before));
  // By now the set is ten minutes old, so that it is asked for anyway; the old key is still in it.
  for (const token of [after, before]) assert.is(await codeOf(verifier.verify(token)), 'accepted');
  assert.is(counted.asked[KEYS], 3);
});

test('after --now tokens of the new and of the old key are accepted at once, at the cost of one fetch', async () => {
  settle();
  const counted = countedFetch();
  const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch });
  const before = await signIn();
  assert.is(await codeOf(verifier.verify(before)), 'accepted');
  await rotate('--now');
  const after = await signedByAnother(kidOf(before));
  const codes = await Promise.all([after, before, after, after].map(token => codeOf(verifier.verify(token))));
  assert.equal(codes, ['accepted', 'accepted', 'accepted', 'accepted']);
  assert.is(counted.asked[KEYS], 2);
});

test('after --revoke-old the old key is gone with the first token of the new one, or after five minutes', async () => {
  settle();
  const [withKeys, withoutKeys] = [verifierOf(run, app), verifierOf(run, app)];
  const before = await signIn();
  for (const verifier of [withKeys, withoutKeys])
    assert.is(await codeOf(verifier.verify(before)), 'accepted');
  await rotate('--revoke-old');
  const after = await signedByAnother(kidOf(before));
  assert.is(await codeOf(withKeys.verify(after)), 'accepted');
  assert.is(await codeOf(withKeys.verify(before)), 'signature');
  run.clock.advance(5 * MINUTE - 1);
  assert.is(await codeOf(withoutKeys.verify(before)), 'accepted', 'the set is kept');
  run.clock.advance(1);
  assert.is(await codeOf(withoutKeys.verify(before)), 'signature');
  assert.is(await codeOf(withoutKeys.verify(after)), 'accepted');
});

test.run();
