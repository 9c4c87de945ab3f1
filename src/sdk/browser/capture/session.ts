/**
 * The logic of one capture, without camera, canvas or clock. From what each picture shows it decides which to describe,
 * which prompt to show, when there are enough, and with which error to fail. All descriptors and landmarks belong to
 * one face, tracked from picture to picture. If the face is lost or jumps, everything starts again, so that one
 * person's blink never counts for another; an enrollment gets back the pictures it had if the next descriptor shows the
 * same person. Held by test/sdk/capture-session.test.ts, test/sdk/capture-problems.test.ts and, for enrollments,
 * test/sdk/capture-enrollment.test.ts and test/sdk/capture-select.test.ts.
 */
import { assessLiveness, type Sample } from '../liveness/assess.ts';
import type { Captured, DetectedFace, Guide, Rated } from '../types.ts';
import { isAsked, type LivenessCheck } from '../types.ts';
import { isMoving, isSame, isSecond, type Track } from './follow.ts';
import { type Problem, prompter, tally, wantedGuide } from './problems.ts';
import { judge, judgeEmpty, type Light, lookAt, type Verdict } from './quality.ts';
import { APART, type Candidate, distinct, isOfOne, ofOnePerson, select, withoutWorst } from './select.ts';

export interface SessionOptions {
  /** Number of pictures; for an enrollment, the maximum. */
  readonly count: number;
  readonly livenessCheck: LivenessCheck;
  /** Whether the pictures are of one person and become templates. */
  readonly enrollment?: boolean;
  /** Whether the encoder rates pictures. It then decides which can be used. */
  readonly rated?: boolean;
  /** Whether the pictures become one descriptor: then fewer than `count` will do after a while. */
  readonly mean?: boolean;
  /** What an enrollment that failed had. It counts once a picture shows the same person. */
  readonly kept?: readonly Candidate[] | undefined;
  /** Time limit in milliseconds, for `isOver`. Default: 15,000. */
  readonly timeoutMs?: number;
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
  /** @returns the face to describe if this picture may be good enough */
  see(picture: Picture): DetectedFace | null;
  /** @param rated the descriptor of the face that `see` returned last, and its quality if the encoder rates */
  keep(rated: { readonly descriptor: readonly number[]; readonly quality?: Rated['quality'] }): void;
  readonly guide: Guide;
  /** 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
  /**
   * Whether the time is over, this many milliseconds after the first picture. A slow device gets more time, until it
   * has had enough pictures, but not without end.
   */
  isOver(elapsed: number): boolean;
  /** What a next attempt can go on with. Only of an enrollment. */
  readonly kept: readonly Candidate[] | undefined;
  /** Call it when done, or when the time is over. @throws FaceSignInError if there is no good picture */
  result(): Captured;
}

/** How long to watch natural motion, and how long a sign-in waits for a good picture, in milliseconds. */
export const WATCH = 1_500;
/** Detectors miss one of two people now and then: a person is alone after this many milliseconds and one picture. */
const ALONE = 1_000;
/** Samples kept for liveness: about 30 seconds. */
const SAMPLES = 400;
/** An enrollment may end with this many good pictures, */
const LEAST = 3;
/** this many milliseconds after the first one. */
export const LONGEST = 4_000;
/** Everybody gets this many pictures, */
export const PICTURES = 35;
/** unless they take this many times the time limit. */
export const SLOWEST = 3;
/** What no quality makes good: whose face it would be, or one that passes in the distance. */
const HARD: readonly (Problem | null)[] = ['several_faces', 'too_far'];
/** What makes a picture weak for an enrollment, whatever its quality. */
const ASKEW: readonly (Problem | null)[] = ['face_turned', 'too_near'];

interface Pending {
  readonly time: number;
  readonly verdict: Verdict;
  readonly moved: boolean;
}

export function session(options: SessionOptions): Session {
  const {
    count,
    livenessCheck,
    enrollment = false,
    rated = false,
    mean = false,
    timeoutMs = 15_000,
  } = options;
  const prompts = prompter();
  const problems = tally();
  const least = Math.min(LEAST, count);
  let candidates: readonly Candidate[] = [];
  /** Of the candidates, those that would be sent now. */
  let chosen: readonly Candidate[] = [];
  let samples: Sample[] = [];
  let track: Track | undefined;
  let before = Number.NEGATIVE_INFINITY;
  /** When two people were seen last. */
  let crowded = Number.NaN;
  let pending: Pending | undefined;
  let passed = false;
  /** Of the person who was there before. */
  let earlier = enrollment ? options.kept : undefined;

  /** Choosing compares every pair, so it is done once for each change. */
  function hold(now: readonly Candidate[]): void {
    candidates = now;
    chosen = chooseFrom(now);
  }
  function chooseFrom(all: readonly Candidate[]): Candidate[] {
    if (!enrollment) return select(mean ? ofOnePerson(all) : all, count, APART.signIn);
    const good = all.filter(({ isGood }) => isGood);
    return select(ofOnePerson(good.length > 0 ? good : all), count, APART.enrollment);
  }
  function forget(): void {
    if (enrollment && candidates.length > 0) earlier = candidates;
    hold([]);
    samples = [];
    passed = false;
    track = undefined;
  }
  /** @returns whether the face has moved since the picture before */
  function follow(face: DetectedFace, time: number): boolean {
    const same = track && isSame(track, face, time, before);
    const moved = !track || !same || isMoving(track, face);
    if (!same) forget();
    track = { face, time, since: same && track ? track.since : time };
    if (face.landmarks.length === 68)
      samples = [...samples.slice(1 - SAMPLES), { time, landmarks: face.landmarks }];
    return moved;
  }

  const age = () => (track ? track.time - track.since : 0);
  function goodFor(): number {
    const first = candidates.find(({ isGood }) => isGood);
    return first && track ? track.time - first.time : 0;
  }
  function enough(): boolean {
    const areGood = chosen.length > 0 && chosen.every(({ isGood }) => isGood);
    if (areGood && chosen.length === count) return true;
    if (enrollment) return areGood && chosen.length >= least && goodFor() >= LONGEST;
    return age() >= WATCH && chosen.length >= (mean && age() >= 2 * WATCH ? 1 : count);
  }
  const checked = () => {
    if (livenessCheck === 'off') return 1;
    return isAsked(livenessCheck) ? Number(passed) : Math.min(1, age() / WATCH);
  };

  function settle(problem: Problem | null, isFace: boolean, time: number): void {
    problems.add(problem, isFace);
    prompts.next(wantedGuide(problem, isWaiting() ? (livenessCheck as 'blink' | 'turn') : null), time);
  }
  /** Whether only a movement is missing. */
  const isWaiting = () => isAsked(livenessCheck) && !passed && enough();

  return {
    see(picture) {
      const { time, faces, light } = picture;
      const around = picture.around ?? light;
      const [face, second] = faces;
      pending = undefined;
      let problem: Problem | null = null;
      if (!face) problem = light && around ? judgeEmpty(light, around, prompts.shown) : 'no_face';
      else if (isSecond(second, face)) {
        problem = 'several_faces';
        crowded = time;
        forget();
      } else if (time - crowded <= ALONE || crowded === before) problem = 'several_faces';
      else if (!light) problem = 'face_cut_off';
      else {
        const moved = follow(face, time);
        const verdict = judge(lookAt(face, picture, light, around?.brightness), prompts.shown);
        problem = verdict.problem === 'blurred' && moved ? 'moving' : verdict.problem;
        pending = { time, verdict, moved };
      }
      before = time;
      if (isAsked(livenessCheck) && !passed)
        passed = assessLiveness(samples, livenessCheck).checks.includes(livenessCheck);
      if (pending && !isWaiting() && (problem === null || (rated && !HARD.includes(problem))))
        return face as DetectedFace;
      pending = undefined;
      settle(problem, face !== undefined, time);
      return null;
    },
    keep({ descriptor, quality }) {
      if (!pending) return;
      const { time, verdict, moved } = pending;
      pending = undefined;
      const one = { time, descriptor, quality: quality ?? verdict.quality };
      const isWeak = quality !== undefined && !(quality >= 1);
      const isAskew = enrollment && ASKEW.includes(verdict.problem);
      // NaN fails too. What is no face does not tell whose pictures the earlier ones are.
      if (one.quality >= 0) {
        if (earlier && isOfOne(descriptor, earlier)) hold(earlier);
        earlier = undefined;
        hold(withoutWorst([...candidates, { ...one, isGood: !isWeak && !isAskew }], chosen));
      }
      const wrong = verdict.weakest === 'blurred' && moved ? 'moving' : (verdict.weakest ?? 'face_unclear');
      settle(isWeak ? wrong : isAskew ? verdict.problem : null, true, time);
      if (this.done) prompts.next('done', time);
    },
    get guide() {
      return prompts.shown;
    },
    get progress() {
      if (this.done) return 1;
      const share = Math.min(1, chosen.filter(({ isGood }) => isGood).length / count);
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
      if (!enrollment) return undefined;
      return candidates.length > 0 ? candidates : earlier;
    },
    result() {
      const taken = distinct(chosen);
      if (taken.length === 0) throw problems.error();
      return {
        descriptors: taken.map(({ descriptor }) => descriptor),
        liveness: assessLiveness(samples, livenessCheck),
      };
    },
  };
}
