/** Labelled descriptors in memory: prepared as the service prepares them, grouped, and bounded without favour. */
import * as assert from 'uvu/assert';
import { hashed, seededDraw, shuffle } from '../../src/calibration/draw.ts';
import {
  between,
  DescriptorCollector,
  type People,
  personsOf,
  putUnit,
  type TwoGroups,
} from '../../src/calibration/people.ts';
import { direction, random } from '../matcher/data.ts';
import { Direct } from '../matcher/harness.ts';
import { exactDistance } from '../matcher/reference.ts';
import { suite } from '../support/suite.ts';

const test = suite('calibration: people');
const next = random(12);
const row = (vectors: Float32Array, n: number) => vectors.slice(n * 128, (n + 1) * 128);
const axis = (at: number) => Array.from({ length: 128 }, (_, i) => (i === at ? 1 : 0));

test('descriptors are prepared to the bits of the matching core', () => {
  const direct = new Direct();
  const scales = [1, 1.4, 1e-5, 1e20, 1e155, 1e300];
  const vectors = new Float32Array(3 * 128);
  for (let n = 0; n < 300; n++) {
    const probe = direction(next).map(x => x * (scales[n % scales.length] as number));
    const found = direct.search(0, [probe]);
    assert.type(found, 'object');
    const norm = putUnit(probe, vectors, 1);
    assert.equal(row(vectors, 1), typeof found === 'object' ? found.normalised[0] : null);
    assert.ok(Math.abs(norm / (scales[n % scales.length] as number) - 1) < 1e-9, 'the norm');
  }
  const huge = new Array<number>(128).fill(Number.MAX_VALUE);
  putUnit(huge, vectors, 2);
  assert.equal([...row(vectors, 2)], new Array(128).fill(Math.fround(1 / Math.sqrt(128))));
  assert.is(putUnit(new Array(128).fill(0), vectors, 2), 0);
  assert.equal([...row(vectors, 2)], new Array(128).fill(0));
});

test('distances are those of the reference, number for number', () => {
  const vectors = new Float32Array(40 * 128);
  for (let n = 0; n < 40; n++) putUnit(direction(next), vectors, n);
  for (let a = 0; a < 40; a++)
    for (let b = 0; b < 40; b++)
      assert.is(between(vectors, a, b), exactDistance(row(vectors, a), row(vectors, b)));
});

test('descriptors of a person stand together, in the order in which they came', () => {
  const gathering = new DescriptorCollector(1);
  for (const [label, at] of [
    ['b', 0],
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
    ['b', 5],
  ] as const)
    gathering.add(
      label,
      axis(at).map(x => x * (at + 1)),
    );
  const { people, leftOut } = gathering.end();
  assert.equal([...people.starts], [0, 3, 5, 6]);
  assert.equal([...people.norms], [1, 3, 6, 2, 5, 4]);
  assert.equal(leftOut, { byPerson: 0, beyondMost: 0 });
});

/** First numbers of the rows of each person: every person of these tests has an axis of its own. */
function labelsIn(people: People): number[] {
  return Array.from({ length: personsOf(people) }, (_, p) =>
    row(people.vectors, people.starts[p] as number).findIndex(x => x > 0.5),
  ).sort((a, b) => a - b);
}

test('beyond the limit whole persons are left out, by seed and label and not by the order of lines', () => {
  const lines = Array.from({ length: 600 }, (_, n) => n);
  const kept = (order: readonly number[], seed: number) => {
    const gathering = new DescriptorCollector(seed, 150);
    for (const n of order) gathering.add(`p${n % 120}`, axis(n % 120));
    return gathering.end();
  };
  const { people, leftOut } = kept(lines, 1);
  const rows = people.norms.length;
  assert.ok(rows <= 150 && rows > 30, `${rows}`);
  assert.is(leftOut.byPerson, 600 - rows);
  for (let p = 0; p < personsOf(people); p++)
    assert.is((people.starts[p + 1] as number) - (people.starts[p] as number), 5, 'whole persons');
  assert.equal(labelsIn(kept([...lines].reverse(), 1).people), labelsIn(people), 'in any order');
  assert.is.not(String(labelsIn(kept(lines, 2).people)), String(labelsIn(people)), 'by seed');
});

test('labels and groups stand beside their persons, thinned out or not; a person is in one group', () => {
  const gathering = new DescriptorCollector(1, 60);
  for (let n = 0; n < 500; n++)
    gathering.add(`p${n % 100}`, axis(n % 100), n % 200 < 100 ? null : `g${(n % 100) % 3}`);
  const { people, labels, groups } = gathering.end();
  assert.ok(labels.length > 3 && labels.length < 100);
  assert.equal([labels.length, groups.length], [personsOf(people), personsOf(people)]);
  labels.forEach((label, p) => {
    assert.is(row(people.vectors, people.starts[p] as number)[Number(label.slice(1))], 1);
    assert.is(groups[p], `g${Number(label.slice(1)) % 3}`);
  });
  const other = new DescriptorCollector(1);
  other.add('a', axis(0), 'x');
  other.add('a', axis(1));
  other.add('a', axis(1), 'x');
  assert.throws(
    () => other.add('a', axis(2), 'y'),
    (error: TwoGroups) => error.before === 'x',
  );
});

test('of one person only the first ones count', () => {
  const gathering = new DescriptorCollector(1, 100, 3);
  for (let n = 0; n < 8; n++) gathering.add(n % 2 ? 'a' : 'b', axis(n));
  const { people, leftOut } = gathering.end();
  assert.equal([...people.starts], [0, 3, 6]);
  assert.equal(leftOut, { byPerson: 0, beyondMost: 2 });
});

test('draws: repeatable, within their limits, even, and different by seed', () => {
  const [one, again, other] = [seededDraw(9), seededDraw(9), seededDraw(10)];
  const counts = new Array<number>(10).fill(0);
  const lists = Array.from({ length: 20_000 }, () => [one(10), again(10), other(10)] as const);
  for (const [a, b] of lists) {
    assert.is(a, b);
    (counts[a] as number)++;
  }
  assert.ok(lists.some(([a, , c]) => a !== c));
  for (const count of counts) assert.ok(Math.abs(count - 2_000) < 200, `${counts}`);
  const order = Uint32Array.from({ length: 50 }, (_, i) => i);
  shuffle(order, one);
  assert.is.not(String(order), String([...order].sort((a, b) => a - b)));
  assert.equal(
    [...order].sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i),
  );
  assert.is.not(hashed('a', 1) % 2 ** 20, hashed('b', 1) % 2 ** 20);
  assert.is.not(hashed('a', 1), hashed('a', 2));
});

test.run();
