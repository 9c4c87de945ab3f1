/**
 * Equal distances: the template stored first wins, wherever its slot lies, and another user at the same distance
 * makes the answer ambiguous. Fails when ties follow slots, or when a user's own duplicate counts as somebody else.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { below, capture, pick, random, vectors } from './data.ts';
import { Direct, template } from './harness.ts';
import type { StoredTemplate } from './reference.ts';

const test = suite('matcher ties');
const next = random(31);

function axis(i: number, sign = 1): Float32Array {
  const v = new Float32Array(128);
  v[i] = sign;
  return v;
}

test('of duplicates of several users the one stored first wins, and the other is at the same distance', () => {
  const [face = axis(0)] = vectors(next, 1);
  const stored = Array.from({ length: 50 }, (_, i) => template(`t${i}`, `u${i}`, face));
  const direct = new Direct();
  direct.change(1, stored);
  const found = direct.verify(1, stored, [capture(next, face)]);
  assert.is(found.best?.templateId, 't0');
  assert.is(found.verdict, 'ambiguous');
  assert.is(found.otherDistance, found.best?.distance);
});

/** So far apart counts as near. */
const EVERYTHING = { threshold: 3, margin: 0.04 };

test("a user's own duplicates are never the other user", () => {
  const [face = axis(0), far = axis(1)] = vectors(next, 2);
  const own = Array.from({ length: 10 }, (_, i) => template(`t${i}`, 'u', face));
  const direct = new Direct();
  direct.change(1, own);
  const alone = direct.verify(1, own, [capture(next, face), capture(next, face)]);
  assert.is(alone.verdict, 'match');
  assert.is(alone.otherDistance, null);
  const two = [...own, template('x', 'v', far)];
  direct.change(1, two.slice(-1));
  const found = direct.verify(1, two, [Array.from(face)]);
  assert.is(found.verdict, 'match');
  const near = [...two, template('y', 'w', Float32Array.from(capture(next, face, 0.99)))];
  direct.change(1, near.slice(-1));
  const disputed = direct.verify(1, near, [Array.from(face)]);
  assert.is(disputed.verdict, 'ambiguous');
  assert.ok((disputed.otherDistance ?? 0) > 0.005, 'w, not a duplicate of u');
});

test('a reused slot does not make a template older', () => {
  const [face = axis(0), ...rest] = vectors(next, 300);
  let stored = rest.map((vector, i) => template(`t${i}`, `u${i}`, vector));
  const direct = new Direct();
  direct.change(1, stored);
  const early = template('early', 'a', face);
  direct.change(1, [early]);
  // Slots before that of `early` come free; the duplicate moves into one of them, but it is stored later.
  const gone = stored.slice(0, 40).map(({ id }) => id);
  const late = template('late', 'b', face);
  direct.change(1, [late], gone);
  stored = [...stored.slice(40), early, late];
  assert.is(direct.verify(1, stored, [Array.from(face)]).best?.templateId, 'early');
  direct.change(1, [], ['early']);
  stored = stored.filter(({ id }) => id !== 'early');
  assert.is(direct.verify(1, stored, [Array.from(face)]).best?.templateId, 'late');
});

test('equal distances tie although the dot products differ', () => {
  // 1 - 1e-20 and 1 - 0 are the same double.
  const almost = axis(1);
  almost[0] = 1e-20;
  const stored = [template('first', 'a', axis(2)), template('second', 'b', almost)];
  const direct = new Direct(EVERYTHING);
  direct.change(1, stored);
  assert.is(direct.verify(1, stored, [Array.from(axis(0))], EVERYTHING).best?.templateId, 'first');
});

test('all equal, all opposite, and free slots beside opposite ones', () => {
  const stored = Array.from({ length: 130 }, (_, i) => template(`t${i}`, `u${i >> 2}`, axis(3, -1)));
  const direct = new Direct(EVERYTHING);
  direct.change(1, stored);
  const found = direct.verify(1, stored, [Array.from(axis(3))], EVERYTHING);
  assert.is(found.best?.distance, 2);
  assert.is(found.best?.templateId, 't0');
  // Free slots hold zeros, which would lie at distance 1.
  const left = stored.filter((_, i) => i % 5 === 0);
  direct.change(
    1,
    [],
    stored.filter((_, i) => i % 5 !== 0).map(({ id }) => id),
  );
  assert.is(direct.verify(1, left, [Array.from(axis(3))], EVERYTHING).best?.distance, 2);
});

test('random additions and removals with many duplicates keep the order of storing', () => {
  const faces = vectors(next, 6);
  const direct = new Direct();
  let stored: StoredTemplate[] = [];
  for (let step = 0; step < 400; step++) {
    const removed = stored.filter(() => next() < 0.15).map(({ id }) => id);
    const added = Array.from({ length: below(next, 12) }, (_, i) =>
      template(`t${step}.${i}`, `u${below(next, 30)}`, pick(next, faces)),
    );
    assert.is(direct.change(1, added, removed).error, undefined);
    stored = [...stored.filter(({ id }) => !removed.includes(id)), ...added];
    direct.verify(1, stored, [Array.from(pick(next, faces)), Array.from(pick(next, faces))]);
  }
});

test.run();
