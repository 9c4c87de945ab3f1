/** Which pictures of a capture are taken, and which prompts are shown. */
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { prompter } from '../../src/sdk/browser/capture/problems.ts';
import {
  type Candidate,
  distinct,
  ofOnePerson,
  select,
  withoutWorst,
} from '../../src/sdk/browser/capture/select.ts';
import type { Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { capture, DARK, film, inside, numbers, others, SIGN_IN } from './capture-people.ts';
import { picture } from './liveness-faces.ts';

const test = suite('sdk: capture, selection, prompts and what is kept');

const one = (time: number, quality: number, value = time): Candidate => ({
  time,
  quality,
  isGood: true,
  descriptor: [1, 0.3 * Math.cos(value / 10), 0.3 * Math.sin(value / 10)],
});
const APART = 250;
const times = (candidates: readonly Candidate[]) => candidates.map(({ time }) => time);

test('takes the best that lie apart in time, in the order of time', () => {
  const all = [one(0, 0.5), one(100, 0.9), one(200, 0.8), one(400, 0.7), one(700, 0.6), one(900, 0.95)];
  assert.equal(times(select(all, 3, APART)), [100, 400, 900]);
  assert.equal(times(select(all, 1, APART)), [900]);
});

test('whatever comes: no more than wanted, never close together, the best always among them', () => {
  const candidates = fc.array(
    fc.record({
      time: fc.integer({ min: 0, max: 3000 }),
      quality: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(candidates, fc.integer({ min: 1, max: 5 }), (list, count) => {
      const taken = select(
        list.map(({ time, quality }) => one(time, quality)),
        count,
        APART,
      );
      const best = Math.max(...list.map(({ quality }) => quality));
      return (
        taken.length <= count &&
        taken.some(({ quality }) => quality === best) &&
        taken.every(({ time }, i) => i === 0 || time - (taken[i - 1]?.time ?? 0) >= APART)
      );
    }),
  );
});

test('what is exactly or almost alike is taken once', () => {
  assert.equal(times(distinct([one(0, 1, 5), one(300, 1, 50), one(600, 1, 5)])), [0, 300]);
  // By a cosine distance of 4e-6, as the noise of a camera before a photo makes it, at another norm.
  const noisy = { ...one(600, 1, 5.1), descriptor: one(0, 1, 5.1).descriptor.map(value => 2 * value) };
  assert.equal(times(distinct([one(0, 1, 5), one(300, 1, 50), noisy])), [0, 300]);
});

test('one template is made of pictures of the person whom most of them show, each once', () => {
  const other = (time: number, quality: number): Candidate => ({
    ...one(time, quality),
    descriptor: [-1, 2, time / 1e3],
  });
  const all = [one(0, 0.9), other(1000, 0.8), other(2000, 0.8), one(3000, 0.7, 0), one(4000, 0.5)];
  assert.equal(times(ofOnePerson(all)), [0, 4000]);
  assert.equal(times(ofOnePerson([...all, other(5000, 0.95), other(6000, 0.1)])), [1000, 2000, 5000, 6000]);
  assert.equal(ofOnePerson([]), []);
});

test('of too many pictures the worst is dropped, never one that is chosen', () => {
  const many = Array.from({ length: 25 }, (_, i) =>
    one(100 * i, i === 7 ? 0.1 : i === 9 ? 0.2 : 0.5 + i / 100),
  );
  assert.not.ok(times(withoutWorst(many, [])).includes(700));
  assert.is(withoutWorst(many, []).length, 24);
  assert.not.ok(times(withoutWorst(many, [many[7] as Candidate])).includes(900));
  assert.equal(withoutWorst(many.slice(1), []), many.slice(1));
});

test('a prompt is shown when two pictures ask for it, and stays a while', () => {
  const prompts = prompter();
  assert.is(prompts.next('come_closer', 0), 'look_here', 'one picture is not enough');
  assert.is(prompts.next('come_closer', 100), 'come_closer');
  assert.is(prompts.next('look_here', 200), 'come_closer');
  assert.is(prompts.next('look_here', 300), 'come_closer', 'not read yet');
  assert.is(prompts.next('look_here', 900), 'look_here');
  assert.is(prompts.next('done', 950), 'done', 'the end is told at once');
});

test('of two prompts that take turns the first is shown and stays; three that disagree change nothing', () => {
  const shown = (...wanted: Guide[]) => {
    const prompts = prompter();
    const all = Array.from({ length: 40 }, (_, i) =>
      prompts.next(wanted[i % wanted.length] as Guide, 100 * i),
    );
    return all.filter((guide, i) => guide !== all[i - 1]);
  };
  assert.equal(shown('come_closer', 'hold_still'), ['look_here', 'come_closer']);
  assert.equal(shown('come_closer', 'look_here'), ['look_here', 'come_closer']);
  assert.equal(shown('look_here', 'come_closer'), ['look_here', 'come_closer']);
  assert.equal(shown('come_closer', 'hold_still', 'go_back'), ['look_here']);
});

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
