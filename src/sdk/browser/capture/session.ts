/**
 * The course of one capture, without camera, canvas or clock: it is told what each picture shows and says which to describe, what
 * to tell the person, when there is enough, and what was wrong when there never is. All descriptors and landmarks
 * belong to one face that was followed from picture to picture: when it is lost or jumps, everything starts again,
 * so that nobody lends another one a blink. Held by test/sdk/capture-session.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import { assessLiveness, type Sample } from '../liveness/assess.ts';
import { isAsked, type LivenessCheck } from '../liveness/check.ts';
import type { Captured, DetectedFace, Guide } from '../types.ts';
import { prompter } from './guide.ts';
import { judge, type Light, lookAt } from './quality.ts';
import { type Candidate, distinct, select } from './select.ts';

export interface SessionOptions {
  /** Descriptors wanted. */
  readonly count: number;
  readonly livenessCheck: LivenessCheck;
}

/** What one picture shows. */
export interface Picture {
  /** Milliseconds. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
  /** Of the largest face. */
  readonly light: Light | null;
}

export interface Session {
  /** @returns the face to be described, when this picture is good enough */
  see(picture: Picture): DetectedFace | null;
  /** The descriptor of the face that `see` gave last. */
  keep(descriptor: readonly number[]): void;
  readonly guide: Guide;
  /** 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
  /** What there is, when it is enough or time is over. @throws FaceSignInError when there is nothing */
  result(): Captured;
}

/** A second face counts when it is at least so large, by the area of the first one. */
const SECOND = 0.25;
/** How long natural motion is watched, in milliseconds. */
export const WATCH = 1_500;
/** A face that was away for longer is another one. */
const LOST = 600;
/** Least overlap of a face with where it was before, by their joint area. */
const OVERLAP = 0.15;
/** Least time between two descriptions, and most candidates kept. */
const PACE = 100;
const MOST = 24;
/** Samples kept for liveness: about 30 seconds. */
const SAMPLES = 400;
/** How many of the last pictures say what was wrong. */
const RECENT = 12;

export function session({ count, livenessCheck }: SessionOptions): Session {
  const prompts = prompter();
  const wrong: (Guide | 'no_face')[] = [];
  let candidates: Candidate[] = [];
  let samples: Sample[] = [];
  let track: { face: DetectedFace; time: number; since: number } | undefined;
  let pending: { time: number; quality: number } | undefined;
  let passed = false;

  function follow(face: DetectedFace, time: number): void {
    const same = track && time - track.time <= LOST && overlapOf(track.face, face) >= OVERLAP;
    if (!same) {
      candidates = [];
      samples = [];
      passed = false;
    }
    track = { face, time, since: same && track ? track.since : time };
    if (face.landmarks.length === 68)
      samples = [...samples.slice(1 - SAMPLES), { time, landmarks: face.landmarks }];
  }
  const enough = () => select(candidates, count).length === count;
  const watched = () => (track ? Math.min(1, (track.time - track.since) / WATCH) : 0);
  const checked = () => {
    if (livenessCheck === 'off') return 1;
    return isAsked(livenessCheck) ? Number(passed) : watched();
  };

  function problemIn({ faces, light, ...picture }: Picture): {
    problem: Guide | 'no_face' | null;
    quality: number;
  } {
    const [face, second] = faces;
    if (!face || !light) return { problem: 'no_face', quality: 0 };
    if (second && areaOf(second) > SECOND * areaOf(face)) return { problem: 'one_person', quality: 0 };
    follow(face, picture.time);
    return judge(lookAt(face, picture, light), prompts.shown);
  }

  return {
    see(picture) {
      const { problem, quality } = problemIn(picture);
      pending = undefined;
      wrong.push(problem ?? 'done');
      if (wrong.length > RECENT) wrong.shift();
      const asked = isAsked(livenessCheck) && !passed ? livenessCheck : null;
      if (asked) passed = assessLiveness(samples, asked).checks.includes(asked);
      prompts.next(wantedGuide(problem, enough() && !passed ? asked : null), picture.time);
      const last = candidates.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
      if (problem || picture.time - last < PACE || (enough() && isAsked(livenessCheck) && !passed))
        return null;
      pending = { time: picture.time, quality };
      return picture.faces[0] ?? null;
    },
    keep(descriptor) {
      if (pending) candidates = [...candidates, { ...pending, descriptor }].slice(-MOST);
      pending = undefined;
      if (this.done) prompts.next('done', track?.time ?? 0);
    },
    get guide() {
      return prompts.shown;
    },
    get progress() {
      const share = Math.min(1, select(candidates, count).length / count);
      return livenessCheck === 'off' ? share : (share + checked()) / 2;
    },
    get done() {
      return enough() && checked() === 1;
    },
    result() {
      const taken = distinct(select(candidates, count));
      if (taken.length === 0) throw nothing(wrong);
      return {
        descriptors: taken.map(({ descriptor }) => descriptor),
        liveness: assessLiveness(samples, livenessCheck),
      };
    },
  };
}

/** @param asked what the person has still to do, when there are pictures enough */
function wantedGuide(problem: Guide | 'no_face' | null, asked: 'blink' | 'turn' | null): Guide {
  if (problem === 'no_face') return 'look_here';
  const moving = problem === 'face_front' || problem === 'hold_still';
  if (asked && (!problem || moving)) return asked === 'blink' ? 'blink' : 'turn_head';
  return problem ?? 'look_here';
}

/** What was wrong most often at last. */
function nothing(wrong: readonly (Guide | 'no_face')[]): FaceSignInError {
  const counts = new Map<string, number>();
  for (const one of wrong) if (one !== 'done') counts.set(one, (counts.get(one) ?? 0) + 1);
  const [most = 'no_face'] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const codes = { one_person: 'several_faces', more_light: 'too_dark', come_closer: 'too_far' } as const;
  const code = most in codes ? codes[most as keyof typeof codes] : 'no_face';
  return new FaceSignInError(code, { detail: `no picture was good enough; most often: ${most}` });
}

function areaOf({ box }: DetectedFace): number {
  return box.width * box.height;
}

function overlapOf(a: DetectedFace, b: DetectedFace): number {
  const width = Math.min(a.box.x + a.box.width, b.box.x + b.box.width) - Math.max(a.box.x, b.box.x);
  const height = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (areaOf(a) + areaOf(b) - shared);
}
