/** Centring: 128 numbers in, 128 of norm 1 out, in double precision, and clear words for everything else. */
import * as assert from 'uvu/assert';
import { centre, normalise } from '../../src/sdk/browser/encoders/centre.ts';
import { FACE_API_MEAN } from '../../src/sdk/browser/encoders/face-api-mean.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: centre');

const wave = (shift: number) => Array.from({ length: 128 }, (_, i) => Math.sin(i * 1.7 + shift));
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
const norm = (a: readonly number[]) => Math.sqrt(dot(a, a));

test('the mean that is embedded is 128 numbers of norm 1.3635', () => {
  assert.is(FACE_API_MEAN.length, 128);
  assert.ok(Math.abs(norm(FACE_API_MEAN) - 1.3635) < 1e-4);
});

test('takes the mean away and gives norm 1', () => {
  const raw = wave(0).map((value, i) => 0.1 * value + (FACE_API_MEAN[i] ?? 0));
  const made = centre(raw);
  assert.is(made.length, 128);
  assert.ok(Math.abs(norm(made) - 1) < 1e-12);
  assert.ok(Math.abs(dot(made, wave(0)) / norm(wave(0)) - 1) < 1e-12, 'what is left points where it should');
});

test('another mean can be given, and typed arrays too', () => {
  const mean = wave(1);
  const made = centre(Float32Array.from(wave(0)), Float64Array.from(mean));
  const wanted = wave(0).map((value, i) => value - (mean[i] ?? 0));
  assert.ok(Array.isArray(made));
  assert.ok(Math.abs(dot(made, wanted) / norm(wanted) - 1) < 1e-6);
});

test('what was given is not changed', () => {
  const [raw, mean] = [Object.freeze(wave(0)), Object.freeze(wave(2))];
  centre(raw, mean);
  assert.equal(raw, wave(0));
});

test('people who are alike only by the mean point apart afterwards', () => {
  const [a, b] = [1, 2].map(n => FACE_API_MEAN.map((value, i) => value + 0.04 * Math.sin(i * (1.3 + n)))) as [
    number[],
    number[],
  ];
  assert.ok(dot(a, b) / norm(a) / norm(b) > 0.9, 'raw, they are nearly the same');
  assert.ok(dot(centre(a), centre(b)) < 0.5);
});

test('neither very large nor very small numbers lose their direction', () => {
  const zero = new Array(128).fill(0);
  for (const scale of [1e150, 1e300, 1e-3]) {
    const made = centre(
      wave(0).map(value => value * scale),
      zero,
    );
    assert.ok(Math.abs(dot(made, wave(0)) / norm(wave(0)) - 1) < 1e-12, String(scale));
  }
});

test('refuses what cannot become a direction, and says why', () => {
  const with_ = (value: number) => wave(0).map((one, i) => (i === 5 ? value : one));
  const cases: [string, () => unknown, RegExp][] = [
    ['too short', () => centre(wave(0).slice(1)), /raw descriptor must have 128 numbers, not 127/],
    ['too long', () => centre([...wave(0), 1]), /128 numbers, not 129/],
    ['a mean too short', () => centre(wave(0), [1]), /the mean must have 128 numbers, not 1/],
    ['NaN', () => centre(with_(Number.NaN)), /no finite number at 5/],
    ['infinite', () => centre(with_(Number.POSITIVE_INFINITY)), /no finite number at 5/],
    ['a string', () => centre(with_('1' as unknown as number)), /no finite number at 5/],
    ['a hole', () => centre(Object.assign(new Array(128))), /no finite number at 0/],
    ['nothing', () => centre(undefined as unknown as number[]), /128 numbers, not undefined/],
    ['a mean with NaN', () => centre(wave(0), with_(Number.NaN)), /the mean has no finite number at 5/],
    ['the mean itself', () => centre(FACE_API_MEAN), /nothing is left/],
    ['nearly the mean', () => centre(FACE_API_MEAN.map(value => value + 1e-9)), /nothing is left/],
    ['an overflow', () => centre(new Array(128).fill(1.7e308), new Array(128).fill(-1.7e308)), /too large/],
    ['zeros', () => normalise(new Array(128).fill(0)), /zero/],
  ];
  for (const [name, run, message] of cases)
    assert.throws(run, (error: unknown) => error instanceof RangeError && message.test(error.message), name);
});

test('normalise keeps the direction', () => {
  const made = normalise(wave(3));
  assert.ok(Math.abs(norm(made) - 1) < 1e-12);
  assert.ok(Math.abs(dot(made, wave(3)) / norm(wave(3)) - 1) < 1e-12);
});

test.run();
