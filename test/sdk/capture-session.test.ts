/** The course of a capture, told picture by picture: what is described, what is said, when it ends, and how it fails. */
import * as assert from 'uvu/assert';
import { type Picture, type Session, session, WATCH } from '../../src/sdk/browser/capture/session.ts';
import { FaceSignInError } from '../../src/sdk/browser/errors.ts';
import type { DetectedFace, Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { faceOf, type Head, LIGHT, moved, picture, pictureOf, sequence } from './liveness-faces.ts';

const test = suite('sdk: capture, session');

const living = (i: number): Head => ({
  yaw: 5 * Math.sin(i / 4),
  pitch: 3 * Math.sin(i / 5),
  mouth: Math.max(0, Math.sin(i / 3)),
});

/** Shows pictures, ten a second, until the course is done. @returns when that was, and all that was said */
function show(
  course: Session,
  from: number,
  to: number,
  at: (i: number) => Picture,
): { end: number; said: Guide[] } {
  const said: Guide[] = [];
  for (let i = from; i < to; i++) {
    if (course.see(at(i))) course.keep({ descriptor: [i, 1, 2] });
    if (course.guide !== said.at(-1)) said.push(course.guide);
    if (course.done) return { end: 100 * i, said };
  }
  return { end: Number.POSITIVE_INFINITY, said };
}
const heads = sequence(80, i => pictureOf(living(i)));
const alive = (i: number) => picture(100 * i, [faceOf(heads[i]?.landmarks ?? [])]);
const errorOf = (course: Session): FaceSignInError => {
  try {
    course.result();
  } catch (error) {
    assert.ok(error instanceof FaceSignInError);
    return error;
  }
  throw new Error('there was a result');
};

test('a person in front of the camera: the descriptors wanted, spaced in time, and liveness', () => {
  const course = session({ count: 3, livenessCheck: 'passive' });
  const { end, said } = show(course, 0, 80, alive);
  assert.ok(end >= WATCH && end < WATCH + 400, `ends after ${end} ms`);
  assert.is(said.at(-1), 'done');
  assert.is(course.progress, 1);
  const { descriptors, liveness } = course.result();
  assert.is(descriptors.length, 3);
  const times = descriptors.map(([time]) => 100 * (time ?? 0));
  for (const [i, time] of times.slice(1).entries()) assert.ok(time - (times[i] ?? 0) >= 250, times.join());
  assert.ok(liveness.score > 0.3 && liveness.checks.includes('motion'));
});

test('without liveness a capture ends as soon as there is enough', () => {
  const course = session({ count: 1, livenessCheck: 'off' });
  assert.is(show(course, 0, 80, alive).end, 0);
  assert.equal(course.result().liveness, { score: 0, checks: [] });
});

test('the best pictures are taken, not the first', () => {
  const course = session({ count: 1, livenessCheck: 'passive' });
  const sharpest = 9;
  show(course, 0, 80, i =>
    picture(100 * i, alive(i).faces, { ...LIGHT, sharpness: i === sharpest ? 0.1 : 0.02 }),
  );
  assert.is(course.result().descriptors[0]?.[0], sharpest);
});

for (const mode of ['blink', 'turn'] as const) {
  const guide = mode === 'blink' ? 'blink' : 'turn_head';
  const doing = (begin: number) =>
    sequence(80, i => {
      const late = i - begin;
      if (mode === 'blink') return pictureOf({ ...living(i), shut: late === 2 || late === 3 ? 1 : 0 });
      return pictureOf({ ...living(i), yaw: late > 0 ? 32 * Math.sin(Math.min(Math.PI, late / 5)) : 0 });
    });

  test(`asked for a ${mode}: the person is told, and it ends when it was done`, () => {
    const course = session({ count: 2, livenessCheck: mode });
    const done = doing(20);
    const { end, said } = show(course, 0, 80, i => picture(100 * i, [faceOf(done[i]?.landmarks ?? [])]));
    assert.ok(said.includes(guide), said.join());
    assert.ok(end > 2_000 && end < 3_500, `ends after ${end} ms`);
    assert.ok(course.result().liveness.checks.includes(mode));
  });

  test(`asked for a ${mode} and not doing it: nobody is refused, the score is low`, () => {
    const course = session({ count: 2, livenessCheck: mode });
    assert.is(show(course, 0, 80, alive).end, Number.POSITIVE_INFINITY);
    assert.ok(course.progress < 1);
    const { descriptors, liveness } = course.result();
    assert.is(descriptors.length, 2);
    assert.ok(liveness.score <= 0.3 && !liveness.checks.includes(mode));
  });
}

test('another face starts everything again, also when it comes in a moment', () => {
  const still = pictureOf();
  for (const gap of [0, 10]) {
    const course = session({ count: 3, livenessCheck: 'passive' });
    show(course, 0, 8, alive);
    assert.ok(course.progress > 0.4);
    for (let i = 8; i < 8 + gap; i++) course.see(picture(100 * i, []));
    const elsewhere = gap === 0 ? 480 : 200;
    const from = 8 + gap;
    const { end } = show(course, from, 80, i => picture(100 * i, [faceOf(still, elsewhere)]));
    assert.ok(end >= 100 * from + WATCH, 'the time of watching begins anew');
    const { descriptors, liveness } = course.result();
    assert.ok(
      descriptors.every(([i]) => (i ?? 0) >= from),
      'no descriptor of the first face',
    );
    assert.is(liveness.score, 0, 'a photo borrows no liveness');
  }
});

test('a face that moves about, or is missed once, is still the same', () => {
  const course = session({ count: 3, livenessCheck: 'passive' });
  const at = (i: number) =>
    i % 5 === 4
      ? picture(100 * i, [])
      : picture(100 * i, [faceOf(moved(heads[i]?.landmarks ?? [], [1, 0, 0, 1, 6 * i]), 150 + 6 * i)]);
  assert.ok(show(course, 0, 80, at).end < WATCH + 600);
});

test('a picture with two persons is not taken; someone small far behind does not matter', () => {
  const second = (side: number): DetectedFace => ({
    ...faceOf([], 500),
    box: { x: 500, y: 50, width: side, height: side },
  });
  const two = session({ count: 1, livenessCheck: 'off' });
  const { end, said } = show(two, 0, 20, i => picture(100 * i, [...alive(i).faces, second(180)]));
  assert.is(end, Number.POSITIVE_INFINITY);
  assert.ok(said.includes('one_person'));
  assert.is(errorOf(two).code, 'several_faces');
  const one = session({ count: 1, livenessCheck: 'off' });
  assert.is(show(one, 0, 20, i => picture(100 * i, [...alive(i).faces, second(80)])).end, 0);
});

test('nobody is taken while two persons take turns in being found, nor from before; one who stays alone is', () => {
  const other = { ...faceOf([], 500), box: { x: 500, y: 50, width: 180, height: 180 } };
  for (const livenessCheck of ['off', 'passive'] as const)
    for (const every of [100, 2_000]) {
      const at = (i: number) =>
        picture(every * i, i % 3 === 1 && i < 25 ? [...alive(i).faces, other] : alive(i).faces);
      const course = session({ count: 2, livenessCheck });
      assert.is(show(course, 0, 25, at).end, Number.POSITIVE_INFINITY, `${livenessCheck} ${every}`);
      if (every === 100) assert.is(errorOf(course).code, 'several_faces');
      assert.ok(show(course, 25, 70, at).end < Number.POSITIVE_INFINITY);
    }
});

test.run();
