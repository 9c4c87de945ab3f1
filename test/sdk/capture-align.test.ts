/** How a face is cut out: the square of face-api, the turned square of other models, and regions within a frame. */
import * as assert from 'uvu/assert';
import {
  ARCFACE_EYES,
  dlibSquare,
  eyeSimilarity,
  middle,
  PARTS,
} from '../../src/sdk/browser/encoders/align.ts';
import { clip, fit } from '../../src/sdk/browser/encoders/pixels.ts';
import { suite } from '../support/suite.ts';
import { moved, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, alignment');

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

test.run();
