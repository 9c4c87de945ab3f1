/**
 * What an enrolment asks for, one after the other: look straight, turn a little to the left, then to the right. Whoever
 * turns the other way first is not corrected, and whoever does not turn is not waited for long. Left and right are the
 * person's own. Knows angles and times only. Held by test/sdk/capture-turns.test.ts.
 */
import type { CaptureView, Guide } from '../types.ts';

/** Where a head points, from where it pointed at first. */
export type Side = CaptureView['side'];

export interface Turns {
  /** A picture in which nothing is wrong but, maybe, how far the head is turned. */
  see(yaw: number | null, time: number): void;
  /** One of that side can be taken. */
  keep(side: Side): void;
  sideOf(yaw: number | null): Side;
  /** Whether there are too few of that side yet. */
  wants(side: Side): boolean;
  /** What to ask for now; null when everything was done or waited for. */
  readonly asked: Side | null;
  readonly views: readonly CaptureView[];
  /** 0 to 1, with what there is of the one that is asked for. */
  readonly progress: number;
  /** Milliseconds of good pictures so far. */
  readonly waited: number;
}

const SIDES: readonly Side[] = ['front', 'left', 'right'];
export const GUIDES: Readonly<Record<Side, Guide>> = {
  front: 'look_here',
  left: 'turn_left_a_little',
  right: 'turn_right_a_little',
};

/** Degrees from the front that count as turned: landmarks err by about five. */
export const TURN = 9;
/** How long looking straight takes, and how long a turn is waited for, in milliseconds. */
export const STRAIGHT = 1_200;
export const PATIENCE = 3_000;
/** Pictures of a turn before the next one is asked for: one alone may be an error, or blurred. */
const ENOUGH = 2;
/** Longer pauses between pictures, when something else was wrong, do not count as waiting. */
const PAUSE = 500;

export function turns(): Turns {
  const taken = { front: 0, left: 0, right: 0 };
  const waitedFor = { front: 0, left: 0, right: 0 };
  const straight: number[] = [];
  let before: number | undefined;
  let waited = 0;

  const isOver = (side: Side) =>
    side === 'front'
      ? waitedFor.front >= STRAIGHT && taken.front > 0
      : taken[side] >= ENOUGH || waitedFor[side] >= PATIENCE;
  const asked = () => SIDES.find(side => !isOver(side)) ?? null;
  const base = () => [...straight].sort((a, b) => a - b)[Math.floor(straight.length / 2)] ?? 0;

  return {
    see(yaw, time) {
      const side = asked();
      const passed = before === undefined ? 0 : Math.min(PAUSE, Math.max(0, time - before));
      before = time;
      waited += passed;
      if (side === null) return;
      // A head whose turns cannot be seen is not asked to turn.
      waitedFor[side] += yaw === null && side !== 'front' ? PATIENCE : passed;
      if (side === 'front' && yaw !== null) straight.push(yaw);
    },
    keep(side) {
      taken[side]++;
    },
    sideOf(yaw) {
      if (yaw === null || asked() === 'front') return 'front';
      const away = yaw - base();
      // The camera's picture is not mirrored: the person's left is on its right.
      if (Math.abs(away) < TURN) return 'front';
      return away > 0 ? 'left' : 'right';
    },
    wants(side) {
      return taken[side] < ENOUGH;
    },
    get asked() {
      return asked();
    },
    get views() {
      return SIDES.map(side => ({ side, done: isOver(side) }));
    },
    get progress() {
      const side = asked();
      const part = side === 'front' ? waitedFor.front / STRAIGHT : side ? taken[side] / ENOUGH : 0;
      return (SIDES.filter(isOver).length + Math.min(1, part)) / SIDES.length;
    },
    get waited() {
      return waited;
    },
  };
}
