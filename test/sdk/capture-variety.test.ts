/** The course of an enrolment's capture, picture by picture: honest people, people who do not turn, and hostile pictures. */
import * as assert from 'uvu/assert';
import { LONGEST, type Picture, type Session, session } from '../../src/sdk/browser/capture/session.ts';
import { poseOf } from '../../src/sdk/browser/liveness/pose.ts';
import type { DetectedFace, Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { faceOf, type Head, LIGHT, picture, pictureOf, sequence } from './liveness-faces.ts';

const test = suite('sdk: capture, variety');

/** A descriptor that no other picture has, and all are of one person. */
const numbers = (i: number) => [1, 0.3 * Math.cos(i), 0.3 * Math.sin(i)];

interface End {
  /** Milliseconds; the 15 seconds of a capture when it does not end by itself. */
  readonly at: number;
  readonly said: Guide[];
  /** Numbers of the pictures that were taken, or the code of the error. */
  readonly taken: number[] | string;
  readonly course: Session;
}

/** Ten pictures a second, for at most 15 seconds. */
function capture(at: (i: number, course: Session) => Picture, count = 5, describe = numbers): End {
  const course = session({ count, livenessCheck: 'passive', variety: true });
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
const filmOf = (head: (i: number) => Head) => {
  const heads = sequence(150, i => pictureOf(head(i)));
  return (i: number, _course?: Session, faces: readonly DetectedFace[] = []) =>
    picture(100 * i, [faceOf(heads[i]?.landmarks ?? []), ...faces]);
};
const still = (i: number): Head => ({ yaw: 2 * Math.sin(i / 4), pitch: 2 * Math.sin(i / 5) });

/** Does what it is asked, after half a second, by `angle` degrees and so many a picture. Positive is the person's left. */
function obedient(angle = 16, left = 1, speed = 6) {
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
const yawsOf = (end: End, at: (i: number) => Picture) =>
  (end.taken as number[]).map(i => poseOf(at(i).faces[0]?.landmarks ?? [])?.yaw ?? Number.NaN);

test('a person who does as asked: straight and both sides, three to five pictures, within six seconds', () => {
  const seen: Picture[] = [];
  const person = obedient();
  const end = capture((i, course) => {
    seen[i] = person(i, course);
    return seen[i] as Picture;
  });
  assert.ok(end.at <= 6_000, `${end.at} ms`);
  assert.equal(end.said, ['look_here', 'turn_left_a_little', 'turn_right_a_little', 'done']);
  const { length } = end.taken;
  assert.ok(length >= 3 && length <= 5, `${end.taken}`);
  const yaws = yawsOf(end, i => seen[i] as Picture);
  assert.ok(Math.max(...yaws) - Math.min(...yaws) > 15 && yaws.some(yaw => Math.abs(yaw) < 4), yaws.join());
  assert.ok(
    yaws.every(yaw => Math.abs(yaw) < 25),
    yaws.join(),
  );
  assert.is(end.course.progress, 1);
  assert.ok(end.course.views?.every(({ done }) => done));
});

test('a person who takes left for right gets through as well', () => {
  const end = capture(obedient(16, -1));
  assert.ok(end.at <= 7_500, `${end.at} ms`);
  assert.ok(end.taken.length >= 3);
});

test('who turns too far is told so, and no such picture is taken', () => {
  const seen: Picture[] = [];
  const person = obedient(45, 1, 40);
  const end = capture((i, course) => {
    seen[i] = person(i, course);
    return seen[i] as Picture;
  });
  assert.ok(end.said.includes('turn_less'), end.said.join());
  assert.ok(end.taken.length >= 3);
  const yaws = yawsOf(end, i => seen[i] as Picture);
  assert.ok(
    yaws.every(yaw => Math.abs(yaw) < 25),
    yaws.join(),
  );
});

test('who does not turn is not refused: after a while pictures of other moments are taken', () => {
  const end = capture(filmOf(still));
  assert.ok(end.at <= LONGEST, `${end.at} ms`);
  assert.ok(end.said.includes('turn_left_a_little') && end.said.includes('turn_right_a_little'));
  const taken = end.taken as number[];
  assert.ok(taken.length >= 3 && taken.length <= 5, taken.join());
  assert.ok(
    taken.slice(1).every((i, n) => i - (taken[n] as number) >= 10),
    `a second apart: ${taken}`,
  );
});

test('progress grows and the views are told in their order', () => {
  const shares: number[] = [];
  const person = obedient();
  const end = capture((i, course) => {
    shares.push(course.progress);
    return person(i, course);
  });
  assert.equal(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.equal(
    end.course.views?.map(({ side }) => side),
    ['front', 'left', 'right'],
  );
  assert.is(session({ count: 3, livenessCheck: 'off' }).views, undefined, 'a sign-in has none');
});

test('an encoder without landmarks: nobody is asked to turn', () => {
  const end = capture(i => picture(100 * i, [faceOf([])]));
  assert.equal(end.said, ['look_here', 'done']);
  assert.ok(end.at <= 4_000 && end.taken.length >= 3, `${end.at} ms: ${end.taken}`);
});

test('fewer wanted: no more than these are taken', () => {
  for (const count of [1, 2, 3]) assert.is(capture(obedient(), count).taken.length, count);
});

interface Hostile {
  readonly name: string;
  readonly at: (i: number, course: Session) => Picture;
  readonly describe?: (i: number) => number[];
  readonly check: (end: End) => void;
}
const film = filmOf(still);
const second: DetectedFace = { ...faceOf([], 420), box: { x: 420, y: 100, width: 200, height: 200 } };
const passerBy = obedient();
const HOSTILE: Hostile[] = [
  {
    name: 'a frozen camera: one descriptor, after a bounded time',
    at: i => picture(100 * i, [faceOf(pictureOf())]),
    describe: () => [1, 2, 3],
    check: end => {
      assert.is(end.taken.length, 1);
      assert.ok(end.at >= LONGEST && end.at <= LONGEST + 500, `${end.at} ms`);
    },
  },
  {
    name: 'a frozen camera with noise: one descriptor',
    at: film,
    describe: i => [1, 2, 3 + 0.001 * Math.sin(i)],
    check: end => assert.is(end.taken.length, 1),
  },
  {
    name: 'a second person for a moment: no picture with two, the prompts go on where they were',
    at: (i, course) => (i >= 16 && i < 20 ? film(i, course, [second]) : passerBy(i, course)),
    check: end => {
      const taken = end.taken as number[];
      assert.ok(taken.length >= 3 && taken.every(i => i < 16 || i >= 20), taken.join());
      assert.ok(
        taken.some(i => i < 16),
        'the face was never lost',
      );
    },
  },
  {
    name: 'a second person for longer: nobody knows who stayed, so everything begins again',
    at: (i, course) => (i >= 20 && i < 40 ? film(i, course, [second]) : film(i)),
    check: end => {
      const taken = end.taken as number[];
      assert.ok(end.said.includes('one_person'), end.said.join());
      assert.ok(taken.length >= 3 && taken.every(i => i >= 40), taken.join());
    },
  },
  {
    name: 'the face is lost and another comes: everything begins again',
    at: i => (i >= 50 && i < 60 ? picture(100 * i, []) : film(i)),
    check: end => {
      const taken = end.taken as number[];
      assert.ok(taken.length >= 3 && taken.every(i => i >= 40), taken.join());
      assert.is(end.said.filter(guide => guide === 'turn_left_a_little').length, 2, end.said.join());
    },
  },
  {
    name: 'a face that jumps: nothing of the one before is kept',
    at: i => (i < 30 ? film(i) : picture(100 * i, [faceOf(pictureOf(still(i)), 500)])),
    check: end =>
      assert.ok(
        (end.taken as number[]).every(i => i >= 30),
        `${end.taken}`,
      ),
  },
  {
    name: 'somebody else takes the place unseen: only one of them is taken',
    at: film,
    describe: i => (i < 40 ? numbers(i) : [0, 0.3 * Math.sin(i), -1]),
    check: end => {
      const taken = end.taken as number[];
      assert.ok(taken.length >= 2 && new Set(taken.map(i => i < 40)).size === 1, taken.join());
    },
  },
  {
    name: 'nobody: no_face',
    at: i => picture(100 * i, []),
    check: end => assert.is(end.taken, 'no_face'),
  },
  {
    name: 'never more than half a second of good pictures: those are taken, as without variety',
    at: i => picture(100 * i, film(i).faces, i >= 60 && i < 66 ? LIGHT : { ...LIGHT, brightness: 5 }),
    check: end => {
      const taken = end.taken as number[];
      assert.is(end.at, 15_000);
      assert.ok(taken.length >= 2 && taken.every(i => i >= 60 && i < 66), taken.join());
    },
  },
  {
    name: 'it goes dark for good after the first pictures: there is a result',
    at: i => picture(100 * i, film(i).faces, i < 25 ? LIGHT : { ...LIGHT, brightness: 5 }),
    check: end => {
      assert.is(end.said.at(-1), 'more_light');
      assert.ok(end.taken.length >= 2);
    },
  },
];
for (const { name, at, describe, check } of HOSTILE)
  test(name, () => check(capture(at, 5, describe ?? numbers)));

test.run();
