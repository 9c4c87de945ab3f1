/** Which pictures of a capture are taken, and which prompts are shown. */
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { prompter } from '../../src/sdk/browser/capture/guide.ts';
import { APART, type Candidate, distinct, select } from '../../src/sdk/browser/capture/select.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, selection and prompts');

const one = (time: number, quality: number, value = time): Candidate => ({
  time,
  quality,
  descriptor: [value],
});

test('takes the best that lie apart in time, in the order of time', () => {
  const all = [one(0, 0.5), one(100, 0.9), one(200, 0.8), one(400, 0.7), one(700, 0.6), one(900, 0.95)];
  assert.equal(
    select(all, 3).map(({ time }) => time),
    [100, 400, 900],
  );
  assert.equal(
    select(all, 1).map(({ time }) => time),
    [900],
  );
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

test('what is exactly alike is taken once', () => {
  assert.equal(
    distinct([one(0, 1, 5), one(300, 1, 6), one(600, 1, 5)]).map(({ time }) => time),
    [0, 300],
  );
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

test('pictures that disagree change nothing', () => {
  const prompts = prompter();
  for (let i = 0; i < 20; i++)
    assert.is(prompts.next(i % 2 === 0 ? 'come_closer' : 'hold_still', 100 * i), 'look_here');
});

test.run();
