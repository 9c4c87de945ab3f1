/** A blink and a head turn: done, not done, done by a photo, and frozen. */
import * as assert from 'uvu/assert';
import { assessLiveness } from '../../src/sdk/browser/liveness/assess.ts';
import { hasBlink, opennessOf } from '../../src/sdk/browser/liveness/blink.ts';
import { hasTurn } from '../../src/sdk/browser/liveness/turn.ts';
import type { Point } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { type Head, moved, pictureOf, sequence } from './liveness-faces.ts';

const test = suite('sdk: liveness checks');

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
