/**
 * The course of an enrolment's capture, picture by picture: how many pictures, how far apart, and of whom; and how the quality that an encoder gives decides, for an enrolment and for a sign-in.
 */
import * as assert from 'uvu/assert';
import { LONGEST, type Picture, session, WATCH } from '../../src/sdk/browser/capture/session.ts';
import type { Guide } from '../../src/sdk/browser/types.ts';
import { suite } from '../support/suite.ts';
import {
  type Course,
  capture,
  DARK,
  type End,
  film,
  inside,
  near,
  numbers,
  others,
  SIGN_IN,
  still,
  turned,
} from './capture-people.ts';
import { faceOf, LIGHT, picture, pictureOf } from './liveness-faces.ts';

const test = suite('sdk: capture, enrolment and quality');

const second = { ...faceOf([], 420), box: { x: 420, y: 100, width: 200, height: 200 } };
const elsewhere = (i: number) => picture(100 * i, [faceOf(pictureOf(still(i)), 460)]);

/** What is before the camera, and how it ends: after how many milliseconds, with how many pictures, saying what. */
interface Row extends Course {
  readonly name: string;
  readonly ends: readonly [least: number, most: number];
  readonly pictures: number | string;
  readonly says?: readonly Guide[];
  readonly check?: (end: End) => void;
}
const SEVENTH: Partial<Row> = { check: end => inside(end, 7, 8) };
const COURSES: readonly Row[] = [
  {
    name: 'a person who looks straight: five pictures, half a second apart',
    ends: [2_000, 2_500],
    pictures: 5,
    says: ['look_here', 'done'],
    check: ({ taken, course }) => {
      assert.equal(taken, [0, 5, 10, 15, 20]);
      assert.is(course.progress, 1);
    },
  },
  ...[1, 2, 3].map(count => ({
    name: `${count} wanted: no more are taken`,
    options: { count },
    ends: [WATCH, 2_500] as const,
    pictures: count,
  })),
  {
    name: 'an encoder without landmarks',
    at: i => picture(100 * i, [faceOf([])]),
    ends: [2_000, 2_500],
    pictures: 5,
    says: ['look_here', 'done'],
  },
  {
    name: 'a slow device: three pictures are enough after a while',
    at: i => film(i, [], i % 20 === 0 ? LIGHT : DARK),
    ends: [LONGEST, LONGEST + 500],
    pictures: 3,
  },
  ...[0, 0.001].map(noise => ({
    name: `a frozen camera with noise of ${noise}: one descriptor, when the time is over`,
    describe: (i: number) => [1, 2, 3 + noise * Math.sin(i)],
    ends: [15_000, 15_000] as const,
    pictures: 1,
  })),
  {
    name: 'a second person for a moment: no picture with two',
    at: i => (i >= 5 && i < 9 ? film(i, [second]) : film(i)),
    ends: [3_000, 4_000],
    pictures: 5,
    check: ({ taken }) => {
      assert.ok(
        (taken as number[]).every(i => i < 5 || i >= 9) && (taken as number[]).some(i => i < 5),
        `${taken}`,
      );
    },
  },
  ...(
    [
      ['a second person for longer', 20, 30, i => film(i, [second])],
      ['the face is lost', 20, 20, i => picture(100 * i, [])],
      ['the face jumps', 10, 10, undefined],
    ] satisfies [string, number, number, ((i: number) => Picture) | undefined][]
  ).flatMap(([name, to, alone, between]) => {
    const at = (i: number) =>
      i < 10 ? film(i) : i < to ? (between?.(i) as Picture) : between ? film(i) : elsewhere(i);
    return [
      {
        name: `${name}, and another comes: everything begins again, with nothing of the one before`,
        at,
        describe: (i: number) => (i < to ? numbers(i) : others(i)),
        ends: [100 * alone + 2_000, 100 * alone + 2_500] as const,
        pictures: 5,
        check: (end: End) => inside(end, to, 150),
      },
      {
        name: `${name}, and the same person comes back: the pictures count`,
        at,
        ends: [100 * alone + WATCH, 100 * alone + WATCH + 500] as const,
        pictures: 5,
        check: (end: End) =>
          assert.ok(
            (end.taken as number[]).some(i => i < 10),
            `${end.taken}`,
          ),
      },
    ];
  }),
  {
    name: 'somebody else takes the place unseen: only one of them is taken',
    describe: i => (i < 10 ? numbers(i) : others(i)),
    ends: [3_000, LONGEST + 1_500],
    pictures: 5,
    check: end => inside(end, 10, 150),
  },
  { name: 'nobody', at: i => picture(100 * i, []), ends: [15_000, 15_000], pictures: 'no_face' },
  {
    name: 'half a second of good pictures only: those are taken at the end',
    at: i => film(i, [], i >= 60 && i < 66 ? LIGHT : DARK),
    ends: [15_000, 15_000],
    pictures: 2,
    check: end => inside(end, 60, 66),
  },
  {
    name: 'rated: the light does not matter if the quality is good',
    at: i => film(i, [], DARK),
    quality: () => 1.2,
    ends: [2_000, 2_500],
    pictures: 5,
    says: ['look_here', 'done'],
  },
  {
    name: 'rated: weak pictures are not taken while better ones may come',
    quality: i => (i < 60 ? 0.9 : 1.1),
    ends: [8_000, 8_500],
    pictures: 5,
    says: ['look_here', 'show_face', 'look_here', 'done'],
    check: end => inside(end, 60, 150),
  },
  {
    name: 'rated: who is never seen better is enrolled with weak pictures at the end',
    quality: () => 0.2,
    ends: [15_000, 15_000],
    pictures: 5,
    says: ['look_here', 'show_face'],
  },
  {
    name: 'rated: good ones are not mixed with weak ones at the end',
    quality: i => (i === 20 || i === 30 ? 1 : 0.5),
    ends: [15_000, 15_000],
    pictures: 2,
  },
  ...(
    [
      ['turned', turned, 'face_front'],
      ['larger than the frame', near, 'go_back'],
    ] as const
  ).map(([name, at, prompt]) => ({
    name: `rated: a face that is ${name} is told so, and is taken only at the end`,
    at,
    quality: () => 1.5,
    ends: [15_000, 15_000] as const,
    pictures: 5,
    says: ['look_here', prompt] as const,
  })),
  ...[true, false].flatMap(enrollment => [
    {
      name: `rated, enrolment ${enrollment}: what is no face is never sent`,
      quality: (i: number) => (i % 2 ? -0.01 : Number.NaN),
      options: { enrollment },
      ends: [15_000, 15_000] as const,
      pictures: 'face_unclear',
      says: ['look_here', 'show_face'] as const,
    },
    {
      name: `rated, enrolment ${enrollment}: the fault of the picture is named`,
      at: (i: number) => film(i, [], { ...LIGHT, brightness: 35 }),
      quality: () => -1,
      options: { enrollment },
      ends: [15_000, 15_000] as const,
      pictures: 'too_dark',
      says: ['look_here', 'more_light'] as const,
    },
    {
      name: `rated, enrolment ${enrollment}: no quality makes a distant face good`,
      at: (i: number) =>
        picture(100 * i, [{ ...faceOf([]), box: { x: 300, y: 200, width: 40, height: 40 } }]),
      quality: () => 3,
      options: { enrollment },
      ends: [15_000, 15_000] as const,
      pictures: 'too_far',
      says: ['look_here', 'come_closer'] as const,
    },
  ]),
  ...(
    [
      ['at once when the quality is good', () => 1, [100, 100]],
      ['a turned head is no matter', () => 1, [100, 100], { at: turned }],
      [
        'the best of what the first 1.5 seconds gave',
        i => (i === 7 ? 0.8 : 0.3),
        [WATCH, WATCH + 200],
        SEVENTH,
      ],
      ['a good one is sent as soon as it comes', i => (i < 7 ? 0.8 : 1.1), [800, 800], SEVENTH],
    ] satisfies [string, (i: number) => number, [number, number], Partial<Row>?][]
  ).map(([name, quality, ends, more]) => ({
    ...{ name: `a sign-in, rated: ${name}`, quality, ends, pictures: 1, ...more },
    options: { ...SIGN_IN, livenessCheck: 'off' } as const,
  })),
  ...(
    [
      ['three frames', () => 1.1, [600, 800], 3],
      [
        'somebody else takes the place unseen, and only one of them is taken',
        () => 1.1,
        [1_000, 1_500],
        3,
        { describe: i => (i < 4 ? numbers(i) : others(i)), check: end => inside(end, 4, 150) },
      ],
      [
        'fewer will do after three seconds on a slow device',
        i => (i < 2 ? 0.5 : -1),
        [2 * WATCH, 2 * WATCH + 200],
        1,
        { at: i => film(i, [], DARK) },
      ],
    ] satisfies [string, (i: number) => number, [number, number], number, Partial<Row>?][]
  ).map(([name, quality, ends, pictures, more]) => ({
    ...{ name: `a sign-in by the mean: ${name}`, quality, ends, pictures, ...more },
    options: { count: 3, enrollment: false, mean: true, livenessCheck: 'off' } as const,
  })),
];
for (const { name, ends, pictures, says, check, ...course } of COURSES)
  test(name, () => {
    const end = capture(course);
    assert.is(Array.isArray(end.taken) ? end.taken.length : end.taken, pictures);
    assert.ok(end.at >= ends[0] && end.at <= ends[1], `${end.at} ms`);
    if (says) assert.equal(end.said, [...says]);
    check?.(end);
  });

test('progress grows', () => {
  const shares: number[] = [];
  const course = session({ count: 5, livenessCheck: 'passive', enrollment: true });
  for (let i = 0; i < 150 && !course.done; i++) {
    if (course.see(film(i))) course.keep({ descriptor: numbers(i) });
    shares.push(course.progress);
  }
  assert.equal(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.ok(new Set(shares).size > 5 && shares.at(-1) === 1);
});

test.run();
