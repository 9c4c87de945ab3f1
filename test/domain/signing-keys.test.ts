/**
 * Which key signs, and how each is called, at every moment of a rotation; and that a key is opened once but believed
 * only as long as the set holds it.
 */
import * as assert from 'uvu/assert';
import { systemKeyMaker } from '../../src/adapters/system/key-maker.ts';
import type { AdminDeps } from '../../src/domain/deps.ts';
import { currentOf, statusOf } from '../../src/domain/tokens/key-status.ts';
import { ensureSigningKey, rotateSigningKey } from '../../src/domain/tokens/rotation.ts';
import { createSigningKeys } from '../../src/domain/tokens/signing-keys.ts';
import {
  type NewSigningKey,
  type Rotation,
  type SigningKeyRecord,
  type Store,
  StoreUnavailable,
} from '../../src/ports/store.ts';
import { clockAt } from '../support/clock.ts';
import { suite } from '../support/suite.ts';

const test = suite('signing keys');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function record(kid: string, signsAt: number, leavesAt: number | null): SigningKeyRecord {
  return { kid, publicJwk: { kty: 'EC', crv: 'P-256', x: '', y: '' }, createdAt: signsAt, signsAt, leavesAt };
}

test('a rotation, moment by moment: next and current, then current and previous', () => {
  const rotated = 100 * DAY;
  const signs = rotated + 10 * MINUTE;
  const all = [record('old', 0, signs + DAY), record('new', signs, null)];
  const published = (now: number) => all.filter(key => key.leavesAt === null || key.leavesAt > now);
  const rows: readonly (readonly [number, string, Record<string, string>])[] = [
    [rotated, 'old', { old: 'current', new: 'next' }],
    [signs - 1, 'old', { old: 'current', new: 'next' }],
    [signs, 'new', { old: 'previous', new: 'current' }],
    [signs + DAY - 1, 'new', { old: 'previous', new: 'current' }],
    [signs + DAY, 'new', { new: 'current' }],
  ];
  for (const [now, current, statuses] of rows) {
    const keys = published(now);
    assert.is(currentOf(keys, now)?.kid, current, `at ${now}`);
    assert.equal(Object.fromEntries(keys.map(key => [key.kid, statusOf(key, keys, now)])), statuses);
  }
});

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
  const rotations: Rotation[] = [];
  const state = { keys, opened: 0, rotations };
  const store = {
    signingKeys: async () => state.keys.map(key => ({ ...key, leavesAt: null })),
    openSigningKey: async (kid: string) => {
      state.opened++;
      return state.keys.find(key => key.kid === kid)?.privateJwk ?? null;
    },
    addFirstSigningKey: async (key: NewSigningKey) => state.keys.length === 0 && state.keys.push(key) > 0,
    rotateSigningKey: async (rotation: Rotation) => {
      rotations.push(rotation);
      return state.keys.length > 1 ? 'too_soon' : 'rotated';
    },
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

test('a key that left the set verifies nothing, although it was used before', async () => {
  const [first, second] = [await made(0), await made(0)];
  const { state, store } = keyStore(first);
  const keys = createSigningKeys(store, clockAt(10));
  assert.ok(await keys.verifier(first.kid));
  state.keys = [second];
  assert.is(await keys.verifier(first.kid), null);
  assert.ok(await keys.verifier(second.kid));
  assert.is(await keys.verifier('unknown'), null);
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

test('a new database gets one key that signs at once; an old one keeps its own', async () => {
  const { state, store } = keyStore();
  const deps = { store, clock: clockAt(1_000), keyMaker: systemKeyMaker } as unknown as AdminDeps;
  await ensureSigningKey(deps);
  const [key] = state.keys;
  assert.equal([key?.createdAt, key?.signsAt], [1_000, 1_000]);
  await ensureSigningKey(deps);
  assert.equal(state.keys, [key]);
});

test('rotation: 10 minutes of notice unless now or after a theft, 24 hours for the old key', async () => {
  const now = 5 * DAY;
  const rows = [
    [{ now: false, revokeOld: false }, now + 10 * MINUTE],
    [{ now: true, revokeOld: false }, now],
    [{ now: false, revokeOld: true }, now],
    [{ now: true, revokeOld: true }, now],
  ] as const;
  for (const [wish, signsAt] of rows) {
    const { state, store } = keyStore();
    const deps = { store, clock: clockAt(now), keyMaker: systemKeyMaker } as unknown as AdminDeps;
    const kid = await rotateSigningKey(deps, wish);
    const [rotation] = state.rotations;
    assert.equal([rotation?.key.kid, rotation?.key.signsAt, rotation?.key.createdAt], [kid, signsAt, now]);
    assert.equal([rotation?.now, rotation?.keep, rotation?.revokeOld], [now, DAY, wish.revokeOld]);
  }
  const { store } = keyStore(await made(0), await made(1));
  const deps = { store, clock: clockAt(now), keyMaker: systemKeyMaker } as unknown as AdminDeps;
  assert.is(await rotateSigningKey(deps, { now: false, revokeOld: false }), null);
});

test('key ids are thumbprints, private halves stay out of what is published', async () => {
  const one = await made(0);
  assert.match(one.kid, /^[\w-]{43}$/);
  assert.equal(Object.keys(one.publicJwk).sort(), ['crv', 'kty', 'x', 'y']);
  assert.ok('d' in one.privateJwk);
  assert.is.not((await made(0)).kid, one.kid);
});

test.run();
