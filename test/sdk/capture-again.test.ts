/** An enrolment that failed and is tried again: whose views count, when, and that nobody else gets them. */
import * as assert from 'uvu/assert';
import { session, type Views } from '../../src/sdk/browser/capture/session.ts';
import { suite } from '../support/suite.ts';
import { capture, type End, filmOf, numbers, obedient, still } from './capture-people.ts';
import { faceOf, LIGHT, picture, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, again');
const film = filmOf(still);

/** An attempt with views of both sides that ends badly: the face is lost, and what comes back is too dark. */
function failed(): End {
  const person = obedient();
  const end = capture((i, course) => {
    if (i < 25) return person(i, course);
    return picture(100 * i, i < 35 ? [] : [faceOf(pictureOf(still(i)))], { ...LIGHT, brightness: 5 });
  });
  assert.is(end.taken, 'too_dark');
  assert.ok(end.course.kept);
  return end;
}
const later = (i: number) => i + 1_000;
const goingOn = (describe: (i: number) => number[], views: Views | undefined) =>
  capture(i => ({ ...film(i), time: 100 * later(i) }), 5, describe, views);

test('an attempt that failed keeps its views: the next one goes on from there once it sees the same person', () => {
  const { kept } = failed().course;
  const end = goingOn(i => numbers(later(i)), kept);
  const fresh = goingOn(i => numbers(later(i)), undefined);
  assert.ok(end.at <= fresh.at - 2_000, `${end.at} ms instead of ${fresh.at} ms`);
  assert.ok((end.taken as number[]).includes(-1), 'pictures of the first attempt among them');
  assert.not.ok(end.course.views?.some(({ done }) => !done));
});

test('another person, or nobody, gets none of them', () => {
  const { kept } = failed().course;
  const other = goingOn(i => [0, 0.3 * Math.sin(i), -1], kept);
  assert.ok(
    (other.taken as number[]).every(i => i >= 0),
    `${other.taken}`,
  );
  assert.not.ok(other.course.kept?.candidates.some(one => kept?.candidates.includes(one)));
  const nobody = capture(i => picture(100 * i, []), 5, numbers, kept);
  assert.is(nobody.taken, 'no_face');
  assert.is(nobody.course.kept, kept, 'they wait for the next try');
  assert.not.ok(
    nobody.course.views?.some(({ done }) => done),
    'nobody sees what another person has done',
  );
});

test('a sign-in keeps nothing', () => {
  const course = session({ count: 1, livenessCheck: 'passive', views: failed().course.kept });
  for (let i = 0; i < 10; i++) if (course.see(film(i))) course.keep(numbers(i));
  assert.is(course.kept, undefined);
});

test.run();
