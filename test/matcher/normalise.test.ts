/**
 * Normalisation of probes: ordinary numbers give the bits of the plain formula, extreme ones the right direction,
 * and what has none is refused. Fails when scaling, the norm limit or the refusal of NaN is lost.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { direction, random, vectors } from './data.ts';
import { Direct, template } from './harness.ts';
import { normalise } from './reference.ts';

const test = suite('matcher normalisation');
const next = random(41);
const direct = new Direct();

function normalised(probe: readonly number[]): Float32Array | undefined {
  const found = direct.search(0, [probe]);
  return typeof found === 'number' ? undefined : found.normalised[0];
}

function filled(...head: number[]): number[] {
  return [...head, ...new Array<number>(128 - head.length).fill(0)];
}

test('ordinary numbers: the bits of dividing by the norm in double and rounding once', () => {
  for (let i = 0; i < 500; i++) {
    const scale = 10 ** (next() * 20 - 5);
    const probe = direction(next).map(x => x * scale);
    let sum = 0;
    for (const x of probe) sum += x * x;
    const plain = Float32Array.from(probe, x => x / Math.sqrt(sum));
    assert.equal(normalised(probe), plain);
  }
});

test('huge and tiny numbers: the direction is kept, to the last bit of float32 or the one beside it', () => {
  const base = direction(next);
  const probes = [1e155, 1e300, 1e40, 1e-5, 1e-3].map(scale => base.map(x => x * scale));
  probes.push(filled(Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE));
  probes.push(new Array<number>(128).fill(Number.MAX_VALUE));
  probes.push(base.map((x, i) => (i % 2 ? x : 1e-170)));
  probes.push(base.map((x, i) => (i % 3 ? x * 1e155 : 5e-324)));
  probes.push(filled(1, -0, 1e-170, 5e-324));
  for (const probe of probes) {
    const got = normalised(probe);
    const expected = normalise(probe);
    assert.ok(got, 'it has a direction');
    for (let i = 0; i < 128; i++) {
      const [a = Number.NaN, b = Number.NaN] = [got[i], expected[i]];
      assert.ok(Math.abs(a - b) <= Math.abs(b) * 2 ** -23, `${i}: ${a} ${b}`);
    }
  }
});

test('a norm of 1e-6 is the least that has a direction', () => {
  assert.ok(normalised(filled(1e-6)));
  assert.ok(normalised(filled(0, 0, -1e-6)));
  assert.not(normalised(filled(1e-6 * (1 - 2 ** -50))));
  assert.ok(normalised(new Array<number>(128).fill(1.0001e-6 / Math.sqrt(128))));
  assert.not(normalised(new Array<number>(128).fill(0.9999e-6 / Math.sqrt(128))));
  for (const tiny of [1e-170, 5e-324, 0, -0]) assert.not(normalised(new Array<number>(128).fill(tiny)));
});

test('what is not finite is refused, wherever it stands', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    for (const place of [0, 63, 127]) {
      const probe = direction(next);
      probe[place] = bad;
      assert.not(normalised(probe));
    }
  }
});

test('the refused probe is named, and a refusal leaves nothing behind', () => {
  const stored = vectors(next, 20).map((vector, i) => template(`t${i}`, `u${i}`, vector));
  direct.change(7, stored);
  const good = direction(next);
  for (let bad = 1; bad <= 5; bad++) {
    const probes = Array.from({ length: 5 }, (_, i) => (i + 1 === bad ? filled(Number.NaN) : good));
    assert.is(direct.search(7, probes), bad);
    direct.verify(7, stored, [good]);
  }
});

test.run();
