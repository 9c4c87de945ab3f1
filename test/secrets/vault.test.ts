/**
 * Sealed values are unreadable to whoever holds the database alone, and unusable in any place but their own; so are the
 * wrapped keys that seal them. Every part of a sealed value and of its circumstances is changed here in turn, and each
 * change alone must make it refuse.
 */
import { createSecretKey } from 'node:crypto';
import * as assert from 'uvu/assert';
import { keyedHashes, masterOf } from '../../src/adapters/secrets/master.ts';
import { opening, openSealed, seal, UnknownKey } from '../../src/adapters/secrets/sealing.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';

const test = suite('vault');
const MASTER = Buffer.alloc(32, 7);
const random = seeded(1);
const KEY = { id: '0123456789abcdef', key: createSecretKey(Buffer.alloc(32, 3)) };
const RING = new Map([[KEY.id, KEY.key]]);
const CONTEXT = ['template', 'app_1', 'live', 'usr_1', 'tpl_1'];
const CLEAR = Buffer.from('a face in numbers');
const NAME = { id: KEY.id, owner: 'app_1', version: 2 };

/** Every change of one bit, every cut, and one byte more. */
function* damages(bytes: Buffer): Generator<[Buffer, string]> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    yield [changed, `bit ${bit}`];
  }
  for (let length = 0; length < bytes.length; length++) yield [bytes.subarray(0, length), `${length} bytes`];
  yield [Buffer.concat([bytes, Buffer.of(0)]), 'one more'];
}

test('what was sealed opens as it was, empty and large values too', () => {
  for (const clear of [CLEAR, Buffer.alloc(0), seeded(2).bytes(100_000)]) {
    const opened = openSealed(RING, CONTEXT, seal(KEY, CONTEXT, clear, random));
    assert.ok(opened.equals(clear), `${clear.length} bytes`);
  }
});

test('the sealed form names its key, and holds nothing of the clear one', () => {
  const sealed = seal(KEY, CONTEXT, CLEAR, random);
  assert.is(sealed.length, 1 + 8 + 12 + 16 + CLEAR.length);
  assert.is(sealed.subarray(0, 9).toString('hex'), `03${KEY.id}`);
  for (let at = 0; at + 4 <= CLEAR.length; at++)
    assert.not(sealed.includes(CLEAR.subarray(at, at + 4)), `bytes from ${at}`);
});

test('another context or key refuses', () => {
  const sealed = seal(KEY, CONTEXT, CLEAR, random);
  const contexts = CONTEXT.map((_, at) => CONTEXT.map((part, i) => (i === at ? `${part}x` : part)));
  contexts.push(CONTEXT.slice(0, -1), [...CONTEXT, ''], [...CONTEXT].reverse(), []);
  contexts.push(['template', 'app_1live', '', 'usr_1', 'tpl_1']);
  for (const context of contexts)
    assert.throws(() => openSealed(RING, context, sealed), undefined, context.join());
  const other = new Map([[KEY.id, createSecretKey(Buffer.alloc(32, 4))]]);
  assert.throws(() => openSealed(other, CONTEXT, sealed), undefined, 'key');
  const isUnknown = (error: Error) => error instanceof UnknownKey;
  assert.throws(() => openSealed(new Map([['0', KEY.key]]), CONTEXT, sealed), isUnknown, 'unknown');
});

test('a change of any bit, or of the length, refuses', () => {
  for (const [changed, what] of damages(seal(KEY, CONTEXT, CLEAR, random)))
    assert.throws(() => openSealed(RING, CONTEXT, changed), undefined, what);
});

test('a value in a form of development versions is refused by its form, before its key is looked for', () => {
  const sealed = seal(KEY, CONTEXT, CLEAR, random);
  for (const form of [1, 2]) {
    sealed[0] = form;
    assert.throws(
      () => openSealed(new Map(), CONTEXT, sealed),
      /not a sealed value of a known version/,
      `${form}`,
    );
  }
});

test('equal values are sealed differently every time: no nonce serves twice', () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 2_000; i++)
    nonces.add(seal(KEY, CONTEXT, CLEAR, random).subarray(9, 21).toString('hex'));
  assert.is(nonces.size, 2_000);
});

test('a key that is not known is looked for anew, and not for ever', async () => {
  const sealed = seal(KEY, CONTEXT, CLEAR, random);
  const asked: boolean[] = [];
  const keys = async (anew: boolean) => {
    asked.push(anew);
    return asked.length < 3 ? new Map() : RING;
  };
  assert.ok((await opening(keys, async ({ ring }) => openSealed(ring, CONTEXT, sealed))).equals(CLEAR));
  assert.equal(asked, [false, true, true]);
  const never = opening(
    async () => new Map(),
    async ({ ring }) => openSealed(ring, CONTEXT, sealed),
  );
  assert.instance(await never.catch(error => error), UnknownKey);
});

test('a wrapped key opens under its name and its master secret only, and holds nothing of it', () => {
  const key = seeded(5).bytes(32);
  const wrapped = masterOf(MASTER).wrap(NAME, key, random);
  assert.ok(masterOf(MASTER).unwrap(NAME, wrapped).equals(key));
  for (let at = 0; at + 4 <= key.length; at++) assert.not(wrapped.includes(key.subarray(at, at + 4)));
  for (const name of [
    { ...NAME, id: '0123456789abcdee' },
    { ...NAME, owner: 'app_2' },
    { ...NAME, version: 1 },
  ])
    assert.throws(() => masterOf(MASTER).unwrap(name, wrapped), undefined, JSON.stringify(name));
  assert.throws(() => masterOf(Buffer.alloc(32, 8)).unwrap(NAME, wrapped), undefined, 'master secret');
  for (const [changed, what] of damages(wrapped))
    assert.throws(() => masterOf(MASTER).unwrap(NAME, changed), undefined, what);
});

test('hashes repeat for a key, and tell purposes, values and keys apart', () => {
  const [one, other] = [keyedHashes(Buffer.alloc(32, 7)), keyedHashes(Buffer.alloc(32, 8))];
  const hashes = [
    one.hash('address', '192.0.2.1'),
    one.hash('address', '192.0.2.2'),
    one.hash('email', '192.0.2.1'),
    one.hash('addres', 's192.0.2.1'),
    other.hash('address', '192.0.2.1'),
    masterOf(MASTER).checkValue,
    masterOf(Buffer.alloc(32, 8)).checkValue,
  ];
  assert.is(new Set(hashes).size, hashes.length);
  for (const hash of hashes) assert.match(hash, /^[\w-]{43}$/);
  assert.is(keyedHashes(Buffer.alloc(32, 7)).hash('address', '192.0.2.1'), hashes[0] as string);
  assert.is(masterOf(MASTER).checkValue, hashes[5] as string);
});

test.run();
