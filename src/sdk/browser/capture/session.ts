/**
 * The course of one capture, without camera, canvas or clock: it is told what each picture shows and says which to describe, what
 * to tell the person, when there is enough, and what was wrong when there never is. All descriptors and landmarks
 * belong to one face that was followed from picture to picture: when it is lost or jumps, everything starts again,
 * so that nobody lends another one a blink. Held by test/sdk/capture-session.test.ts; the course of an enrolment by
 * test/sdk/capture-variety.test.ts.
 */
import { assessLiveness, type Sample } from '../liveness/assess.ts';
import { blinkCounter, opennessOf } from '../liveness/blink.ts';
import { isAsked, type LivenessCheck } from '../liveness/check.ts';
import type { Captured, CaptureProgress, DetectedFace, Guide } from '../types.ts';
import { isSame, isSecond, type Track } from './follow.ts';
import { prompter } from './guide.ts';
import { noPicture, type Problem, wantedGuide } from './prompts.ts';
import { judge, LIMITS, type Light, type Look, lookAt } from './quality.ts';
import { type Candidate, countVaried, distinct, kept, type Stance, select, selectVaried } from './select.ts';
import { turns } from './turns.ts';

export interface SessionOptions {
  /** Descriptors wanted; with `variety` the most that are. */
  readonly count: number;
  readonly livenessCheck: LivenessCheck;
  /** Whether the pictures are to differ, for an enrolment: the person is asked to turn a little. */
  readonly variety?: boolean;
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
  /** With `variety`. */
  readonly views: CaptureProgress['views'];
  readonly done: boolean;
  /** What there is, when it is enough or time is over. @throws FaceSignInError when there is nothing */
  result(): Captured;
}

/** How long natural motion is watched, in milliseconds. */
export const WATCH = 1_500;
/** Least time between two descriptions. */
const PACE = 100;
/** Samples kept for liveness: about 30 seconds. */
const SAMPLES = 400;
/** How many of the last pictures say what was wrong. */
const RECENT = 12;
/** An enrolment with so many that differ may end; after so many milliseconds of good pictures it ends with fewer. */
const LEAST = 3;
export const LONGEST = 9_000;

export function session({ count, livenessCheck, variety = false }: SessionOptions): Session {
  const prompts = prompter();
  const wrong: (Problem | null)[] = [];
  const least = Math.min(LEAST, count);
  let candidates: readonly Candidate[] = [];
  let samples: Sample[] = [];
  let track: Track | undefined;
  let pending: Omit<Candidate, 'descriptor'> | undefined;
  let passed = false;
  let views = turns();
  let blinks = blinkCounter();

  function follow(face: DetectedFace, time: number): void {
    const same = track && isSame(track, face, time);
    if (!same) {
      candidates = [];
      samples = [];
      passed = false;
      views = turns();
      blinks = blinkCounter();
    }
    track = { face, time, since: same && track ? track.since : time };
    if (face.landmarks.length !== 68) return;
    samples = [...samples.slice(1 - SAMPLES), { time, landmarks: face.landmarks }];
    blinks.see({ time, shape: face.landmarks });
  }

  const chosen = () => (variety ? selectVaried(candidates, count, least) : select(candidates, count));
  function enough(): boolean {
    if (!variety) return chosen().length === count;
    if (countVaried(candidates) >= count) return true;
    if (views.asked !== null) return false;
    // Of those that lie close together in time more may still come that do not.
    return (
      selectVaried(candidates, count, 0).length >= least || (views.waited >= LONGEST && candidates.length > 0)
    );
  }
  const watched = () => (track ? Math.min(1, (track.time - track.since) / WATCH) : 0);
  const checked = () => {
    if (livenessCheck === 'off') return 1;
    return isAsked(livenessCheck) ? Number(passed) : watched();
  };

  function stanceOf({ box, landmarks }: DetectedFace, { pose }: Look): Stance {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const eyes = landmarks.length === 68 ? opennessOf(landmarks) : null;
    return { side: views.sideOf(pose?.yaw ?? null), pose, x, y, size: box.width, eyes, blinks: blinks.count };
  }

  return {
    see(picture) {
      const { time, faces, light } = picture;
      const [face, second] = faces;
      pending = undefined;
      let problem: Problem | null = null;
      let quality = 0;
      let look: Look | undefined;
      if (!face || !light) problem = 'no_face';
      else if (isSecond(second, face)) problem = 'one_person';
      else {
        follow(face, time);
        look = lookAt(face, picture, light);
        ({ problem, quality } = judge(look, prompts.shown));
        if (!problem || problem === 'face_front' || problem === 'hold_still')
          views.see(look.pose?.yaw ?? null, time);
      }
      wrong.push(problem);
      if (wrong.length > RECENT) wrong.shift();

      const check = isAsked(livenessCheck) && !passed ? livenessCheck : null;
      if (check) passed = assessLiveness(samples, check).checks.includes(check);
      const waiting = check !== null && !passed && enough();
      const yaw = look?.pose?.yaw ?? 0;
      const tooFar = Math.abs(yaw) > LIMITS.yaw.most && views.wants(views.sideOf(yaw));
      const side = variety ? views.asked : null;
      prompts.next(wantedGuide(problem, { check: waiting ? check : null, side, tooFar }), time);

      const last = candidates.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
      if (problem || !face || !look || time - last < PACE || waiting) return null;
      pending = { time, quality, ...(variety && { stance: stanceOf(face, look) }) };
      return face;
    },
    keep(descriptor) {
      if (pending) {
        candidates = kept([...candidates, { ...pending, descriptor }], chosen());
        if (pending.stance) views.keep(pending.stance.side);
      }
      pending = undefined;
      if (this.done) prompts.next('done', track?.time ?? 0);
    },
    get guide() {
      return prompts.shown;
    },
    get views() {
      return variety ? views.views.map(({ side, done }) => ({ side, done: done || this.done })) : undefined;
    },
    get progress() {
      if (this.done) return 1;
      // The views of an enrolment take longer than watching does.
      if (variety) return isAsked(livenessCheck) ? (views.progress + checked()) / 2 : views.progress;
      const share = Math.min(1, chosen().length / count);
      return livenessCheck === 'off' ? share : (share + checked()) / 2;
    },
    get done() {
      return enough() && checked() === 1;
    },
    result() {
      const taken = distinct(chosen());
      if (taken.length === 0) throw noPicture(wrong);
      return {
        descriptors: taken.map(({ descriptor }) => descriptor),
        liveness: assessLiveness(samples, livenessCheck),
      };
    },
  };
}
