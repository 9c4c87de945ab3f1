/** Templates packed as rows: what goes in comes out bit for bit, and what does not fit a row is refused. */
import * as assert from 'uvu/assert';
import {
  DIMENSIONS,
  isUserNumber,
  packTemplates,
  templateAt,
  templatesOf,
} from '../../src/ports/template-rows.ts';
import { suite } from '../support/suite.ts';

const test = suite('template rows');

function vector(seed: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(seed * 1_000 + i));
}

test('templates come out as they went in, in their order', () => {
  const odd = vector(1);
  odd.set([-0, 1e-45, -1e-40, Number.NaN]);
  const list = [
    { sequence: 1, user: 2 ** 32 - 1, vector: odd },
    { sequence: Number.MAX_SAFE_INTEGER, user: 1, vector: vector(2) },
    { sequence: 2 ** 32, user: 1, vector: vector(3) },
  ];
  const rows = packTemplates(list);
  assert.is(rows.vectors.length, 3 * DIMENSIONS);
  const numbers = ({ sequence, user }: { sequence: number; user: number }) => [sequence, user];
  assert.equal(templatesOf(rows).map(numbers), list.map(numbers));
  for (const [i, { vector: given }] of list.entries()) {
    const bits = (of: Float32Array) => new Uint32Array(of.slice().buffer);
    assert.equal(bits(templateAt(rows, i).vector), bits(given));
  }
});

test('rows share no memory with the templates, and a template none with its rows', () => {
  const given = { sequence: 1, user: 1, vector: vector(1) };
  const rows = packTemplates([given]);
  const first = rows.vectors[0];
  const taken = templateAt(rows, 0);
  given.vector.fill(0);
  taken.vector.fill(0);
  assert.is(rows.vectors[0], first);
});

test("a user's number that does not fit a row is refused, and only then", () => {
  for (const user of [0, -1, 2 ** 32, 1.5, Number.NaN]) {
    assert.not(isUserNumber(user));
    assert.throws(() => packTemplates([{ sequence: 1, user, vector: vector(1) }]), /from 1 to 4294967295/);
  }
  for (const user of [1, 2 ** 31, 2 ** 32 - 1]) assert.ok(isUserNumber(user));
});

test('a vector of another length is refused', () => {
  for (const length of [0, 127, 129]) {
    const list = [{ sequence: 1, user: 1, vector: new Float32Array(length) }];
    assert.throws(() => packTemplates(list), /128 numbers/);
  }
});

test('there is no row beyond the last', () => {
  const rows = packTemplates([{ sequence: 1, user: 1, vector: vector(1) }]);
  for (const i of [-1, 1, 0.5 + 1]) assert.throws(() => templateAt(rows, i), /no row/);
});

test.run();
