/**
 * The logic of one capture, without camera, canvas or clock. From what each picture shows it decides which to describe,
 * which prompt to show, when there are enough, and with which error to fail. All descriptors and landmarks belong to
 * one face, tracked from picture to picture. If the face is lost or jumps, everything starts again, so that one
 * person's blink never counts for another. Held by test/sdk/capture-session.test.ts; enrollments by
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
  /** Number of descriptors; with `variety`, the maximum. */
  readonly count: number;
  readonly livenessCheck: LivenessCheck;
  /** For an enrollment: asks the person to turn a little, so that the pictures differ. */
  readonly variety?: boolean;
}

/** The contents of one picture. */
export interface Picture {
  /** Milliseconds. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
  /** The light on the largest face. */
  readonly light: Light | null;
}

export interface Session {
  /** @returns the face to describe if this picture is good enough */
  see(picture: Picture): DetectedFace | null;
  /** @param descriptor of the face that `see` returned last */
  keep(descriptor: readonly number[]): void;
  readonly guide: Guide;
  /** 0 to 1. */
  readonly progress: number;
  /** With `variety`. */
  readonly views: CaptureProgress['views'];
  readonly done: boolean;
  /** Call it when done, or at the time limit. @throws FaceSignInError if there is no good picture */
  result(): Captured;
}

/** How long to watch natural motion, in milliseconds. */
export const WATCH = 1_500;
/** Least time between two descriptors, in milliseconds. */
const PACE = 100;
/** Samples kept for liveness: about 30 seconds. */
const SAMPLES = 400;
/** The number of last pictures whose problems choose the error. */
const RECENT = 12;
/** An enrollment may end with this many different pictures. */
const LEAST = 3;
/** After this many milliseconds of good pictures it ends with fewer. */
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
    // Pictures that are close together in time do not count: better ones may still come.
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
      // The views of an enrollment take longer than watching.
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
