/**
 * One batch of a worker: calls in order, answers in order, and nothing left in messages or scratch. Fails when a
 * probe or a vector survives its batch, or when a refused probe is answered with what another search found.
 */
import * as assert from 'uvu/assert';
import { perform } from '../../src/adapters/wasm/perform.ts';
import { NUMBERS } from '../../src/adapters/wasm/wire.ts';
import { suite } from '../support/suite.ts';
import { random, vectors } from './data.ts';
import { Direct } from './harness.ts';
import { numberOf, pack } from './names.ts';

const test = suite('matcher batches');
const next = random(101);
const [a = new Float32Array(128), b = new Float32Array(128)] = vectors(next, 2);

/** Adds `a` as template "ta" of user "ua". */
function arrival(from = 0) {
  return { from, to: from + 1, removed: [], added: pack([{ id: 'ta', userId: 'ua', vector: a }]) };
}

function rows(...probes: ArrayLike<number>[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(probes.flatMap(probe => Array.from(probe)));
}

test('calls of one batch see the changes before them and none after them', () => {
  const { core, holdings } = new Direct();
  const answer = perform(core, holdings, {
    calls: [1, 1, 1, 0, 1, 2, 1, 0, 1, 1],
    probes: rows(a, b, a, a),
    changes: [arrival(), 'drop'],
    helped: false,
  });
  const column = (n: number) => [0, 1, 2].map(search => answer.numbers[search * NUMBERS + n]);
  assert.equal(column(5), [0, numberOf('ua'), 0]);
  assert.equal(column(0), [0, 0, 0]);
  assert.equal(column(1), [0, 1, 0]);
  assert.equal(
    answer.outcomes.map(({ sequence, templates }) => [sequence, templates]),
    [
      [1, 1],
      [0, 0],
    ],
  );
  const unit = answer.units.slice(2 * 128, 3 * 128);
  assert.ok(unit.every((x, i) => Math.abs(x - (a[i] as number)) < 1e-7));
});

test('nothing of probes and templates is left in the message, nor in memory once they are removed', () => {
  const { core, holdings } = new Direct();
  const change = arrival();
  const probes = rows(a, a, a, a, a);
  perform(core, holdings, { calls: [1, 0, 1, 5], probes, changes: [change], helped: false });
  assert.ok(probes.every(x => x === 0) && change.added.vectors.every(x => x === 0));
  const traces = () => {
    const present = new Set(new Uint32Array(core.snapshot().buffer));
    return new Uint32Array(a.slice().buffer).filter(word => present.has(word)).length;
  };
  assert.is(traces(), 128, 'found before');
  const removal = { from: 1, to: 2, removed: [numberOf('ta')], added: pack([]) };
  perform(core, holdings, { calls: [1, 3, 1, 0], probes: rows(a, b, a), changes: [removal], helped: false });
  assert.is(traces(), 0, 'gone after');
  // A refused change leaves nothing either.
  const refused = arrival(7);
  perform(core, holdings, { calls: [1, 0], probes: rows(), changes: [refused], helped: false });
  assert.is(traces(), 0);
  assert.ok(refused.added.vectors.every(x => x === 0));
});

test('a refused probe tells which, and nothing that another search found', () => {
  const { core, holdings } = new Direct();
  const bad = new Float32Array(128);
  const answer = perform(core, holdings, {
    calls: [1, 0, 1, 1, 1, 3, 1, 1],
    probes: rows(a, a, b, bad, a),
    changes: [arrival()],
    helped: false,
  });
  assert.is(answer.numbers[NUMBERS], 3);
  const users = [0, 1, 2].map(search => answer.numbers[search * NUMBERS + 5]);
  assert.equal(users, [numberOf('ua'), 0, numberOf('ua')]);
  assert.is(answer.numbers[2 * NUMBERS], 0);
});

test.run();
