/** The geometry that syntheticFaces promises, with distances computed here, and its repeatability. */
import * as assert from 'uvu/assert';
import { captureWithoutCamera, syntheticEncoder, syntheticFaces } from '../../src/sdk/browser/testing.ts';
import type { CaptureProgress, Frame } from '../../src/sdk/browser/types.ts';
import { distanceOf } from '../support/me.ts';
import { suite } from '../support/suite.ts';
import { refused } from './browser-support.ts';

const test = suite('synthetic faces and encoder');
const THRESHOLD = 0.35;
const MARGIN = 0.04;

function norm(a: readonly number[]): number {
  return Math.hypot(...a);
}

function distance(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, x, i) => sum + x * (b[i] ?? Number.NaN), 0);
  return 1 - dot / norm(a) / norm(b);
}

/** As a service would store it. */
function stored(a: readonly number[]): number[] {
  return a.map(x => Math.fround(x / norm(a)));
}

test('captures of one person are alike, whatever the person and the capture', () => {
  const faces = syntheticFaces();
  for (let person = 0; person < 200; person++) {
    for (let capture = 1; capture < 6; capture++) {
      const d = distance(faces.genuine(person), faces.genuine(person, capture));
      assert.ok(d > 0.08 && d < 0.22, `person ${person} capture ${capture}: ${d}`);
    }
  }
});

test('different persons and strangers are far from each other', () => {
  const faces = syntheticFaces(7);
  const everyone = Array.from({ length: 150 }, (_, i) => faces.genuine(i, i % 3));
  for (let n = 0; n < 50; n++) everyone.push(faces.stranger(n));
  const cosines = everyone.flatMap((a, i) => everyone.slice(0, i).map(b => 1 - distance(a, b)));
  const mean = cosines.reduce((sum, c) => sum + c, 0) / cosines.length;
  const deviation = Math.sqrt(cosines.reduce((sum, c) => sum + (c - mean) ** 2, 0) / cosines.length);
  assert.ok(Math.abs(mean) < 0.005, `mean ${mean}`);
  assert.ok(deviation > 0.07 && deviation < 0.1, `deviation ${deviation}`);
  assert.ok(Math.max(...cosines) < 0.5, 'nobody comes near somebody else');
});

test('a descriptor has 128 finite numbers, and its norm is not 1', () => {
  const faces = syntheticFaces();
  const norms = Array.from({ length: 100 }, (_, i) => {
    const all = [faces.genuine(i), faces.stranger(i), faces.atDistance(i, 0.3)];
    for (const face of all) assert.ok(face.length === 128 && face.every(Number.isFinite));
    return all.map(norm);
  }).flat();
  assert.ok(Math.min(...norms) >= 0.49 && Math.min(...norms) < 0.7);
  assert.ok(Math.max(...norms) <= 2.01 && Math.max(...norms) > 1.8);
});

test('a look-alike is within the threshold of two persons, and inside the margin between them', () => {
  const faces = syntheticFaces();
  let refused = 0;
  for (let a = 0; a < 300; a++) {
    const b = a + 1;
    try {
      const face = stored(faces.lookAlike(a, b));
      const toA = distance(face, faces.genuine(a));
      const toB = distance(face, faces.genuine(b));
      assert.ok(toA < THRESHOLD && toB < THRESHOLD, `${a}: ${toA} ${toB}`);
      assert.ok(Math.abs(toA - toB) < MARGIN, `${a}: ${toA} ${toB}`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      refused++;
    }
  }
  assert.ok(refused < 30, `${refused} of 300 pairs were refused`);
  assert.throws(() => faces.lookAlike(3, 3), /look-alike/);
});

test('a distance that is asked for is met to 1e-6 after rounding to float32', () => {
  const faces = syntheticFaces(3);
  for (const wanted of [0, 1e-3, 0.2999, 0.35, 0.39, 0.6, 1, 1.5, 2]) {
    for (let variant = 0; variant < 5; variant++) {
      const d = distance(stored(faces.atDistance(5, wanted, variant)), stored(faces.genuine(5)));
      assert.ok(Math.abs(d - wanted) < 1e-6, `${wanted}: ${d}`);
    }
  }
  assert.ok(distance(faces.atDistance(5, 0.5, 0), faces.atDistance(5, 0.5, 1)) > 0.3, 'variants differ');
  assert.throws(() => faces.atDistance(5, -0.1), RangeError);
  assert.throws(() => faces.atDistance(5, Number.NaN), RangeError);
});

test('the same seed gives the same numbers, another seed other people', () => {
  assert.equal(syntheticFaces(1).genuine(2, 3), syntheticFaces().genuine(2, 3));
  assert.equal(syntheticFaces(9).stranger(4), syntheticFaces(9).stranger(4));
  assert.ok(distance(syntheticFaces(1).genuine(2), syntheticFaces(2).genuine(2)) > 0.6);
  assert.ok(
    distance(syntheticFaces().genuine(0), syntheticFaces().genuine(2 ** 32)) > 0.6,
    'large indexes count',
  );
  assert.ok(distance(syntheticFaces().genuine(0), syntheticFaces().stranger(0)) > 0.6);
});

test('these exact numbers, on every platform', () => {
  const face = syntheticFaces(42).genuine(1, 1);
  assert.equal(face.slice(0, 3), [-0.026022682851093545, -0.01117692995971405, -0.11648580676885976]);
});

test('an index that is not a whole number from 0 is refused', () => {
  const faces = syntheticFaces();
  for (const bad of [-1, 0.5, Number.NaN, 2 ** 60]) assert.throws(() => faces.genuine(bad), RangeError);
});

const frame = { width: 1_000, height: 600 } as Frame;

test('it describes the person it is told to, each time a little differently', async () => {
  const encoder = syntheticEncoder({ seed: 3, person: 7 });
  const [face] = await encoder.detect(frame);
  assert.ok(face);
  const [one, two] = [await encoder.describe(frame, face), await encoder.describe(frame, face)];
  assert.equal(one, syntheticFaces(3).genuine(7, 0));
  assert.equal(two, syntheticFaces(3).genuine(7, 1));
  assert.ok(distanceOf(one, two) < 0.3);
  encoder.person = 8;
  assert.ok(distanceOf(one, await encoder.describe(frame, face)) > 0.5);
});

test('its face is in the middle of the frame; with nobody there is none', async () => {
  const encoder = syntheticEncoder();
  assert.equal(await encoder.detect(frame), [
    { box: { x: 350, y: 150, width: 300, height: 300 }, landmarks: [], score: 1 },
  ]);
  encoder.person = null;
  assert.equal(await encoder.detect(frame), []);
  await refused(captureWithoutCamera({ encoder, count: 1 }), 'no_face');
});

test('the capture makes as many as are wanted, tells its progress, and stops when it is told to', async () => {
  const reported: CaptureProgress[] = [];
  const onProgress = (progress: CaptureProgress) => void reported.push(progress);
  const { descriptors, liveness } = await captureWithoutCamera({
    encoder: syntheticEncoder(),
    count: 3,
    onProgress,
  });
  assert.equal(
    descriptors,
    [0, 1, 2].map(n => syntheticFaces().genuine(0, n)),
  );
  assert.equal(liveness, { score: 1, checks: [] });
  assert.equal(
    reported.map(({ step, progress }) => `${step} ${progress.toFixed(2)}`),
    ['looking 0.33', 'looking 0.67', 'looking 1.00', 'done 1.00'],
  );
  const stop = new AbortController();
  const encoder = syntheticEncoder();
  const stopping = captureWithoutCamera({
    encoder,
    count: 3,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await refused(stopping, 'aborted');
  await refused(captureWithoutCamera({ encoder, count: 1, signal: AbortSignal.abort() }), 'aborted');
});

test.run();
