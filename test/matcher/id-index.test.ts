/**
 * The index from ids to numbers against a Map. Fails when growth or a removal breaks the run of entries that a look-up
 * follows, when ids that fall into one place are mixed up, or when a number is found that was taken out.
 */
import * as assert from 'uvu/assert';
import { hashOf, ID_WORDS, IdIndex, type IdRows } from '../../src/adapters/wasm/id-index.ts';
import { suite } from '../support/suite.ts';
import { below, pick, type Random, random, shuffled } from './data.ts';

const test = suite('matcher index of ids');
const ROWS = 4096;

/** Rows in one array, as a change brings them; row 0 is nobody's. */
function table() {
  const words = new Uint32Array(ROWS * ID_WORDS);
  const rows: IdRows = { words: () => words, at: number => number * ID_WORDS };
  const put = (number: number, id: Uint32Array) => words.set(id, number * ID_WORDS);
  return { words, rows, put };
}

function randomId(next: Random): Uint32Array {
  return Uint32Array.from({ length: ID_WORDS }, () => below(next, 2 ** 32));
}

/** Ids that differ in one word, in one bit, in their last byte: what a poor hash would put into one place. */
const KINDS: readonly (readonly [string, (next: Random, i: number) => Uint32Array])[] = [
  ['random', randomId],
  [
    'counting in the last word',
    (_, i) => Uint32Array.from({ length: ID_WORDS }, (_, k) => (k === 7 ? i : 0)),
  ],
  [
    'counting in the first word',
    (_, i) => Uint32Array.from({ length: ID_WORDS }, (_, k) => (k === 0 ? i : 7)),
  ],
  [
    'counting in the high bits',
    (_, i) => Uint32Array.from({ length: ID_WORDS }, (_, k) => (k === 3 ? i << 20 : 1)),
  ],
  ['of one repeated word', (_, i) => new Uint32Array(ID_WORDS).fill(i)],
];

for (const [n, [name, make]] of KINDS.entries()) {
  test(`20,000 random operations with ids ${name} agree with a Map`, () => {
    const next = random(501 + n);
    const { words, rows, put } = table();
    const index = new IdIndex(rows);
    const model = new Map<string, number>();
    const ids = Array.from({ length: 1500 }, (_, i) => make(next, i));
    const free = Array.from({ length: 2000 }, (_, i) => i + 1);
    const numbers = new Map<number, Uint32Array>();
    for (let step = 0; step < 20_000; step++) {
      const id = pick(next, ids);
      const key = id.join();
      const there = model.get(key);
      assert.is(index.find(id, 0), there ?? 0);
      // Waves: it fills up to nearly all ids, then nearly empties.
      const growing = Math.floor(step / 4000) % 2 === 0;
      if (there === undefined && next() < (growing ? 0.9 : 0.1)) {
        const number = free.splice(below(next, free.length), 1)[0] as number;
        put(number, id);
        index.add(number);
        model.set(key, number);
        numbers.set(number, id);
      } else if (there !== undefined && next() < (growing ? 0.1 : 0.9)) {
        index.remove(there);
        words.fill(0, there * ID_WORDS, (there + 1) * ID_WORDS);
        model.delete(key);
        numbers.delete(there);
        free.push(there);
      }
      assert.is(index.size, model.size);
    }
    for (const id of ids) assert.is(index.find(id, 0), model.get(id.join()) ?? 0);
  });
}

test('ids that share a place in the table are told apart, in whatever order they go', () => {
  const next = random(511);
  // 40 places at random are all 16 of a new table, its last one, from which entries go on at its beginning, among them.
  for (let round = 0; round < 40; round++) {
    const together = [...sharing(next, 6), ...sharing(next, 4)].map((id, i) => ({ id, number: i + 1 }));
    const { rows, put } = table();
    const index = new IdIndex(rows);
    for (const { id, number } of shuffled(next, together)) {
      put(number, id);
      index.add(number);
    }
    const gone = new Set<number>();
    for (const { number } of shuffled(next, together)) {
      index.remove(number);
      put(number, new Uint32Array(ID_WORDS));
      gone.add(number);
      for (const other of together)
        assert.is(index.find(other.id, 0), gone.has(other.number) ? 0 : other.number);
    }
    assert.is(index.size, 0);
  }
});

/** Ids with one place in a new table of 16. */
function sharing(next: Random, count: number): Uint32Array[] {
  const ids = [randomId(next)];
  const place = (id: Uint32Array) => hashOf(id, 0) & 15;
  while (ids.length < count) {
    const id = randomId(next);
    if (place(id) === place(ids[0] as Uint32Array)) ids.push(id);
  }
  return ids;
}

test('the table grows with its entries and stays small beside them', () => {
  const next = random(521);
  const { rows, put } = table();
  const index = new IdIndex(rows);
  for (let number = 1; number < ROWS; number++) {
    put(number, randomId(next));
    index.add(number);
    assert.ok(index.bytes <= 128 + 24 * number, `${index.bytes} bytes for ${number} entries`);
  }
  for (let number = 1; number < ROWS; number++)
    assert.is(index.find(rows.words(number), rows.at(number)), number);
});

test.run();
