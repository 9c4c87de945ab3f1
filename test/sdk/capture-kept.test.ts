/** What an enrolment that failed leaves to the next attempt, and to whom. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { capture, DARK, film, inside, numbers, others, SIGN_IN } from './capture-people.ts';
import { picture } from './liveness-faces.ts';

const test = suite('sdk: capture, what is kept');

/** An attempt with two pictures that ends badly: the face is lost, and what comes back is too dark. */
const failed = () =>
  capture({ at: i => (i < 8 ? film(i) : i < 18 ? picture(100 * i, []) : film(i, [], DARK)) }).course;
const later = (i: number) => ({ ...film(i), time: 100 * (i + 1_000) });

test('an attempt that failed keeps its pictures: the next one goes on once it sees the same person', () => {
  const { kept } = failed();
  assert.is(kept?.length, 8);
  const again = capture({ at: later, describe: i => numbers(i + 1_000), kept });
  assert.ok((again.taken as number[]).includes(-1), 'pictures of the first attempt among them');
  assert.ok(again.at < capture({ at: later }).at);
});

test('a first picture that is no face says nothing of the person: the pictures wait for the next', () => {
  const { kept } = failed();
  const again = capture({
    at: later,
    describe: i => (i === 0 ? others(i) : numbers(i + 1_000)),
    quality: i => (i === 0 ? -1 : 1),
    kept,
  });
  assert.ok((again.taken as number[]).includes(-1), 'pictures of the first attempt among them');
});

test('another person, or nobody, gets none of them; a sign-in keeps nothing', () => {
  const { kept } = failed();
  const other = capture({ at: later, describe: others, kept });
  inside(other, 0, 150);
  assert.not.ok(other.course.kept?.some(one => kept?.includes(one)));
  const nobody = capture({ at: i => picture(100 * i, []), kept });
  assert.is(nobody.taken, 'no_face');
  assert.is(nobody.course.kept, kept, 'they wait for the next try');
  assert.is(capture({ options: SIGN_IN, kept }).course.kept, undefined);
});

test.run();
