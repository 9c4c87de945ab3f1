/** Templates packed as rows: what goes in comes out bit for bit, and what does not fit a row is refused. */
import * as assert from 'uvu/assert';
import {
  DIMENSIONS,
  emptyRows,
  ID_BYTES,
  idAt,
  packTemplates,
  putId,
  templateAt,
  UnpackableId,
} from '../../src/ports/template-rows.ts';
import { idsOf, templatesOf } from '../support/rows.ts';
import { suite } from '../support/suite.ts';

const test = suite('template rows');

function vector(seed: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * 1_000 + i));
}

test('templates come out as they went in, in their order', () => {
  const odd = vector(1);
  odd.set([-0, 1e-45, -1e-40, Number.NaN]);
  const list = [
    { id: 'tpl_0123456789abcdefghijABCD', userId: 'usr_0123456789abcdefghijABCD', vector: odd },
    { id: '', userId: 'x'.repeat(ID_BYTES - 1), vector: vector(2) },
    { id: 'é\0ÿ', userId: '', vector: vector(3) },
  ];
  const rows = packTemplates(list);
  assert.equal([rows.ids.length, rows.userIds.length], [3 * ID_BYTES, 3 * ID_BYTES]);
  assert.is(rows.vectors.length, 3 * DIMENSIONS);
  assert.equal(
    templatesOf(rows).map(({ id, userId }) => [id, userId]),
    list.map(({ id, userId }) => [id, userId]),
  );
  for (const [i, { vector: given }] of list.entries()) {
    const bits = (of: Float32Array) => new Uint32Array(of.slice().buffer);
    assert.equal(bits(templateAt(rows, i).vector), bits(given));
  }
});

test('rows share no memory with the templates, and a template none with its rows', () => {
  const given = { id: 'a', userId: 'b', vector: vector(1) };
  const rows = packTemplates([given]);
  const first = rows.vectors[0];
  const taken = templateAt(rows, 0);
  given.vector.fill(0);
  taken.vector.fill(0);
  assert.is(rows.vectors[0], first);
});

test('an id that does not fit a row is refused, and only then', () => {
  for (const id of ['x'.repeat(ID_BYTES), 'x'.repeat(300), 'Ā', '👍']) {
    for (const [template, user] of [
      [id, 'u'],
      ['t', id],
    ] as [string, string][]) {
      assert.throws(
        () => packTemplates([{ id: template, userId: user, vector: vector(1) }]),
        (error: Error) => error instanceof UnpackableId && !error.message.includes('\n'),
      );
    }
  }
  const rows = emptyRows(2);
  putId(rows.ids, 1, 'x'.repeat(ID_BYTES - 1));
  assert.equal(idsOf(rows), ['', 'x'.repeat(ID_BYTES - 1)]);
  assert.is(idAt(rows.ids, 0), '');
});

test('a vector of another length is refused', () => {
  for (const length of [0, 127, 129]) {
    const list = [{ id: 't', userId: 'u', vector: new Float32Array(length) }];
    assert.throws(() => packTemplates(list), /128 numbers/);
  }
});

test('there is no row beyond the last', () => {
  const rows = packTemplates([{ id: 't', userId: 'u', vector: vector(1) }]);
  for (const i of [-1, 1, 0.5 + 1]) assert.throws(() => templateAt(rows, i), /no row/);
});

test.run();
