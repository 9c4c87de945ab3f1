/** How good a picture is: pose from landmarks, light and sharpness from pixels, the verdict from both. */
import * as assert from 'uvu/assert';
import {
  judge,
  LIMITS,
  type Look,
  lightOf,
  lookAt,
  middleOf,
} from '../../src/sdk/browser/capture/quality.ts';
import { poseOf } from '../../src/sdk/browser/liveness/pose.ts';
import { suite } from '../support/suite.ts';
import { moved, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: quality');

test('yaw, pitch and roll of a head are found to a few degrees', () => {
  const front = poseOf(pictureOf());
  assert.ok(front && Math.abs(front.yaw) < 1 && Math.abs(front.roll) < 1e-9);
  for (const angle of [-25, -15, -5, 5, 15, 25]) {
    assert.ok(Math.abs((poseOf(pictureOf({ yaw: angle }))?.yaw ?? 99) - angle) < 6, `yaw ${angle}`);
    assert.ok(Math.abs((poseOf(pictureOf({ roll: angle }))?.roll ?? 99) - angle) < 1, `roll ${angle}`);
    const pitch = (poseOf(pictureOf({ pitch: angle }))?.pitch ?? 99) - (front?.pitch ?? 0);
    assert.ok(
      Math.sign(pitch) === Math.sign(angle) && Math.abs(pitch - angle) < 12,
      `pitch ${angle}: ${pitch}`,
    );
  }
});

test('yaw and pitch do not change when a picture is moved, turned, narrowed or sheared', () => {
  const picture = pictureOf({ yaw: 10, pitch: 5 });
  const before = poseOf(picture);
  for (const map of [
    [1, 0, 0, 1, 30, -20],
    [0.9, -0.3, 0.3, 0.9],
    [0.6, 0, 0, 1],
    [1, 0.2, 0, 0.8],
  ]) {
    const after = poseOf(moved(picture, map));
    assert.ok(
      before &&
        after &&
        Math.abs(after.yaw - before.yaw) < 1e-6 &&
        Math.abs(after.pitch - before.pitch) < 1e-6,
    );
  }
});

test('no pose without 68 points, nor of points that are no face', () => {
  assert.is(poseOf([]), null);
  assert.is(poseOf(pictureOf().slice(1)), null);
  assert.is(poseOf(pictureOf().map(() => ({ x: 5, y: 5 }))), null);
  assert.is(poseOf(moved(pictureOf(), [1, 0, 0, -1])), null, 'a face that stands on its head');
});

/** Stripes, blurred by averaging over `blur` pixels, scaled and shifted in light. */
function stripes({ blur = 1, contrast = 100, brightness = 128 } = {}) {
  const side = 96;
  const data = new Uint8ClampedArray(4 * side * side);
  const plain = (x: number, y: number) => Math.sign(Math.sin(x / 3) + Math.sin(y / 4));
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let sum = 0;
      for (let dy = 0; dy < blur; dy++) for (let dx = 0; dx < blur; dx++) sum += plain(x + dx, y + dy);
      data.fill(brightness + (contrast / 2) * (sum / blur ** 2), 4 * (y * side + x), 4 * (y * side + x) + 3);
    }
  return { data, width: side, height: side };
}

test('brightness and contrast are those of the picture', () => {
  const light = lightOf(stripes({ brightness: 100, contrast: 40 }));
  assert.ok(Math.abs(light.brightness - 100) < 4 && Math.abs(light.contrast - 20) < 2, JSON.stringify(light));
  const flat = lightOf({ data: new Uint8ClampedArray(4 * 96 * 96).fill(77), width: 96, height: 96 });
  assert.ok(Math.abs(flat.brightness - 77) < 1e-6);
  assert.is(flat.sharpness, 0);
});

test('what is as bright as can be is lost', () => {
  const bright = stripes({ brightness: 230, contrast: 100 });
  const { clipped } = lightOf(bright);
  assert.ok(clipped > 0.2 && clipped < 0.8, `${clipped}`);
  assert.is(lightOf(stripes({ brightness: 120 })).clipped, 0);
});

test('sharpness falls with blur, and hardly with the light', () => {
  const sharpness = (of: Parameters<typeof stripes>[0]) => lightOf(stripes(of)).sharpness;
  const falling = [1, 2, 4, 8].map(blur => sharpness({ blur }));
  for (const [i, value] of falling.slice(1).entries())
    assert.ok(value < 0.7 * (falling[i] ?? 0), falling.join());
  const dark = sharpness({ brightness: 40, contrast: 30 });
  assert.ok(Math.abs(dark / (falling[0] ?? 0) - 1) < 0.1);
});

const GOOD: Look = {
  share: 0.5,
  width: 200,
  brightness: 120,
  contrast: 45,
  sharpness: 0.1,
  clipped: 0,
  edge: 0.3,
  pose: { yaw: 0, pitch: 0, roll: 0 },
  around: 120,
};

test('a good picture has quality 1, and each fault lowers it, and is named, before it becomes a problem', () => {
  assert.equal(judge(GOOD), { problem: null, weakest: null, quality: 1 });
  assert.is(judge({ ...GOOD, share: 0.28 }).weakest, null, 'hardly a fault');
  const faults: [string, Partial<Look>][] = [
    ['too_far', { share: 0.25 }],
    ['too_far', { width: 80 }],
    ['face_cut_off', { edge: 0.05 }],
    ['too_near', { edge: 0.05, share: 0.8 }],
    ['too_dark', { brightness: 45 }],
    ['too_bright', { brightness: 220 }],
    ['too_bright', { clipped: 0.2 }],
    ['too_dark', { contrast: 12 }],
    ['blurred', { sharpness: 0.02 }],
    ['too_dark', { sharpness: 1.2 }],
    ['face_turned', { pose: { yaw: 18, pitch: 0, roll: 0 } }],
    ['face_turned', { pose: { yaw: 0, pitch: -20, roll: 0 } }],
    ['face_turned', { pose: { yaw: 0, pitch: 0, roll: 15 } }],
  ];
  for (const [part, fault] of faults) {
    const { problem, weakest, quality } = judge({ ...GOOD, ...fault });
    assert.equal([problem, weakest], [null, part], JSON.stringify(fault));
    assert.ok(quality > 0.3 && quality < 0.95, `${JSON.stringify(fault)}: ${quality}`);
  }
});

test('each problem is found', () => {
  const problems: [string, Partial<Look>][] = [
    ['too_far', { share: 0.1 }],
    ['too_far', { width: 40 }],
    ['too_near', { share: 1.2 }],
    ['too_near', { edge: -0.05, share: 0.9 }],
    ['face_cut_off', { edge: -0.05 }],
    ['too_dark', { brightness: 15, around: 40 }],
    ['backlit', { brightness: 15, around: 150 }],
    ['too_dark', { sharpness: 3 }],
    ['too_bright', { brightness: 240 }],
    ['too_bright', { clipped: 0.5 }],
    ['too_dark', { contrast: 3 }],
    ['backlit', { contrast: 3, brightness: 40 }],
    ['blurred', { sharpness: 0.001 }],
    ['face_turned', { pose: { yaw: -35, pitch: 0, roll: 0 } }],
    ['face_turned', { pose: { yaw: 0, pitch: 40, roll: 0 } }],
    ['face_turned', { pose: { yaw: 0, pitch: 0, roll: 45 } }],
  ];
  for (const [problem, fault] of problems)
    assert.equal(
      judge({ ...GOOD, ...fault }),
      { problem, weakest: problem, quality: 0 },
      JSON.stringify(fault),
    );
  assert.is(
    judge({ ...GOOD, pose: null }).problem,
    null,
    'an encoder without landmarks is not judged by pose',
  );
});

test('a problem that was told of must be clearly over', () => {
  const just = { ...GOOD, share: LIMITS.share.least * 1.05 };
  assert.is(judge(just).problem, null);
  assert.is(judge(just, 'come_closer').problem, 'too_far');
  assert.is(judge(just, 'more_light').problem, null, 'another prompt changes nothing');
  assert.is(judge({ ...GOOD, share: LIMITS.share.least * 1.2 }, 'come_closer').problem, null);
  const outside = { ...GOOD, edge: LIMITS.edge.least + 0.02 };
  assert.is(judge(outside).problem, null);
  assert.is(judge(outside, 'move_into_frame').problem, 'face_cut_off');
  const turned = { ...GOOD, pose: { yaw: LIMITS.yaw.most * 0.95, pitch: 0, roll: 0 } };
  assert.is(judge(turned).problem, null);
  assert.is(judge(turned, 'face_front').problem, 'face_turned');
});

test('size is that of the face in the frame, and light is measured in its middle', () => {
  const face = { box: { x: 100, y: 50, width: 200, height: 240 }, landmarks: [], score: 1 };
  const look = lookAt(
    face,
    { width: 640, height: 480 },
    { brightness: 1, contrast: 2, sharpness: 3, clipped: 4 },
  );
  const light = { brightness: 1, contrast: 2, sharpness: 3, clipped: 4 };
  assert.equal(look, { ...light, share: 0.5, width: 200, edge: 0.37, pose: null, around: 1 });
  const off = { ...face, box: { ...face.box, x: 430 } };
  assert.ok(
    Math.abs(lookAt(off, { width: 640, height: 480 }, light).edge - 0.15) < 1e-9,
    'at the right edge',
  );
  const known = {
    ...face,
    landmarks: [
      { x: 300, y: 200 },
      { x: 620, y: 200 },
    ],
  };
  assert.is(
    lookAt(known, { width: 640, height: 480 }, light).edge,
    0.1,
    'by landmarks, where there are some',
  );
  const middle = middleOf(face);
  assert.ok(
    middle.x > 100 && middle.y > 50 && middle.x + middle.width < 300 && middle.y + middle.height < 290,
  );
  assert.is(middle.width, middle.height);
});

test.run();
