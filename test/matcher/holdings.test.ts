/**
 * A change is made as a whole or not at all. Fails when a stale or faulty change leaves anything behind, or when a
 * removal of something unknown is taken for an error.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { capture, random, vectors } from './data.ts';
import { Direct, template } from './harness.ts';
import { numberOf, pack } from './names.ts';
import type { StoredTemplate } from './reference.ts';

const test = suite('matcher holdings');
const next = random(61);

function people(count: number, prefix = 't'): StoredTemplate[] {
  return vectors(next, count).map((vector, i) => template(`${prefix}${i}`, `u${i}`, vector));
}

/** A loaded gallery, and a check that nothing in it has changed. */
function loaded() {
  const direct = new Direct();
  const stored = people(150);
  direct.change(1, stored);
  const unchanged = () => {
    assert.is(direct.holdings.sequence(1), 1);
    for (const i of [0, 75, 149])
      direct.verify(1, stored, [capture(next, (stored[i] as StoredTemplate).vector)]);
  };
  return { direct, stored, unchanged };
}

test('changes that do not follow the sequence are refused', () => {
  const { direct, unchanged } = loaded();
  for (const from of [0, 2, 7]) {
    const change = { from, to: 9, removed: [numberOf('t0')], added: pack([]) };
    assert.match(direct.holdings.apply(1, change).error ?? '', /sequence/);
  }
  unchanged();
});

test('one bad template refuses the whole change, removals included', () => {
  const { direct, unchanged } = loaded();
  const [good, bad] = people(2, 'new') as [StoredTemplate, StoredTemplate];
  const spoil = (f: (vector: Float32Array) => unknown) => {
    const vector = bad.vector.slice();
    f(vector);
    return { ...bad, vector };
  };
  const faulty = [
    spoil(v => v.fill(0)),
    spoil(v => v.fill(Number.NaN)),
    spoil(v => v.fill(Number.NaN, 127)),
    spoil(v => v.fill(Number.POSITIVE_INFINITY, 5, 6)),
    spoil(v =>
      v.forEach((x, i) => {
        v[i] = x * 1.00001;
      }),
    ),
  ];
  for (const template of faulty)
    assert.match(direct.change(1, [good, template], ['t0']).error ?? '', /norm 1/);
  unchanged();
});

test('a template that is there already is refused, also twice in one change', () => {
  const { direct, stored, unchanged } = loaded();
  const [fresh] = people(1, 'new') as [StoredTemplate];
  assert.match(direct.change(1, [fresh, stored[3] as StoredTemplate], ['t0']).error ?? '', /already exists/);
  assert.match(direct.change(1, [fresh, fresh], ['t0']).error ?? '', /already exists/);
  unchanged();
});

test('a template of nobody is refused: the core would take its slot for a free one', () => {
  const { direct, unchanged } = loaded();
  const added = pack(people(2, 'new'));
  added.users[1] = 0;
  assert.match(direct.holdings.apply(1, { from: 1, to: 2, removed: [], added }).error ?? '', /has no user/);
  unchanged();
});

test('unknown removals are ignored, and a template may be removed and added in one change', () => {
  const { direct, stored } = loaded();
  const first = stored[0] as StoredTemplate;
  const outcome = direct.change(1, [first], ['nobody', 't0', 't0']);
  assert.is(outcome.error, undefined);
  assert.is(outcome.templates, 150);
  direct.verify(1, [...stored.slice(1), first], [Array.from(first.vector)]);
});

test('a user whose templates all went and who comes back is one user', () => {
  const { direct, stored } = loaded();
  const face = (stored[5] as StoredTemplate).vector;
  direct.change(1, [template('x', 'u5', face), template('y', 'u5', face)], ['t5']);
  const now = [
    ...stored.filter(({ id }) => id !== 't5'),
    template('x', 'u5', face),
    template('y', 'u5', face),
  ];
  assert.is(direct.verify(1, now, [Array.from(face)]).verdict, 'match');
});

test('a user who loses one template of several stays the same user for the next one', () => {
  const { direct, stored } = loaded();
  const face = (stored[5] as StoredTemplate).vector;
  const [x, y, z] = ['x', 'y', 'z'].map(id => template(id, 'u5', face)) as [
    StoredTemplate,
    StoredTemplate,
    StoredTemplate,
  ];
  direct.change(1, [x, y]);
  direct.change(1, [], ['x']);
  direct.change(1, [z]);
  assert.is(direct.verify(1, [...stored, y, z], [Array.from(face)]).verdict, 'match');
});

test('an emptied gallery answers as an empty one, with its sequence', () => {
  const { direct, stored } = loaded();
  const outcome = direct.change(
    1,
    [],
    stored.map(({ id }) => id),
  );
  assert.is(outcome.templates, 0);
  const found = direct.verify(1, [], [Array.from({ length: 128 }, () => 1)]);
  assert.is(found.sequence, 2);
  assert.is(found.best, null);
});

test.run();
