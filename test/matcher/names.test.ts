/**
 * Names of templates by slot and of users by number, against Maps. Fails when a name is found under a number that was
 * given to somebody else, when a user with templates left loses the number, or when the row of somebody who has gone
 * is not zero: names point at people, so nothing of them may stay.
 */
import * as assert from 'uvu/assert';
import { CountedNames, Names } from '../../src/adapters/wasm/names.ts';
import { ID_BYTES, putId } from '../../src/ports/template-rows.ts';
import { suite } from '../support/suite.ts';
import { below, pick, type Random, random } from './data.ts';

const test = suite('matcher names');

/** The row of an id, as words. */
function row(id: string): Uint32Array {
  const bytes = new Uint8Array(ID_BYTES);
  putId(bytes, 0, id);
  return new Uint32Array(bytes.buffer);
}

function randomName(next: Random, length = 1 + below(next, 31)): string {
  return Array.from({ length }, () => String.fromCharCode(33 + below(next, 223))).join('');
}

test('random names under slots agree with a Map', () => {
  const next = random(551);
  const names = new Names();
  const model = new Map<number, string>();
  const taken = new Map<string, number>();
  // Slots as the core makes them: of blocks far apart, 0 to 95 or 0 to 10239 in each, up to nearly 2^30.
  const blocks = [3, 4, 900, 65_000];
  for (let step = 0; step < 20_000; step++) {
    const slot = pick(next, blocks) * 16384 + below(next, next() < 0.5 ? 96 : 10240);
    const there = model.get(slot);
    assert.is(names.text(slot), there ?? '');
    if (there === undefined) {
      const name = randomName(next);
      const words = row(name);
      assert.is(names.find(words, 0), taken.get(name) ?? 0);
      if (taken.has(name)) continue;
      names.set(slot, words, 0);
      model.set(slot, name);
      taken.set(name, slot);
      assert.is(names.find(words, 0), slot);
    } else if (next() < 0.7) {
      names.erase(slot);
      model.delete(slot);
      taken.delete(there);
      assert.is(names.text(slot), '');
      assert.is(names.find(row(there), 0), 0);
    }
    assert.is(names.size, model.size);
  }
  for (const [slot, name] of model) assert.is(names.find(row(name), 0), slot);
  assert.is(names.text(0), '');
});

test('a row may lie anywhere in the rows of a change', () => {
  const names = new Names();
  const words = new Uint32Array([...row('one'), ...row('two'), ...row('three')]);
  names.set(7, words, 8);
  assert.is(names.text(7), 'two');
  assert.is(names.find(words, 8), 7);
  assert.is(names.find(words, 16), 0);
  words.fill(0);
  assert.is(names.text(7), 'two', 'a copy');
});

test('users keep one number as long as they have a template, against a Map', () => {
  const next = random(561);
  const users = new CountedNames();
  const model = new Map<string, { number: number; count: number }>();
  const inUse = new Set<number>();
  const everybody = Array.from({ length: 400 }, () => randomName(next));
  let most = 0;
  for (let step = 0; step < 30_000; step++) {
    const name = pick(next, everybody);
    const there = model.get(name);
    // Waves, so that numbers are given back and serve others.
    if (next() < (Math.floor(step / 5000) % 2 === 0 ? 0.8 : 0.2)) {
      const number = users.enter(row(name), 0);
      assert.is(number > 0 && (there === undefined ? !inUse.has(number) : number === there.number), true);
      model.set(name, { number, count: (there?.count ?? 0) + 1 });
      inUse.add(number);
      assert.is(users.text(number), name);
    } else if (there !== undefined) {
      users.leave(there.number);
      if (there.count > 1) model.set(name, { ...there, count: there.count - 1 });
      else {
        model.delete(name);
        inUse.delete(there.number);
        assert.is(users.text(there.number), '');
      }
    }
    most = Math.max(most, inUse.size);
  }
  for (const [name, { number }] of model) assert.is(users.text(number), name);
  assert.ok(Math.max(...inUse) <= most, 'numbers serve again');
});

/** Runs `make` and gives every array of words that was made meanwhile: rows are nowhere else. */
function watched(make: () => void): Uint32Array[] {
  const Plain = globalThis.Uint32Array;
  const made: Uint32Array[] = [];
  globalThis.Uint32Array = new Proxy(Plain, {
    construct(target, args, newTarget) {
      const array = Reflect.construct(
        target,
        args,
        newTarget === globalThis.Uint32Array ? target : newTarget,
      );
      made.push(array);
      return array;
    },
  });
  try {
    make();
  } finally {
    globalThis.Uint32Array = Plain;
  }
  return made;
}

test('nothing of a name is left in any row once it is erased', () => {
  const next = random(571);
  const ids = Array.from({ length: 600 }, () => row(randomName(next, 31)));
  const traces = (arrays: readonly Uint32Array[], id: Uint32Array) =>
    arrays.reduce((sum, array) => sum + id.filter(word => array.includes(word)).length, 0);
  const names = new Names();
  const users = new CountedNames();
  let number = 0;
  const made = watched(() => {
    for (const id of ids) names.set(4096 + ++number, id, 0);
    for (const id of ids) users.enter(id, 0);
    for (const id of ids) users.enter(id, 0);
  });
  assert.ok(
    ids.every(id => traces(made, id) >= 2 * 8),
    'found before, in both',
  );
  const [gone, staying] = [ids.slice(0, 400), ids.slice(400)];
  const later = watched(() => {
    for (const [i] of gone.entries()) names.erase(4097 + i);
    for (const id of gone) {
      // The number of a user is what `enter` gives; three templates then, three go.
      const user = users.enter(id, 0);
      for (let n = 0; n < 3; n++) users.leave(user);
    }
  });
  for (const id of gone) assert.is(traces([...made, ...later], id), 0);
  for (const id of staying) assert.ok(traces(made, id) >= 2 * 8);
  assert.is(names.size, 200);
});

test.run();
