/** Which pictures of a capture are taken, and which prompts are shown. */
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { prompter } from '../../src/sdk/browser/capture/guide.ts';
import {
  APART,
  type Candidate,
  countVaried,
  distinct,
  kept,
  LATER,
  type Stance,
  select,
  selectVaried,
} from '../../src/sdk/browser/capture/select.ts';
import type { Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';

const test = suite('sdk: capture, selection and prompts');

const one = (time: number, quality: number, value = time): Candidate => ({
  time,
  quality,
  descriptor: [1, 0.3 * Math.cos(value / 10), 0.3 * Math.sin(value / 10)],
});
const STANCE: Stance = {
  side: 'front',
  pose: { yaw: 0, pitch: 0, roll: 0 },
  x: 320,
  y: 240,
  size: 200,
  eyes: 0.3,
  blinks: 0,
};
const posed = (time: number, quality: number, stance: Partial<Stance> = {}): Candidate => ({
  ...one(time, quality),
  stance: { ...STANCE, ...stance },
});
const times = (candidates: readonly Candidate[]) => candidates.map(({ time }) => time);

test('takes the best that lie apart in time, in the order of time', () => {
  const all = [one(0, 0.5), one(100, 0.9), one(200, 0.8), one(400, 0.7), one(700, 0.6), one(900, 0.95)];
  assert.equal(times(select(all, 3)), [100, 400, 900]);
  assert.equal(times(select(all, 1)), [900]);
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

test('what is exactly or almost alike is taken once', () => {
  assert.equal(times(distinct([one(0, 1, 5), one(300, 1, 50), one(600, 1, 5)])), [0, 300]);
  // By a cosine distance of 4e-6, as the noise of a camera before a photo makes it, at another norm.
  const noisy = { ...one(600, 1, 5.1), descriptor: one(0, 1, 5.1).descriptor.map(value => 2 * value) };
  assert.equal(times(distinct([one(0, 1, 5), one(300, 1, 50), noisy])), [0, 300]);
});

test('for an enrolment one of each side is taken, also when others are better', () => {
  const all = [
    ...[0, 1000, 2000].map(time => posed(time, 0.9)),
    posed(3000, 0.5, { side: 'left', pose: { yaw: 14, pitch: 0, roll: 0 } }),
    posed(3300, 0.6, { side: 'left', pose: { yaw: 16, pitch: 0, roll: 0 } }),
    posed(4000, 0.4, { side: 'right', pose: { yaw: -15, pitch: 0, roll: 0 } }),
  ];
  assert.equal(times(selectVaried(all, 3, 3)), [0, 3300, 4000]);
  assert.equal(times(selectVaried(all, 5, 3)), [0, 1000, 2000, 3300, 4000]);
  assert.equal(times(selectVaried(all, 1, 1)), [0]);
});

const DIFFERENCES: [string, Partial<Stance>][] = [
  ['turned', { pose: { yaw: 9, pitch: 0, roll: 0 } }],
  ['nodding', { pose: { yaw: 0, pitch: -9, roll: 0 } }],
  ['tilted', { pose: { yaw: 0, pitch: 0, roll: 9 } }],
  ['elsewhere', { x: 380 }],
  ['nearer', { size: 235 }],
  ['after a blink', { blinks: 1 }],
];
for (const [name, change] of DIFFERENCES)
  test(`a picture differs when the face is ${name}, if some time lies between`, () => {
    const pair = (later: number) => [posed(0, 0.9), posed(later, 0.8, change)];
    assert.equal(times(selectVaried(pair(APART), 5, 0)), [0, APART]);
    assert.is(countVaried(pair(APART)), name === 'turned' ? 1 : 2, 'a turn ends nothing early');
    assert.equal(times(selectVaried(pair(APART - 1), 5, 0)), [0]);
    assert.is(countVaried(pair(APART - 1)), 1);
  });

test('a picture that looks the same differs after a second, and after less where there are too few', () => {
  const later = (time: number) => [posed(0, 0.9), posed(time, 0.8)];
  assert.equal(times(selectVaried(later(LATER), 5, 0)), [0, LATER]);
  assert.is(countVaried(later(LATER)), 1, 'by time alone');
  assert.equal(times(selectVaried(later(LATER - 1), 5, 0)), [0]);
  assert.equal(times(selectVaried(later(LATER - 1), 5, 2)), [0, LATER - 1], 'as many as without variety');
});

test('pictures of a frozen camera are one, however far apart', () => {
  const frozen = Array.from({ length: 9 }, (_, i) => ({
    ...posed(1000 * i, 0.9, { x: 100 * i }),
    descriptor: [1, 2],
  }));
  assert.equal(times(selectVaried(frozen, 5, 3)), [0]);
  assert.is(countVaried(frozen), 1);
});

test('pictures of somebody else are not taken, however many and different', () => {
  const other = (time: number, quality: number) => ({
    ...posed(time, quality, { x: time }),
    descriptor: [-1, 2, time / 1e5],
  });
  const all = [posed(0, 0.9), other(1000, 0.8), other(2000, 0.8), other(3000, 0.8), posed(4000, 0.5)];
  assert.equal(times(selectVaried(all, 5, 3)), [0, 4000]);
});

test('a picture with shut eyes is taken last; eyes that are always narrow are not shut', () => {
  const blinking = [posed(0, 0.6), posed(100, 0.6), posed(300, 0.9, { eyes: 0.15 }), posed(400, 0.6)];
  assert.equal(times(selectVaried(blinking, 1, 1)), [0]);
  const narrow = blinking.map(one => ({ ...one, stance: { ...STANCE, eyes: 0.15 } }));
  assert.equal(times(selectVaried(narrow, 1, 1)), [300]);
});

test('of too many pictures the worst is dropped, never one that is chosen', () => {
  const many = Array.from({ length: 25 }, (_, i) =>
    one(100 * i, i === 7 ? 0.1 : i === 9 ? 0.2 : 0.5 + i / 100),
  );
  assert.not.ok(times(kept(many, [])).includes(700));
  assert.is(kept(many, []).length, 24);
  assert.not.ok(times(kept(many, [many[7] as Candidate])).includes(900));
  assert.equal(kept(many.slice(1), []), many.slice(1));
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

test.run();
