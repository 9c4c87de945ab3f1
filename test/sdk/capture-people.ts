/** People before the camera of an enrolment, who do as they are asked or do not, and a capture of them without a camera. */
import { type Picture, type Session, session, type Views } from '../../src/sdk/browser/capture/session.ts';
import type { DetectedFace, Guide } from '../../src/sdk/browser/types.ts';
import { faceOf, type Head, picture, pictureOf, sequence } from './liveness-faces.ts';

/** A descriptor that no other picture has, and all are of one person. */
export const numbers = (i: number) => [1, 0.3 * Math.cos(i), 0.3 * Math.sin(i)];

export interface End {
  /** Milliseconds; the 15 seconds of a capture when it does not end by itself. */
  readonly at: number;
  readonly said: Guide[];
  /** Numbers of the pictures that were taken, or the code of the error. */
  readonly taken: number[] | string;
  readonly course: Session;
}

/** Ten pictures a second, for at most 15 seconds. @param views of an earlier attempt */
export function capture(
  at: (i: number, course: Session) => Picture,
  count = 5,
  describe = numbers,
  views?: Views,
): End {
  const course = session({ count, livenessCheck: 'passive', variety: true, views });
  const said: Guide[] = [];
  let i = 0;
  while (i < 150 && !course.done) {
    if (course.see(at(i, course))) course.keep(describe(i));
    if (course.guide !== said.at(-1)) said.push(course.guide);
    i++;
  }
  let taken: number[] | string;
  try {
    const { descriptors } = course.result();
    taken = descriptors.map(
      one => Array.from({ length: 150 }, (_, n) => n).find(n => `${describe(n)}` === `${one}`) ?? -1,
    );
  } catch (error) {
    taken = (error as { code: string }).code;
  }
  return { at: 100 * i, said, taken, course };
}

/** Frames with a detector's noise, from what a head does at each picture. */
export const filmOf = (head: (i: number) => Head) => {
  const heads = sequence(150, i => pictureOf(head(i)));
  return (i: number, _course?: Session, faces: readonly DetectedFace[] = []) =>
    picture(100 * i, [faceOf(heads[i]?.landmarks ?? []), ...faces]);
};
export const still = (i: number): Head => ({ yaw: 2 * Math.sin(i / 4), pitch: 2 * Math.sin(i / 5) });

/** Does what it is asked, after half a second, by `angle` degrees and so many a picture. Positive is the person's left. */
export function obedient(angle = 16, left = 1, speed = 6) {
  let [yaw, heard, since] = [0, 'look_here' as Guide, 0];
  return (i: number, course: Session): Picture => {
    if (course.guide !== heard) [heard, since] = [course.guide, i];
    const to = {
      turn_left_a_little: left * angle,
      turn_right_a_little: -left * angle,
      turn_less: Math.sign(yaw) * 15,
    };
    const aim = i - since < 5 ? yaw : (to[heard as keyof typeof to] ?? 0);
    yaw += Math.max(-speed, Math.min(speed, aim - yaw));
    return picture(100 * i, [faceOf(pictureOf({ ...still(i), yaw: yaw + Math.sin(i / 4) }))]);
  };
}
