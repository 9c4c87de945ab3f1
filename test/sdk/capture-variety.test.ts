/** The course of an enrolment's capture, picture by picture: honest people, people who do not turn, and hostile pictures. */
import * as assert from 'uvu/assert';
import { LONGEST, type Picture, type Session, session } from '../../src/sdk/browser/capture/session.ts';
import { poseOf } from '../../src/sdk/browser/liveness/pose.ts';
import type { DetectedFace } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import { capture, type End, filmOf, numbers, obedient, still } from './capture-people.ts';
import { faceOf, LIGHT, picture, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, variety');

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
  ...(
    [
      ['a second person for longer', 20, 40, (i, course) => film(i, course, [second])],
      ['the face is lost', 50, 60, i => picture(100 * i, [])],
      ['the face jumps', 30, 30, film],
    ] satisfies [string, number, number, Hostile['at']][]
  ).flatMap(([name, from, to, between]): Hostile[] => {
    const elsewhere = (i: number) =>
      from === to ? picture(100 * i, [faceOf(pictureOf(still(i)), 460)]) : film(i);
    const at: Hostile['at'] = (i, course) =>
      i < from ? film(i) : i < to ? between(i, course) : elsewhere(i);
    const lefts = (end: End) => end.said.filter(guide => guide === 'turn_left_a_little').length;
    return [
      {
        name: `${name}, and another comes: everything begins again, with nothing of the one before`,
        at,
        describe: i => (i < to ? numbers(i) : [0, 0.3 * Math.sin(i), -1]),
        check: end => {
          const taken = end.taken as number[];
          assert.ok(taken.length >= 3 && taken.every(i => i >= to), taken.join());
          assert.is(lefts(end), 2, end.said.join());
        },
      },
      {
        name: `${name}, and the same person comes back: the views are kept`,
        at,
        check: end => {
          const taken = end.taken as number[];
          assert.ok(taken.length >= 3 && taken.some(i => i < from), taken.join());
          assert.ok(end.at <= LONGEST + 100 * (to - from) + 1_500, `${end.at} ms`);
        },
      },
    ];
  }),
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
