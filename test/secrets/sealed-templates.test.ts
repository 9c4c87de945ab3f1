/**
 * Opening of templates into rows: bit for bit, without those that do not open, and no opened number stays anywhere but in the rows. What
 * the cipher answers is caught on its way into the rows and looked at afterwards.
 */

import { createSecretKey } from 'node:crypto';
import * as assert from 'uvu/assert';
import { seal, UnknownKey } from '../../src/adapters/secrets/sealing.ts';
import { openTemplates } from '../../src/adapters/sql/store/sealed-templates.ts';
import type { GalleryKey } from '../../src/ports/matcher.ts';
import { templatesOf } from '../../src/ports/template-rows.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';

const test = suite('sealed templates');
const GALLERY: GalleryKey = { appId: 'app_1', mode: 'live' };
const key = { id: '0123456789abcdef', key: createSecretKey(Buffer.alloc(32, 7)) };
const ring = new Map([[key.id, key.key]]);
const random = seeded(1);

function sealed(number: number, bytes = 512) {
  const vector = Float32Array.from({ length: 128 }, (_, i) => Math.sin(number * 1_000 + i + 1));
  const [id, user_id] = [`tpl_${number}`, `usr_${number}`];
  const clear = new Uint8Array(vector.buffer).subarray(0, bytes);
  const value = seal(key, ['template', 'app_1', 'live', user_id, id], clear, random);
  return { id, user_id, first: 100 + number, sequence: number, sealed: value, vector };
}

/** What was copied meanwhile: from where, and into which buffers. */
function watched<Answer>(work: () => Answer) {
  const { set } = Uint8Array.prototype;
  const from: Uint8Array[] = [];
  const into = new Set<ArrayBufferLike>();
  let error: Error | undefined;
  let answer: Answer | undefined;
  Uint8Array.prototype.set = function (this: Uint8Array, source: ArrayLike<number>, at?: number) {
    from.push(source as Uint8Array);
    into.add(this.buffer);
    set.call(this, source, at);
  };
  try {
    answer = work();
  } catch (thrown) {
    error = thrown as Error;
  } finally {
    Uint8Array.prototype.set = set;
  }
  return { answer, error, from, into: [...into] };
}

const isZero = (bytes: ArrayLike<number>) => Array.from(bytes).every(x => x === 0);

test('rows are what was sealed, and the cipher’s answers are erased', () => {
  const rows = [sealed(1), sealed(2), sealed(3)];
  const { answer, from } = watched(() => openTemplates({ ring, isLast: false }, GALLERY, rows));
  assert.equal(answer?.unreadable, []);
  assert.equal(
    answer && templatesOf(answer.rows),
    rows.map(({ sequence, first: user, vector }) => ({ sequence, user, vector })),
  );
  assert.is(from.length, 3);
  assert.ok(from.every(isZero));
});

for (const [name, spoil] of [
  ['changed', row => ({ ...row, sealed: row.sealed.map((byte, i) => byte ^ Number(i === 100)) })],
  ['of another user', row => ({ ...row, user_id: 'usr_9' })],
  ['of another length', () => sealed(2, 508)],
  ['of a user without a number', row => ({ ...row, first: 0 })],
  ['of a user with a number that is too large', row => ({ ...row, first: 2 ** 32 })],
  ['of a user with a broken number', row => ({ ...row, first: 1.5 })],
  ['no sealed value at all', row => ({ ...row, sealed: null as unknown as Buffer })],
] as [string, (row: ReturnType<typeof sealed>) => ReturnType<typeof sealed>][]) {
  test(`one that is ${name} is left out and named, and the others open`, () => {
    const [first, last] = [sealed(1), sealed(3)];
    const spoilt = spoil(sealed(2));
    const { answer, from } = watched(() =>
      openTemplates({ ring, isLast: false }, GALLERY, [first, spoilt, last]),
    );
    assert.equal(answer?.unreadable, [spoilt.sequence]);
    assert.equal(
      answer && templatesOf(answer.rows),
      [first, last].map(({ sequence, first: user, vector }) => ({ sequence, user, vector })),
    );
    assert.is(answer?.rows.vectors.length, 2 * 128, 'no room is left behind the last one');
    assert.ok(from.every(isZero));
  });
}

test('a key that is not known is looked for; where it is none, what it has sealed is left out', () => {
  const other = { id: 'fedcba9876543210', key: createSecretKey(Buffer.alloc(32, 8)) };
  const value = seal(other, ['template', 'app_1', 'live', 'usr_2', 'tpl_2'], new Uint8Array(512), random);
  const rows = [sealed(1), { ...sealed(2), sealed: value }];
  const { error, from, into } = watched(() => openTemplates({ ring, isLast: false }, GALLERY, rows));
  assert.ok(error instanceof UnknownKey);
  assert.ok(from.length === 1 && into.length === 1);
  assert.ok([...from, ...into.map(buffer => new Uint8Array(buffer))].every(isZero), 'nothing is left');
  const { rows: opened, unreadable } = openTemplates({ ring, isLast: true }, GALLERY, rows);
  assert.equal([opened.count, unreadable], [1, [2]]);
});

test.run();
