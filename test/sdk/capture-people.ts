/** A capture without a camera: pictures of people who are still, and how it ends. */
import * as assert from 'uvu/assert';
import type { Candidate } from '../../src/sdk/browser/capture/select.ts';
import {
  type Picture,
  type Session,
  type SessionOptions,
  session,
} from '../../src/sdk/browser/capture/session.ts';
import type { DetectedFace, Guide } from '../../src/sdk/browser/types.ts';
import { faceOf, type Head, LIGHT, picture, pictureOf, sequence } from './liveness-faces.ts';

/** Of one person, and different in each picture. */
export const numbers = (i: number) => [1, 0.3 * Math.cos(i), 0.3 * Math.sin(i)];
/** Of somebody else. */
export const others = (i: number) => [0.3 * Math.cos(i), 0.3 * Math.sin(i), -1];
export const still = (i: number): Head => ({ yaw: 2 * Math.sin(i / 4), pitch: 2 * Math.sin(i / 5) });
const heads = sequence(150, i => pictureOf(still(i)));
export const film = (i: number, more: readonly DetectedFace[] = [], light = LIGHT) =>
  picture(100 * i, [faceOf(heads[i]?.landmarks ?? []), ...more], light);
export const turned = (i: number) => picture(100 * i, [faceOf(pictureOf({ ...still(i), yaw: 50 }))]);
export const near = (i: number) =>
  picture(100 * i, [{ ...faceOf([]), box: { x: -60, y: -100, width: 700, height: 700 } }]);
export const DARK = { ...LIGHT, brightness: 5 };

export interface Course {
  readonly at?: (i: number) => Picture;
  readonly describe?: (i: number) => number[];
  /** Of an encoder that rates. */
  readonly quality?: (i: number) => number;
  readonly options?: Partial<SessionOptions>;
  readonly kept?: readonly Candidate[] | undefined;
}
export interface End {
  /** Milliseconds; the 15 seconds of a capture when it does not end by itself. */
  readonly at: number;
  readonly said: Guide[];
  /** Numbers of the pictures that were taken, or the code of the error. */
  readonly taken: number[] | string;
  readonly course: Session;
}

/** Ten pictures a second, for at most 15 seconds. */
export function capture({ at = film, describe = numbers, quality, options, kept }: Course): End {
  const rated = quality !== undefined;
  const course = session({ count: 5, livenessCheck: 'passive', enrollment: true, rated, kept, ...options });
  const said: Guide[] = [];
  let i = 0;
  while (i < 150 && !course.done) {
    if (course.see(at(i))) course.keep({ descriptor: describe(i), ...(quality && { quality: quality(i) }) });
    if (course.guide !== said.at(-1)) said.push(course.guide);
    i++;
  }
  const all = Array.from({ length: 150 }, (_, n) => `${describe(n)}`);
  let taken: number[] | string;
  try {
    taken = course.result().descriptors.map(one => all.indexOf(`${one}`));
  } catch (error) {
    taken = (error as { code: string }).code;
  }
  return { at: 100 * i, said, taken, course };
}

export const SIGN_IN = { count: 1, enrollment: false } as const;
/** All that was taken is of these pictures. */
export const inside = (end: End, from: number, to: number) => {
  const taken = end.taken as number[];
  assert.ok(taken.length >= 1 && taken.every(i => i >= from && i < to), `${taken}`);
};
