/**
 * The vault keeps templates and private keys unreadable to whoever holds the database alone, and unusable in any
 * place but their own. Every part of a sealed value and of its circumstances is changed here in turn, and each change
 * alone must make it refuse.
 */
import * as assert from 'uvu/assert';
import { createVault } from '../../src/adapters/secrets/vault.ts';
import { suite } from '../support/suite.ts';
import { cycling, seeded } from './random.ts';

const test = suite('vault');
const MASTER = Buffer.alloc(32, 7);
const vault = createVault(MASTER, seeded(1));
const CONTEXT = ['template', 'app_1', 'live', 'usr_1', 'tpl_1'];
const CLEAR = Buffer.from('a face in numbers');

test('what was sealed opens as it was, empty and large values too', () => {
  for (const clear of [CLEAR, Buffer.alloc(0), seeded(2).bytes(100_000)]) {
    const opened = vault.open('app_1', CONTEXT, vault.seal('app_1', CONTEXT, clear));
    assert.ok(opened.equals(clear), `${clear.length} bytes`);
  }
});

test('a vault made anew from the same master secret opens it', () => {
  const sealed = vault.seal('app_1', CONTEXT, CLEAR);
  assert.ok(createVault(MASTER, seeded(9)).open('app_1', CONTEXT, sealed).equals(CLEAR));
});

test('the sealed form holds nothing of the clear one', () => {
  const sealed = vault.seal('app_1', CONTEXT, CLEAR);
  assert.is(sealed.length, 1 + 12 + 16 + CLEAR.length);
  for (let at = 0; at + 4 <= CLEAR.length; at++)
    assert.not(sealed.includes(CLEAR.subarray(at, at + 4)), `bytes from ${at}`);
});

test('another context, owner or master secret refuses', () => {
  const sealed = vault.seal('app_1', CONTEXT, CLEAR);
  const contexts = CONTEXT.map((_, at) => CONTEXT.map((part, i) => (i === at ? `${part}x` : part)));
  contexts.push(CONTEXT.slice(0, -1), [...CONTEXT, ''], [...CONTEXT].reverse(), []);
  contexts.push(['template', 'app_1live', '', 'usr_1', 'tpl_1']);
  for (const context of contexts)
    assert.throws(() => vault.open('app_1', context, sealed), undefined, context.join());
  assert.throws(() => vault.open('app_2', CONTEXT, sealed), undefined, 'owner');
  const other = createVault(Buffer.alloc(32, 8), seeded(1));
  assert.throws(() => other.open('app_1', CONTEXT, sealed), undefined, 'master secret');
});

test('a change of any bit, or of the length, refuses', () => {
  const sealed = vault.seal('app_1', CONTEXT, CLEAR);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.throws(() => vault.open('app_1', CONTEXT, changed), undefined, `bit ${bit}`);
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(
      () => vault.open('app_1', CONTEXT, sealed.subarray(0, length)),
      undefined,
      `${length} bytes`,
    );
  assert.throws(
    () => vault.open('app_1', CONTEXT, Buffer.concat([sealed, Buffer.of(0)])),
    undefined,
    'one more',
  );
});

test('equal values are sealed differently every time: no nonce serves twice', () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 2_000; i++)
    nonces.add(vault.seal('app_1', CONTEXT, CLEAR).subarray(1, 13).toString('hex'));
  assert.is(nonces.size, 2_000);
});

test('each owner has a key of its own, even where the nonce is the same', () => {
  const stuck = createVault(MASTER, cycling(5));
  const bodies = ['app_1', 'app_2', 'signing-keys'].map(owner =>
    stuck.seal(owner, CONTEXT, CLEAR).subarray(29).toString('hex'),
  );
  assert.is(new Set(bodies).size, 3);
});

test('hashes repeat for a master secret, and tell purposes, values and secrets apart', () => {
  const other = createVault(Buffer.alloc(32, 8), seeded(1));
  const hashes = [
    vault.hash('address', '192.0.2.1'),
    vault.hash('address', '192.0.2.2'),
    vault.hash('email', '192.0.2.1'),
    vault.hash('addres', 's192.0.2.1'),
    other.hash('address', '192.0.2.1'),
    vault.checkValue,
    other.checkValue,
  ];
  assert.is(new Set(hashes).size, hashes.length);
  for (const hash of hashes) assert.match(hash, /^[\w-]{43}$/);
  const again = createVault(MASTER, seeded(3));
  assert.is(again.hash('address', '192.0.2.1'), hashes[0] as string);
  assert.is(again.checkValue, vault.checkValue);
});

test.run();
