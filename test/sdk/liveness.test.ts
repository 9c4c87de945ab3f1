/** What moves by itself and what does not: living faces, still photos, moved photos, frozen cameras. */
import * as assert from 'uvu/assert';
import { hasBlink, hasTurn, opennessOf } from '../../src/sdk/browser/liveness/asked.ts';
import { assessLiveness } from '../../src/sdk/browser/liveness/assess.ts';
import { motionOf } from '../../src/sdk/browser/liveness/motion.ts';
import { overlay, spread } from '../../src/sdk/browser/liveness/shapes.ts';
import type { Point } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { type Head, moved, pictureOf, sequence } from './liveness-faces.ts';

const test = suite('sdk: liveness');

/** Someone who sits in front of a camera: sways a little, talks a little. */
const alive = (i: number) =>
  pictureOf({ yaw: 5 * Math.sin(i / 4), pitch: 3 * Math.sin(i / 5), mouth: Math.max(0, Math.sin(i / 3)) });
const PHOTO = pictureOf({ yaw: 4, pitch: 2 });
const MOVES: Record<string, (i: number) => number[]> = {
  'held still': () => [],
  shifted: i => [1, 0, 0, 1, 40 * Math.sin(i / 3), 20 * Math.cos(i / 4)],
  'turned in its plane': i => [Math.cos(i / 20), -Math.sin(i / 20), Math.sin(i / 20), Math.cos(i / 20)],
  'brought closer': i => [1 + i / 50, 0, 0, 1 + i / 50],
  'turned about its height': i => [1 - 0.3 * Math.abs(Math.sin(i / 6)), 0, 0, 1],
  'tilted back': i => [1, 0, 0, 1 - 0.3 * Math.abs(Math.sin(i / 6))],
  sheared: i => [1, 0.1 * Math.sin(i / 3), 0.05 * Math.cos(i / 4), 1],
};

test('a living face moves by itself', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { score, checks } = assessLiveness(sequence(20, alive, 0.4, seed));
    assert.ok(score >= 0.5, `score ${score}`);
    assert.ok(checks.includes('motion'));
  }
});

for (const [how, move] of Object.entries(MOVES)) {
  test(`a photo ${how} gets a low score, and passes no check`, () => {
    for (const seed of [1, 2, 3, 4, 5])
      for (const mode of ['passive', 'blink', 'turn'] as const) {
        const photo = sequence(20, i => moved(PHOTO, move(i)), 0.4, seed);
        const { score, checks } = assessLiveness(photo, mode);
        assert.ok(score <= 0.2, `${mode}: score ${score}`);
        assert.equal(checks, []);
      }
  });
}

test('a frozen camera gets nothing, also when it moves at first or now and then', () => {
  const nothing = { score: 0, checks: [] };
  assert.equal(assessLiveness(sequence(20, () => pictureOf(), 0)), nothing);
  const living = sequence(20, alive);
  const stops = living.map((sample, i) => ({
    ...sample,
    landmarks: (living[Math.min(i, 7)] ?? sample).landmarks,
  }));
  assert.equal(assessLiveness(stops), nothing);
  const stutters = living.map((sample, i) => ({
    ...sample,
    landmarks: (living[i - (i % 3)] ?? sample).landmarks,
  }));
  assert.equal(assessLiveness(stutters), nothing);
});

test('a camera that repeats a picture now and then is not frozen', () => {
  const living = sequence(30, alive);
  const repeats = living.map((sample, i) => ({
    ...sample,
    landmarks: (living[i % 4 === 3 ? i - 1 : i] ?? sample).landmarks,
  }));
  assert.ok(assessLiveness(repeats).score >= 0.4);
});

test('too few pictures, or none with landmarks, say nothing', () => {
  const nothing = { score: 0, checks: [] };
  assert.equal(assessLiveness([]), nothing);
  assert.equal(assessLiveness(sequence(4, alive)), nothing);
  assert.equal(assessLiveness(sequence(20, () => [])), nothing);
  assert.equal(assessLiveness(sequence(20, alive), 'off'), nothing);
  const point = sequence(20, () => pictureOf().map(() => ({ x: 1, y: 1 })), 0);
  assert.equal(assessLiveness(point), nothing);
});

test('shapes laid over each other do not depend on how the picture was moved', () => {
  const still = overlay(Array.from({ length: 6 }, () => PHOTO));
  for (const move of Object.values(MOVES)) {
    const laid = overlay(Array.from({ length: 6 }, (_, i) => moved(PHOTO, move(i))));
    for (const shape of laid?.shapes ?? [])
      assert.ok(spread(shape, laid?.shapes[0] ?? []) < 1e-20, 'nothing is left of the move');
    assert.is(laid?.shapes.length, still?.shapes.length);
  }
});

test('movement that lasts is told from jitter', () => {
  const laid = (samples: ReturnType<typeof sequence>) => overlay(samples.map(({ landmarks }) => landmarks));
  const noise = laid(sequence(40, () => PHOTO, 1));
  const life = laid(sequence(40, alive, 1));
  assert.ok(noise && life);
  assert.ok(motionOf(noise).lasting < 0.3 * motionOf(noise).jitter, JSON.stringify(motionOf(noise)));
  assert.ok(motionOf(life).lasting > motionOf(life).jitter, JSON.stringify(motionOf(life)));
});

const sway = (i: number): Head => ({ yaw: 2 * Math.sin(i / 4), pitch: Math.sin(i / 5) });
/** Shut for two pictures of a tenth of a second. */
const blinking = (i: number) => pictureOf({ ...sway(i), shut: i === 10 || i === 11 ? 1 : 0 });
/** To one side within a second, and back. */
const turning = (side: number) => (i: number) =>
  pictureOf({ ...sway(i), yaw: side * 30 * Math.sin((Math.PI * Math.max(0, i - 5)) / 20) });
const timed = (at: (i: number) => readonly Point[], count = 25) =>
  sequence(count, at).map(({ time, landmarks }) => ({ time, shape: landmarks }));
const shapes = (at: (i: number) => readonly Point[], count = 25) =>
  sequence(count, at).map(({ landmarks }) => landmarks);
const frozen = (at: (i: number) => readonly Point[]) => {
  const [first] = sequence(1, at);
  return sequence(25, () => first?.landmarks ?? [], 0);
};

test('a blink is seen', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { score, checks } = assessLiveness(sequence(25, blinking, 0.4, seed), 'blink');
    assert.ok(checks.includes('blink'), checks.join());
    assert.ok(score >= 0.6, `score ${score}`);
  }
});

test('a blink counts also when nobody asked for it', () => {
  assert.ok(assessLiveness(sequence(25, blinking)).checks.includes('blink'));
});

test('eyes that stay open, stay shut, open once or shut once are no blink', () => {
  const cases: Record<string, (i: number) => number> = {
    open: () => 0,
    shut: () => 1,
    opening: i => (i < 10 ? 1 : 0),
    shutting: i => (i < 10 ? 0 : 1),
    'shut for one second and a half': i => (i >= 20 && i < 35 ? 1 : 0),
    'half shut': i => (i === 10 ? 0.15 : 0),
  };
  for (const [name, shut] of Object.entries(cases))
    assert.not.ok(hasBlink(timed(i => pictureOf({ ...sway(i), shut: shut(i) }), 80)), name);
});

test('an open eye is about 0.36 high by its width, a shut one flat', () => {
  assert.ok(Math.abs(opennessOf(pictureOf()) - 0.36) < 0.02);
  assert.ok(opennessOf(pictureOf({ shut: 1 })) < 0.08);
});

for (const side of [1, -1]) {
  test(`a head turn to the ${side > 0 ? 'right' : 'left'} is seen`, () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { score, checks } = assessLiveness(sequence(25, turning(side), 0.4, seed), 'turn');
      assert.ok(checks.includes('turn'), checks.join());
      assert.ok(score >= 0.75, `score ${score}`);
    }
  });
}

test('a small turn is none, nor is a photo that is turned by hand', () => {
  assert.not.ok(hasTurn(shapes(i => pictureOf({ yaw: 12 * Math.sin(i / 5) }))));
  const photo = pictureOf();
  assert.not.ok(hasTurn(shapes(i => moved(photo, [Math.cos(i / 20), 0, 0, 1]))));
});

test('two pictures, front and side, shown one after the other are no turn', () => {
  const [front, side] = [pictureOf(), pictureOf({ yaw: 30 })];
  assert.not.ok(hasTurn(shapes(i => (i < 12 ? front : side))));
  assert.not.ok(hasTurn(shapes(i => (i % 8 < 4 ? front : side))));
});

test('who was asked and did nothing gets little, however lively', () => {
  const lively = (i: number) =>
    pictureOf({ yaw: 8 * Math.sin(i / 4), pitch: 5 * Math.sin(i / 5), mouth: Math.max(0, Math.sin(i / 3)) });
  for (const mode of ['blink', 'turn'] as const) {
    const { score, checks } = assessLiveness(sequence(25, lively), mode);
    assert.ok(score <= 0.3, `${mode}: ${score}`);
    assert.not.ok(checks.includes(mode));
  }
});

test('frozen, neither is seen', () => {
  for (const at of [blinking, turning(1), turning(-1)])
    for (const mode of ['passive', 'blink', 'turn'] as const)
      assert.equal(assessLiveness(frozen(at), mode), { score: 0, checks: [] });
});

test('a film of stills that blinks once in a frozen picture is still frozen', () => {
  const [open, shut] = [pictureOf(), pictureOf({ shut: 1 })];
  const film = sequence(25, i => (i === 10 || i === 11 ? shut : open), 0);
  assert.equal(assessLiveness(film, 'blink'), { score: 0, checks: [] });
});

test.run();
