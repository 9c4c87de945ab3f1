/**
 * Which key signs, and how each is called, at every moment of a rotation; and that a key is opened once but believed
 * only as long as the set holds it.
 */
import * as assert from 'uvu/assert';
import { systemKeyMaker } from '../../src/adapters/system/key-maker.ts';
import { createSigningKeys, currentOf } from '../../src/domain/tokens/signing-keys.ts';
import {
  type NewSigningKey,
  type SigningKeyRecord,
  type Store,
  StoreUnavailable,
} from '../../src/ports/store.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite('signing keys');

function record(kid: string, signsAt: number, leavesAt: number | null): SigningKeyRecord {
  return { kid, publicJwk: { kty: 'EC', crv: 'P-256', x: '', y: '' }, createdAt: signsAt, signsAt, leavesAt };
}

test('no key signs before its time while an older one can, and none in an empty set', () => {
  const keys = [record('a', 10, null), record('b', 20, null)];
  assert.equal(
    [10, 19, 20].map(now => currentOf(keys, now)?.kid),
    ['a', 'a', 'b'],
  );
  assert.is(currentOf(keys, 9)?.kid, 'a', 'a clock that was set back stops nobody from signing in');
  assert.is(currentOf([], 10), undefined);
});

/** A store of signing keys alone, which counts how often a private half is opened. */
function keyStore(...keys: NewSigningKey[]) {
  const state = { keys, opened: 0 };
  const store = {
    signingKeys: async () => state.keys.map(key => ({ ...key, leavesAt: null })),
    openSigningKey: async (kid: string) => {
      state.opened++;
      return state.keys.find(key => key.kid === kid)?.privateJwk ?? null;
    },
    addSigningKey: async (key: NewSigningKey) => state.keys.length === 0 && state.keys.push(key) > 0,
  } as unknown as Store;
  return { state, store };
}

async function made(signsAt: number): Promise<NewSigningKey> {
  return { ...(await systemKeyMaker.make()), createdAt: signsAt, signsAt };
}

test('the private half is opened once per key, and a rotation by others counts at once', async () => {
  const [first, second] = [await made(0), await made(50)];
  const { state, store } = keyStore(first);
  const clock = clockAt(10);
  const keys = createSigningKeys(store, clock);
  for (let i = 0; i < 5; i++) assert.is((await keys.current()).kid, first.kid);
  assert.is(state.opened, 1);
  state.keys = [first, second];
  assert.is((await keys.current()).kid, first.kid);
  assert.ok(await keys.verifier(second.kid), 'published before it signs');
  clock.time = 50;
  assert.is((await keys.current()).kid, second.kid);
  assert.is(state.opened, 2);
});

test('without a key that signs, issuing fails and says what to do', async () => {
  const { store } = keyStore();
  const keys = createSigningKeys(store, clockAt(99));
  const error = await keys.current().then(
    () => null,
    (thrown: Error) => thrown,
  );
  assert.match(error?.message ?? '', 'signing-key rotate --revoke-old');
});

test('a key that another process revokes between two reads is passed over for its successor', async () => {
  const [old, next] = [await made(1), await made(2)];
  const { state, store } = keyStore(old);
  const openSigningKey = async (kid: string) => {
    state.keys = [next];
    return kid === next.kid ? next.privateJwk : null;
  };
  const keys = createSigningKeys({ ...store, openSigningKey }, clockAt(10));
  assert.is((await keys.current()).kid, next.kid);
});

test('while the database says nothing or refuses, the set is announced as it last was, without keys that left', async () => {
  const [first, second] = [await made(0), await made(0)];
  const { store } = keyStore(first, second);
  const clock = clockAt(10);
  let read: Store['signingKeys'] = async now =>
    (await store.signingKeys(now)).map(key => ({ ...key, leavesAt: key.kid === first.kid ? 20 : null }));
  const keys = createSigningKeys({ ...store, signingKeys: now => read(now) }, clock);
  const kids = async () => (await keys.announced()).map(({ kid }) => kid);
  assert.equal(await kids(), [first.kid, second.kid]);
  for (const answer of [
    () => new Promise<never>(() => undefined),
    () => Promise.reject(new StoreUnavailable('gone')),
  ]) {
    read = answer;
    clock.time = 10;
    assert.equal(await kids(), [first.kid, second.kid]);
    clock.time = 20;
    assert.equal(await kids(), [second.kid]);
  }
});

test.run();
