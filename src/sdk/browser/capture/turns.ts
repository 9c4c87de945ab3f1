/**
 * The views of an enrollment, in order: straight, a little to the left, a little to the right. Turning the other way
 * first is fine, and a person who does not turn does not wait long. Left and right are the person's own. It knows only
 * angles and times. Held by test/sdk/capture-turns.test.ts.
 */
import type { CaptureView, Guide } from '../types.ts';

/** Where the head points, relative to its first direction. */
export type Side = CaptureView['side'];

export interface Turns {
  /** Call it for every picture that is good, except perhaps for the turn of the head. */
  see(yaw: number | null, time: number): void;
  /** Counts a picture of this side. */
  keep(side: Side): void;
  sideOf(yaw: number | null): Side;
  /** Whether this side still needs pictures. */
  wants(side: Side): boolean;
  /** The view to ask for now. Null when all are done or skipped. */
  readonly asked: Side | null;
  readonly views: readonly CaptureView[];
  /** 0 to 1, including a part of the current view. */
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

/** Degrees from the front that count as turned. Landmarks are wrong by about five. */
export const TURN = 9;
/** How long to look straight, and how long to wait for a turn, in milliseconds. */
export const STRAIGHT = 1_200;
export const PATIENCE = 3_000;
/** Pictures of a turn before the next view. A single one may be an error or blurred. */
const ENOUGH = 2;
/** The most that a pause between two pictures counts as waiting. Something else was wrong for the rest. */
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
      // Without a measured yaw, turns cannot be seen, so they are skipped.
      waitedFor[side] += yaw === null && side !== 'front' ? PATIENCE : passed;
      if (side === 'front' && yaw !== null) straight.push(yaw);
    },
    keep(side) {
      taken[side]++;
    },
    sideOf(yaw) {
      if (yaw === null || asked() === 'front') return 'front';
      const away = yaw - base();
      // The camera picture is not mirrored: the person's left is on its right.
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
