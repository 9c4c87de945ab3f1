/** What an enrolment asks for, by angles and times: whose left is left, what counts as a turn, and how long one is waited for. */
import * as assert from 'uvu/assert';
import { PROBLEMS, type Problem, wantedGuide } from '../../src/sdk/browser/capture/problems.ts';
import {
  PATIENCE,
  type Side,
  STRAIGHT,
  TURN,
  type Turns,
  turns,
} from '../../src/sdk/browser/capture/turns.ts';
import type { Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, turns');

/** Ten pictures a second of a head at that yaw, each taken. @returns the time of the next one */
function show(course: Turns, from: number, milliseconds: number, yaw: number | null, taken = true): number {
  for (let time = from; time < from + milliseconds; time += 100) {
    course.see(yaw, time);
    if (taken) course.keep(course.sideOf(yaw));
  }
  return from + milliseconds;
}
const done = (course: Turns) => course.views.filter(view => view.done).map(({ side }) => side);

test('straight, left, right: the left of the person is the right of the picture', () => {
  const course = turns();
  assert.is(course.asked, 'front');
  let at = show(course, 0, STRAIGHT + 100, 0);
  assert.is(course.asked, 'left');
  assert.is(course.sideOf(TURN), 'left');
  assert.is(course.sideOf(-TURN), 'right');
  assert.is(course.sideOf(TURN - 1), 'front');
  at = show(course, at, 200, 15);
  assert.is(course.asked, 'right');
  show(course, at, 200, -15);
  assert.is(course.asked, null);
  assert.is(course.progress, 1);
  assert.equal(done(course), ['front', 'left', 'right']);
});

test('who turns to the other side first is asked for the one that is left over', () => {
  const course = turns();
  const at = show(course, 0, STRAIGHT + 100, 0);
  show(course, at, 200, -15);
  assert.is(course.asked, 'left');
  assert.equal(done(course), ['front', 'right']);
});

test('a turn is one from where the person looked first: a camera may stand at the side', () => {
  const course = turns();
  show(course, 0, STRAIGHT + 100, 12);
  assert.equal([0, 12, 22].map(course.sideOf), ['right', 'front', 'left']);
});

test('one picture of a turn is not enough', () => {
  const course = turns();
  const at = show(course, 0, STRAIGHT + 100, 0);
  show(course, at, 100, 15);
  assert.is(course.asked, 'left');
  assert.ok(course.wants('left'));
});

test('who does not turn is waited for a while, for each side; pauses between pictures do not count', () => {
  const course = turns();
  let at = show(course, 0, STRAIGHT + 100, 0);
  at = show(course, at, PATIENCE - 100, 0);
  assert.is(course.asked, 'left');
  at = show(course, at + 60_000, 100, 0);
  assert.is(course.asked, 'right', 'a pause counts for half a second');
  show(course, at, PATIENCE, 0);
  assert.is(course.asked, null);
});

test('nothing is taken: looking straight goes on', () => {
  const course = turns();
  show(course, 0, 20_000, 0, false);
  assert.is(course.asked, 'front');
  assert.ok(course.progress <= 1 / 3);
});

test('where turns cannot be seen none is asked for', () => {
  const course = turns();
  show(course, 0, STRAIGHT + 300, null);
  assert.is(course.asked, null);
});

test('what is said: who is asked to turn hears nothing else about it', () => {
  const asked = { check: null, side: 'left' as Side, tooFar: false };
  assert.is(wantedGuide(null, asked), 'turn_left_a_little');
  assert.is(wantedGuide(null, { ...asked, side: 'right' }), 'turn_right_a_little');
  assert.is(wantedGuide('moving', asked), 'turn_left_a_little');
  assert.is(wantedGuide('face_turned', asked), 'turn_left_a_little');
  assert.is(wantedGuide('face_turned', { ...asked, tooFar: true }), 'turn_less');
  for (const [problem, guide] of Object.entries(PROBLEMS) as [Problem, Guide][])
    if (!['face_turned', 'moving', 'blurred'].includes(problem))
      assert.is(wantedGuide(problem, { ...asked, tooFar: true }), guide);
  assert.is(wantedGuide('face_turned', { ...asked, side: 'front' }), 'face_front');
  assert.is(wantedGuide(null, { ...asked, check: 'blink' }), 'turn_left_a_little', 'first the turns');
  assert.is(wantedGuide(null, { ...asked, side: null, check: 'blink' }), 'blink');
});

test.run();
