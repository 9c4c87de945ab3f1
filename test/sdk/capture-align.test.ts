/** How a face is cut out: the square of face-api, the turned square of other models, and regions within a frame. */
import * as assert from 'uvu/assert';
import {
  ARCFACE_EYES,
  ARCFACE_POINTS,
  dlibSquare,
  eyeSimilarity,
  fiveSimilarity,
  middle,
  PARTS,
} from '../../src/sdk/browser/encoders/align.ts';
import { centre, normalise } from '../../src/sdk/browser/encoders/centre.ts';
import { FACE_API_MEAN } from '../../src/sdk/browser/encoders/face-api-mean.ts';
import { clip, fit } from '../../src/sdk/browser/encoders/pixels.ts';
import { suite } from '../support/suite.ts';
import { moved, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, alignment and centring');

test('both eyes come to their places, however the face lies', () => {
  for (const map of [[1], [0.5, -0.4, 0.4, 0.5, 300, 20], [2, 1, -1, 2, -50, 40]]) {
    const points = moved(pictureOf({ yaw: 10 }), map);
    const { a, b, c, d, e, f } = eyeSimilarity(points, 112);
    assert.is(c, -b);
    assert.is(d, a, 'neither stretched nor sheared');
    for (const [part, place] of [
      [PARTS.rightEye, ARCFACE_EYES.left],
      [PARTS.leftEye, ARCFACE_EYES.right],
    ] as const) {
      const eye = middle(points, part);
      assert.ok(Math.abs(a * eye.x + c * eye.y + e - place.x * 112) < 1e-9);
      assert.ok(Math.abs(b * eye.x + d * eye.y + f - place.y * 112) < 1e-9);
    }
  }
});

test('five points come as near to their places as turn, scale and shift can bring them', () => {
  const exact = pictureOf().map(() => ({ x: 0, y: 0 }));
  const place = (from: number, to: number, at: { x: number; y: number }) => {
    for (let i = from; i < to; i++) exact[i] = { x: at.x * 112, y: at.y * 112 };
  };
  const [right, left, nose, one, other] = ARCFACE_POINTS;
  place(36, 42, right);
  place(42, 48, left);
  place(30, 31, nose);
  place(48, 49, one);
  place(54, 55, other);
  for (const map of [[1], [0.5, -0.4, 0.4, 0.5, 300, 20]]) {
    const { a, b, c, d, e, f } = fiveSimilarity(moved(exact, map), 112);
    const [p = 1, q = 0, r = 0, t = p, u = 0, v = 0] = map;
    // Undoes the move: together they are the identity.
    for (const [x, y] of [
      [0, 0],
      [112, 50],
    ] as const) {
      const at = { x: p * x + q * y + u, y: r * x + t * y + v };
      assert.ok(Math.abs(a * at.x + c * at.y + e - x) < 1e-9);
      assert.ok(Math.abs(b * at.x + d * at.y + f - y) < 1e-9);
    }
  }
  const points = pictureOf({ yaw: 10 });
  const best = fiveSimilarity(points, 112);
  assert.is(best.c, -best.b);
  assert.is(best.d, best.a, 'neither stretched nor sheared');
  const five = [
    middle(points, PARTS.rightEye),
    middle(points, PARTS.leftEye),
    points[30],
    points[48],
    points[54],
  ];
  const errorOf = ({ a, b, c, d, e, f }: typeof best) =>
    five.reduce((sum, point, i) => {
      const [x, y] = [point?.x ?? 0, point?.y ?? 0];
      const to = ARCFACE_POINTS[i] as { x: number; y: number };
      return sum + (a * x + c * y + e - 112 * to.x) ** 2 + (b * x + d * y + f - 112 * to.y) ** 2;
    }, 0);
  const least = errorOf(best);
  for (const change of [0.98, 1.02]) {
    const [a, b] = [best.a * change, best.b * change];
    assert.ok(errorOf({ ...best, a, b, c: -b, d: a }) > least);
    assert.ok(errorOf({ ...best, e: best.e * change, f: best.f * change }) > least);
  }
});

test('the square of face-api is upright, in whole pixels, and holds eyes and mouth', () => {
  const points = pictureOf();
  const { x, y, width, height } = dlibSquare(points);
  assert.ok([x, y, width, height].every(Number.isInteger));
  assert.is(width, height);
  for (const { x: px, y: py } of points.slice(36))
    assert.ok(px > x && px < x + width && py > y && py < y + height);
});

test('refuses what has no eyes', () => {
  assert.throws(() => dlibSquare([]), /68 landmarks are needed, not 0/);
  assert.throws(() => eyeSimilarity(pictureOf().slice(1), 112), /68 landmarks/);
  assert.throws(
    () =>
      eyeSimilarity(
        pictureOf().map(() => ({ x: 1, y: 1 })),
        112,
      ),
    /at one point/,
  );
  assert.throws(() => fiveSimilarity(pictureOf().slice(1), 112), /68 landmarks/);
  assert.throws(() => dlibSquare(pictureOf().map(() => ({ x: Number.NaN, y: 1 }))), /not finite/);
});

test('regions are clipped to the frame, and fitted into a square without stretching', () => {
  const frame = { width: 640, height: 480 };
  assert.equal(clip({ x: -10, y: 400, width: 50, height: 200 }, frame), {
    x: 0,
    y: 400,
    width: 40,
    height: 80,
  });
  assert.equal(clip({ x: 700, y: 0, width: 50, height: 50 }, frame), { x: 640, y: 0, width: 0, height: 50 });
  const { scale, dx, dy } = fit({ x: 100, y: 50, width: 200, height: 100 }, 50, true);
  assert.is(scale, 0.25);
  assert.equal([100 * scale + dx, 50 * scale + dy], [0, 12.5], 'in the middle');
  assert.equal([300 * scale + dx, 150 * scale + dy], [50, 37.5]);
  const corner = fit({ x: 100, y: 50, width: 200, height: 100 }, 50, false);
  assert.equal([100 * corner.scale + corner.dx, 50 * corner.scale + corner.dy], [0, 0]);
});

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
