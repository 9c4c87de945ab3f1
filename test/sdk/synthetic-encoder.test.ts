/** The encoder and the capture for tests: no camera, no model, and the person that the test says. */
import * as assert from 'uvu/assert';
import { captureWithoutCamera, syntheticEncoder, syntheticFaces } from '../../src/sdk/browser/testing.ts';
import type { CaptureProgress, Frame } from '../../src/sdk/browser/types.ts';
import { distanceOf } from '../support/me.ts';
import { suite } from '../support/suite.ts';
import { refused } from './browser-support.ts';

const test = suite('synthetic encoder');
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
