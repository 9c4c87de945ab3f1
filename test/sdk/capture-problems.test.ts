/**
 * What an attempt says while it fails and at its end, by what its pictures show: each problem has its prompt, its code and
 * its sentence; the end names the most frequent problem of the whole attempt; "no face" is said only if there was none.
 */
import * as assert from 'uvu/assert';
import { PROBLEMS, type Problem } from '../../src/sdk/browser/capture/problems.ts';
import type { Light } from '../../src/sdk/browser/capture/quality.ts';
import {
  PICTURES,
  type Picture,
  type SessionOptions,
  SLOWEST,
  session,
} from '../../src/sdk/browser/capture/session.ts';
import { EN } from '../../src/sdk/browser/element/strings.ts';
import { FaceSignInError, SENTENCES } from '../../src/sdk/browser/errors.ts';
import type { DetectedFace, Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { faceOf, LIGHT, picture, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, problems');

/** What a picture shows; times are added. */
type Shot = (i: number) => Omit<Picture, 'time' | 'width' | 'height'>;
const DARK = { ...LIGHT, brightness: 10, contrast: 4, sharpness: 12 };
const dark = { ...LIGHT, brightness: 10 };
const shot = (faces: readonly DetectedFace[], light: Light | null = LIGHT, around: Light | null = light) => ({
  faces,
  light,
  around,
});
const face = faceOf([]);
const boxed = (x: number, y: number, width: number, height = width): DetectedFace => ({
  ...face,
  box: { x, y, width, height },
});
const turned = (yaw: number) => faceOf(pictureOf({ yaw }));

/** Each problem, by what shows it. Those without a face come last. */
const SHOTS: readonly (readonly [Problem, string, Shot])[] = [
  ['several_faces', 'two persons', () => shot([face, boxed(480, 100, 150)])],
  ['too_dark', 'a face in the dark', () => shot([face], dark)],
  ['too_dark', 'a face with camera noise', () => shot([face], { ...LIGHT, sharpness: 3 })],
  ['backlit', 'a dark face before a window', () => shot([face], dark, { ...LIGHT, brightness: 150 })],
  ['too_bright', 'a face in the sun', () => shot([face], { ...LIGHT, clipped: 0.6 })],
  ['too_far', 'a small face', () => shot([boxed(300, 200, 50)])],
  ['too_near', 'a face that fills the picture', () => shot([boxed(80, 5, 475)])],
  ['too_near', 'a face beyond the edges', () => shot([boxed(0, 0, 600)])],
  ['face_cut_off', 'a face at the side', () => shot([boxed(-60, 100, 240)])],
  ['face_cut_off', 'a face whose middle is outside', () => shot([boxed(-200, 100, 240)], null)],
  ['face_turned', 'a face in profile', () => shot([turned(50)])],
  [
    'moving',
    'a blurred face, each time elsewhere',
    i => shot([boxed(180 + 30 * (i % 3), 120, 240)], { ...LIGHT, sharpness: 0.001 }),
  ],
  ['blurred', 'a blurred face that is still', () => shot([face], { ...LIGHT, sharpness: 0.001 })],
  ['face_unclear', 'a face that is covered', () => shot([face])],
  ['too_dark', 'a dark room', () => shot([], DARK)],
  [
    'too_dark',
    'a dim room, brightened by the camera',
    () => shot([], { ...LIGHT, brightness: 70, sharpness: 5 }),
  ],
  ['backlit', 'nothing to be seen before a window', () => shot([], DARK, { ...LIGHT, brightness: 160 })],
  [
    'too_bright',
    'nothing to be seen in the sun',
    () => shot([], { ...LIGHT, brightness: 240, clipped: 0.8 }),
  ],
  ['blurred', 'a lens that is dirty', () => shot([], { ...LIGHT, sharpness: 0.02 })],
  ['no_face', 'a well-lit room', () => shot([])],
  ['no_face', 'a plain wall', () => shot([], { ...LIGHT, contrast: 6, sharpness: 0.02 })],
  [
    'no_face',
    'a dark chair in a room',
    () => shot([], { ...LIGHT, brightness: 20 }, { ...LIGHT, brightness: 75 }),
  ],
];
const shotOf = (problem: Problem) => SHOTS.find(([one]) => one === problem)?.[2] as Shot;

interface End {
  readonly said: Guide[];
  readonly error: FaceSignInError;
}
/** Ten pictures a second. An encoder that rates finds nothing in them. */
function attempt(shots: readonly Shot[], options: Partial<SessionOptions> = {}): End {
  const course = session({ count: 1, livenessCheck: 'passive', ...options });
  const said: Guide[] = [];
  for (const [i, at] of shots.entries()) {
    const found = course.see({ time: 100 * i, width: 640, height: 480, ...at(i) });
    if (options.rated && found) course.keep({ descriptor: [i, 1, 2], quality: -0.1 });
    else assert.is(found, null, `picture ${i}`);
    if (course.guide !== said.at(-1)) said.push(course.guide);
  }
  try {
    course.result();
  } catch (error) {
    assert.instance(error, FaceSignInError);
    return { said, error: error as FaceSignInError };
  }
  throw new Error('there was a result');
}
const times = (count: number, problem: Problem) => new Array<Shot>(count).fill(shotOf(problem));

test('each problem has a prompt, a code and a sentence of its own', () => {
  const problems = Object.keys(PROBLEMS) as Problem[];
  assert.equal(new Set(SHOTS.map(([problem]) => problem)), new Set(problems));
  for (const texts of [problems.map(one => EN.guides[PROBLEMS[one]]), problems.map(one => SENTENCES[one])])
    assert.is(new Set(texts).size, problems.length, texts.join('\n'));
});

for (const [problem, name, at] of SHOTS)
  test(`${name}: ${problem}, while it is so and at the end, of a sign-in and of an enrolment`, () => {
    for (const [rated, enrollment] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const) {
      // Only an encoder that rates notices it.
      if (problem === 'face_unclear' && !rated) continue;
      const { said, error } = attempt(new Array<Shot>(20).fill(at), { rated, enrollment });
      assert.equal(said, problem === 'no_face' ? ['look_here'] : ['look_here', PROBLEMS[problem]]);
      assert.is(error.code, problem);
      assert.is(error.message, SENTENCES[problem]);
      assert.match(
        error.detail ?? '',
        new RegExp(`Pictures: 20, with a face: (0|20)\\. Problems: .*${problem} `),
      );
    }
  });

const ENDS: readonly (readonly [string, Problem, readonly Shot[]])[] = [
  [
    'the most frequent of all, not the last',
    'too_dark',
    [...times(20, 'too_dark'), ...times(12, 'face_turned')],
  ],
  [
    'a face in 15 of 35 pictures is a face',
    'face_turned',
    [...times(20, 'no_face'), ...times(8, 'face_turned'), ...times(7, 'too_far')],
  ],
  ['a face in a single picture is a face', 'too_far', [...times(34, 'no_face'), ...times(1, 'too_far')]],
  [
    'turned, blurred, dark: as many of each, and the light explains the others',
    'too_dark',
    [...times(10, 'no_face'), ...times(6, 'face_turned'), ...times(6, 'moving'), ...times(6, 'too_dark')],
  ],
  ['nobody, and for a moment no light', 'no_face', [...times(20, 'no_face'), () => shot([], DARK)]],
  [
    'a dark room, where a face is found now and then',
    'too_dark',
    [...new Array<Shot>(20).fill(() => shot([], DARK)), ...times(3, 'face_turned')],
  ],
];
for (const [name, code, shots] of ENDS)
  test(`the end: ${name}`, () => assert.is(attempt(shots).error.code, code));

test('a face that is found only now and then has its prompt', () => {
  const shots = Array.from({ length: 20 }, (_, i) => shotOf(i % 2 ? 'face_turned' : 'no_face'));
  const { said, error } = attempt(shots);
  assert.equal(said, ['look_here', 'face_front']);
  assert.is(error.code, 'face_turned');
});

test('no picture at all is not "no face"', () => {
  const { code, detail } = attempt([]).error;
  assert.equal([code, detail], ['camera_failed', 'the camera delivers no picture']);
});

/** How many pictures a person gets who is never seen well, if each takes so long, and after how many milliseconds. */
function patience(milliseconds: number, timeoutMs?: number): [number, number] {
  const course = session({ count: 1, livenessCheck: 'off', ...(timeoutMs !== undefined && { timeoutMs }) });
  let [pictures, elapsed] = [0, 0];
  while (!course.isOver(elapsed)) {
    course.see(picture(elapsed, []));
    pictures++;
    elapsed += milliseconds;
  }
  return [pictures, elapsed];
}

test('time is over when it is over and there were enough pictures, and never later than three times that', () => {
  assert.equal(patience(50), [300, 15_000], 'a fast device');
  assert.equal(patience(600), [PICTURES, 21_000], 'a slow device gets its pictures');
  assert.equal(patience(2_400), [19, 45_600], 'a very slow one does not run for ever');
  assert.is(patience(2_400)[0], Math.ceil((SLOWEST * 15_000) / 2_400));
  assert.equal(patience(50, 700), [PICTURES, 1_750], 'by the limit of the page');
  assert.equal(patience(5_000, 700), [1, 5_000]);
});

test('a slow device keeps its face from picture to picture', () => {
  for (const [gap, descriptors] of [
    [900, 3],
    [2_900, 3],
    [3_100, 1],
  ] as const) {
    const course = session({ count: 3, livenessCheck: 'off' });
    for (let i = 0; i < 3; i++)
      if (course.see(picture(gap * i, [face]))) course.keep({ descriptor: [i, 1, 2] });
    assert.is(course.result().descriptors.length, descriptors, `${gap} ms`);
  }
});

test.run();
