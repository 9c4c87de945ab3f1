/**
 * The logic of one capture, without camera, canvas or clock. From what each picture shows it decides which to describe,
 * which prompt to show, when there are enough, and with which error to fail. All descriptors and landmarks belong to
 * one face, tracked from picture to picture. If the face is lost or jumps, everything starts again, so that one
 * person's blink never counts for another; an enrollment gets back the views it had if the next descriptor shows the
 * same person. Held by test/sdk/capture-session.test.ts, test/sdk/capture-problems.test.ts and, for enrollments,
 * test/sdk/capture-variety.test.ts and test/sdk/capture-again.test.ts.
 */
import { assessLiveness, type Sample } from '../liveness/assess.ts';
import { type BlinkCounter, blinkCounter, opennessOf } from '../liveness/blink.ts';
import { isAsked, type LivenessCheck } from '../liveness/check.ts';
import type { Captured, CaptureProgress, DetectedFace, Guide } from '../types.ts';
import { isMoving, isSame, isSecond, type Track } from './follow.ts';
import { prompter } from './guide.ts';
import { mayMove, type Problem, tally, wantedGuide } from './problems.ts';
import { judge, judgeEmpty, LIMITS, type Light, type Look, lookAt } from './quality.ts';
import {
  type Candidate,
  countVaried,
  distinct,
  isOfOne,
  kept,
  type Stance,
  select,
  selectVaried,
} from './select.ts';
import { type Turns, turns } from './turns.ts';

export interface SessionOptions {
  /** Number of descriptors; with `variety`, the maximum. */
  readonly count: number;
  readonly livenessCheck: LivenessCheck;
  /** For an enrollment: asks the person to turn a little, so that the pictures differ. */
  readonly variety?: boolean;
  /** What an enrollment that failed had. It counts once a picture shows the same person. */
  readonly views?: Views | undefined;
  /** Time limit in milliseconds, for `isOver`. Default: 15,000. */
  readonly timeoutMs?: number;
}

/** What an enrollment has of one person so far. */
export interface Views {
  readonly candidates: readonly Candidate[];
  readonly turns: Turns;
  readonly blinks: BlinkCounter;
}

/** The contents of one picture. */
export interface Picture {
  /** Milliseconds. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly DetectedFace[];
  /** The light on the largest face, or where one belongs. Null if the face is outside the picture. */
  readonly light: Light | null;
  /** The light of the whole picture. Default: the other one. */
  readonly around?: Light | null;
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
  /**
   * Whether the time is over, this many milliseconds after the first picture. A slow device gets more time, until it
   * has had enough pictures, but not without end.
   */
  isOver(elapsed: number): boolean;
  /** What a next attempt can go on with. Only of an enrollment. */
  readonly kept: Views | undefined;
  /** Call it when done, or when the time is over. @throws FaceSignInError if there is no good picture */
  result(): Captured;
}

/** How long to watch natural motion, in milliseconds. */
export const WATCH = 1_500;
/** Least time between two descriptors, in milliseconds. */
const PACE = 100;
/** Samples kept for liveness: about 30 seconds. */
const SAMPLES = 400;
/** An enrollment may end with this many different pictures. */
const LEAST = 3;
/** After this many milliseconds of good pictures it ends with fewer. */
export const LONGEST = 9_000;
/** Everybody gets this many pictures, */
export const PICTURES = 35;
/** unless they take this many times the time limit. */
export const SLOWEST = 3;

export function session(options: SessionOptions): Session {
  const { count, livenessCheck, variety = false, timeoutMs = 15_000 } = options;
  const prompts = prompter();
  const problems = tally();
  const least = Math.min(LEAST, count);
  let candidates: readonly Candidate[] = [];
  let samples: Sample[] = [];
  let track: Track | undefined;
  let before = Number.NEGATIVE_INFINITY;
  let pending: { readonly time: number; readonly quality: number; stance(): Stance } | undefined;
  let passed = false;
  /** Of the person who was there before. */
  let earlier = variety ? options.views : undefined;
  let views = turns();
  let blinks = blinkCounter();

  const viewsNow = () => (candidates.length > 0 ? { candidates, turns: views, blinks } : earlier);

  /** @returns whether the face has moved since the picture before */
  function follow(face: DetectedFace, time: number): boolean {
    const same = track && isSame(track, face, time, before);
    const moved = !track || !same || isMoving(track, face);
    if (!same) {
      if (variety) earlier = viewsNow();
      candidates = [];
      samples = [];
      passed = false;
      views = turns();
      blinks = blinkCounter();
    }
    track = { face, time, since: same && track ? track.since : time };
    if (face.landmarks.length !== 68) return moved;
    samples = [...samples.slice(1 - SAMPLES), { time, landmarks: face.landmarks }];
    blinks.see({ time, shape: face.landmarks });
    return moved;
  }

  /** A descriptor shows whether the person of before is back. */
  function recall(descriptor: readonly number[]): void {
    if (earlier && isOfOne(descriptor, earlier.candidates)) ({ candidates, turns: views, blinks } = earlier);
    earlier = undefined;
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
      const around = picture.around ?? light;
      const [face, second] = faces;
      pending = undefined;
      let problem: Problem | null = null;
      let quality = 0;
      let look: Look | undefined;
      if (!face) problem = light && around ? judgeEmpty(light, around, prompts.shown) : 'no_face';
      else if (isSecond(second, face)) problem = 'several_faces';
      else if (!light) problem = 'face_cut_off';
      else {
        const moved = follow(face, time);
        look = lookAt(face, picture, light, around?.brightness);
        ({ problem, quality } = judge(look, prompts.shown));
        if (problem === 'blurred' && moved) problem = 'moving';
        if (mayMove(problem)) views.see(look.pose?.yaw ?? null, time);
      }
      problems.add(problem, face !== undefined);
      before = time;

      const check = isAsked(livenessCheck) && !passed ? livenessCheck : null;
      if (check) passed = assessLiveness(samples, check).checks.includes(check);
      const waiting = check !== null && !passed && enough();
      const yaw = look?.pose?.yaw ?? 0;
      const tooFar = Math.abs(yaw) > LIMITS.yaw.most && views.wants(views.sideOf(yaw));
      const side = variety ? views.asked : null;
      prompts.next(wantedGuide(problem, { check: waiting ? check : null, side, tooFar }), time);

      const last = candidates.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
      if (problem || !face || !look || time - last < PACE || waiting) return null;
      const seen = look;
      pending = { time, quality, stance: () => stanceOf(face, seen) };
      return face;
    },
    keep(descriptor) {
      if (pending) {
        recall(descriptor);
        const { time, quality } = pending;
        const stance = variety ? pending.stance() : undefined;
        candidates = kept(
          [...candidates, { time, quality, descriptor, ...(stance && { stance }) }],
          chosen(),
        );
        if (stance) views.keep(stance.side);
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
    isOver(elapsed) {
      if (elapsed < timeoutMs) return false;
      return problems.pictures >= PICTURES || elapsed >= SLOWEST * timeoutMs;
    },
    get kept() {
      return variety ? viewsNow() : undefined;
    },
    result() {
      const taken = distinct(chosen());
      if (taken.length === 0) throw problems.error();
      return {
        descriptors: taken.map(({ descriptor }) => descriptor),
        liveness: assessLiveness(samples, livenessCheck),
      };
    },
  };
}
