/**
 * Rates a picture of a face by its size, sharpness, light and the direction of the head. An encoder that rates pictures
 * itself knows better which ones can be used; then this only finds what the person could change. It only computes, so
 * it runs and is tested anywhere. The limits are mild, because a capture takes the best pictures. Held by
 * test/sdk/quality.test.ts.
 */
import type { Pose } from '../liveness/pose.ts';
import { poseOf } from '../liveness/pose.ts';
import type { DetectedFace, Guide } from '../types.ts';
import { PROBLEMS, type Problem } from './problems.ts';

/** Pixels of a canvas: four bytes each, red, green, blue and alpha. */
export interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

export interface Light {
  /** Mean brightness, 0 to 255. */
  readonly brightness: number;
  /** Standard deviation of the brightness. */
  readonly contrast: number;
  /**
   * Variance of the Laplacian over variance of the brightness. Blur lowers it, noise raises it, light does not matter.
   */
  readonly sharpness: number;
  /** Share of overexposed pixels. */
  readonly clipped: number;
}

export interface Look extends Light {
  /** The longer side of the face over the shorter side of the frame. */
  readonly share: number;
  /** The face's width in pixels of the frame. */
  readonly width: number;
  /** Distance of the face from the edge of the frame, in widths of the face. Below 0 it is cut off. */
  readonly edge: number;
  /** Null if the encoder has no landmarks; then it is not rated. */
  readonly pose: Pose | null;
  /** Mean brightness of the whole picture. */
  readonly around: number;
}

export interface Verdict {
  /** What is wrong. */
  readonly problem: Problem | null;
  /** What could be better, also if nothing is wrong. */
  readonly weakest: Problem | null;
  /** 0 to 1; 0 when there is a problem. */
  readonly quality: number;
}

/** Measured, see README.md. From `good` on nothing is lost; a problem begins at the other limit. */
export const LIMITS = {
  share: { least: 0.16, good: 0.3, most: 0.98 },
  width: { least: 50, good: 100 },
  edge: { least: 0.02, good: 0.1 },
  brightness: { least: 30, good: 60, bright: 205, most: 230 },
  clipped: { good: 0.12, most: 0.3 },
  contrast: { least: 8, good: 20 },
  sharpness: { least: 0.005, good: 0.03, noisy: 0.5, most: 2 },
  yaw: { good: 8, most: 22 },
  pitch: { good: 12, most: 26 },
  roll: { good: 5, most: 20 },
} as const;
/**
 * The same without a face, from 12 faces of sample photos that the detector no longer found: darkened, the middle was
 * below 43 and the picture below 38; overexposed, half of the middle was clipped; blurred, the picture's sharpness was
 * at most 0.05, otherwise 0.24 or more. `lit` and the last two are of the whole picture.
 */
const EMPTY = { dark: 50, noisy: 90, clipped: 0.5, lit: 70, sharpness: 0.1, contrast: 25 } as const;
/** A dark face or middle is one against the light if the whole picture is this much brighter. */
const BACKLIT = 60;
/** Brightness from which a pixel counts as overexposed. Noise and compression often keep it below 255. */
const CLIPPED = 250;
/** A face that is cut off is too close from this share of the frame on, and off-centre below it. */
const LARGE = 0.75;
/** A part below this, of 1, could be better. */
const WEAK = 0.7;
/** A problem that is shown ends only when it is past its limit by this share. */
const MARGIN = 0.12;

/** The middle of a face, without hair and background, in which light and sharpness are measured. */
export function middleOf({ box }: Pick<DetectedFace, 'box'>) {
  const side = 0.7 * Math.min(box.width, box.height);
  return {
    x: box.x + (box.width - side) / 2,
    y: box.y + (box.height - side) / 2,
    width: side,
    height: side,
  };
}

export function lightOf({ data, width, height }: Pixels): Light {
  const grey = new Float64Array(width * height);
  for (let i = 0; i < grey.length; i++)
    grey[i] = 0.299 * at(data, 4 * i) + 0.587 * at(data, 4 * i + 1) + 0.114 * at(data, 4 * i + 2);
  const edges: number[] = [];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const around = at(grey, i - 1) + at(grey, i + 1) + at(grey, i - width) + at(grey, i + width);
      edges.push(4 * at(grey, i) - around);
    }
  const all = spreadOf(grey);
  return {
    brightness: all.mean,
    contrast: Math.sqrt(all.variance),
    sharpness: all.variance < 1e-9 ? 0 : spreadOf(edges).variance / all.variance,
    clipped: grey.reduce((count, value) => count + Number(value >= CLIPPED), 0) / Math.max(1, grey.length),
  };
}

/** The largest square in the middle of a picture. */
export function squareIn({ width, height }: { width: number; height: number }) {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side };
}

/** @param around mean brightness of the whole picture */
export function lookAt(
  face: DetectedFace,
  frame: { width: number; height: number },
  light: Light,
  around = light.brightness,
): Look {
  const { width, height } = face.box;
  return {
    ...light,
    around,
    edge: edgeOf(face, frame),
    share: Math.max(width, height) / Math.min(frame.width, frame.height),
    width,
    pose: poseOf(face.landmarks),
  };
}

/** Uses the landmarks, which include jaw and brows. Without any it uses the box, which is larger than the face. */
function edgeOf({ box, landmarks }: DetectedFace, frame: { width: number; height: number }): number {
  const corners = [0.1, 0.9].map(at => ({ x: box.x + at * box.width, y: box.y + at * box.height }));
  let nearest = Number.POSITIVE_INFINITY;
  for (const { x, y } of landmarks.length > 0 ? landmarks : corners)
    nearest = Math.min(nearest, x, y, frame.width - x, frame.height - y);
  return nearest / box.width;
}

/** @param shown the current prompt: its problem must be clearly over before it counts as over */
export function judge(look: Look, shown: Guide | null = null): Verdict {
  const problem = problemOf(look, shown);
  if (problem) return { problem, weakest: problem, quality: 0 };
  const { pose } = look;
  const { share, width, brightness, clipped, edge, contrast, sharpness } = LIMITS;
  const parts: readonly (readonly [Problem, number])[] = [
    ['too_far', rising(look.share, share)],
    ['too_far', rising(look.width, width)],
    ['too_dark', rising(look.brightness, brightness)],
    ['too_bright', falling(look.brightness, brightness.bright, brightness.most)],
    ['too_bright', falling(look.clipped, clipped.good, clipped.most)],
    [look.share > LARGE ? 'too_near' : 'face_cut_off', rising(look.edge, edge)],
    ['too_dark', rising(look.contrast, contrast)],
    ['blurred', rising(look.sharpness, sharpness)],
    ['too_dark', falling(look.sharpness, sharpness.noisy, sharpness.most)],
    ...(['yaw', 'pitch', 'roll'] as const).map(
      angle =>
        [
          'face_turned',
          falling(Math.abs(pose?.[angle] ?? 0), LIMITS[angle].good, LIMITS[angle].most),
        ] as const,
    ),
  ];
  const [weakest, least] = parts.reduce((worst, part) => (part[1] < worst[1] ? part : worst));
  return {
    problem: null,
    weakest: least < WEAK ? weakest : null,
    // Each counts half, so several small faults weigh more than one, and no single one makes a picture worthless.
    quality: parts.reduce((product, [, part]) => product * (0.5 + 0.5 * part), 1),
  };
}

/** A limit is stricter while its prompt is shown. */
function limits(shown: Guide | null) {
  const isShown = (problem: Problem) => PROBLEMS[problem] === shown;
  return {
    isShown,
    more: (problem: Problem) => (isShown(problem) ? 1 + MARGIN : 1),
    less: (problem: Problem) => (isShown(problem) ? 1 - MARGIN : 1),
  };
}

function problemOf(look: Look, shown: Guide | null): Problem | null {
  const { more, less, isShown } = limits(shown);
  const near = more('too_far');
  if (look.share < LIMITS.share.least * near || look.width < LIMITS.width.least * near) return 'too_far';
  const { brightness, contrast, sharpness } = look;
  const [dark, against] = [more('too_dark'), more('backlit')];
  if (
    brightness < LIMITS.brightness.least * Math.max(dark, against) ||
    contrast < LIMITS.contrast.least * dark
  )
    return look.around - brightness > BACKLIT ? 'backlit' : 'too_dark';
  // Camera noise comes from too little light.
  if (sharpness > LIMITS.sharpness.most * less('too_dark')) return 'too_dark';
  const most = less('too_bright');
  if (brightness > LIMITS.brightness.most * most || look.clipped > LIMITS.clipped.most * most)
    return 'too_bright';
  if (look.share > LIMITS.share.most * less('too_near')) return 'too_near';
  // A large face reaches the edge even in the middle.
  const edge = LIMITS.edge.least + (isShown('too_near') || isShown('face_cut_off') ? MARGIN / 2 : 0);
  if (look.edge < edge) return look.share > LARGE ? 'too_near' : 'face_cut_off';
  const front = less('face_turned');
  const { pose } = look;
  for (const angle of ['yaw', 'pitch', 'roll'] as const)
    if (pose && Math.abs(pose[angle]) > LIMITS[angle].most * front) return 'face_turned';
  const still = Math.max(more('moving'), more('blurred'));
  return sharpness < LIMITS.sharpness.least * still ? 'blurred' : null;
}

/**
 * What is wrong with a picture in which no face was found: often it is the light.
 * @param middle the light where a face belongs
 * @param around that of the whole picture
 */
export function judgeEmpty(middle: Light, around: Light, shown: Guide | null = null): Problem {
  const { more, less } = limits(shown);
  const { brightness, sharpness, clipped } = middle;
  if (brightness < EMPTY.dark * Math.max(more('too_dark'), more('backlit'))) {
    if (around.brightness - brightness > BACKLIT * less('backlit')) return 'backlit';
    if (around.brightness < EMPTY.lit * more('too_dark')) return 'too_dark';
  }
  if (brightness < EMPTY.noisy && sharpness > LIMITS.sharpness.most * less('too_dark')) return 'too_dark';
  if (clipped > EMPTY.clipped * less('too_bright')) return 'too_bright';
  // A plain wall has nothing in it that could be sharp.
  const isBlurred = around.sharpness < EMPTY.sharpness * more('blurred') && around.contrast > EMPTY.contrast;
  return isBlurred ? 'blurred' : 'no_face';
}

/** The middle of where a face belongs: half as high as the picture. */
export function middleOfPicture(frame: { width: number; height: number }) {
  const { x, y, width: side } = squareIn(frame);
  return middleOf({ box: { x: x + side / 4, y: y + side / 4, width: side / 2, height: side / 2 } });
}

/** 0 at `least`, 1 from `good` on. */
function rising(value: number, { least, good }: { least: number; good: number }): number {
  return Math.min(1, Math.max(0, (value - least) / (good - least)));
}

/** 1 up to `good`, 0 from `most` on. */
function falling(value: number, good: number, most: number): number {
  return 1 - rising(value, { least: good, good: most });
}

function spreadOf(values: ArrayLike<number>): { mean: number; variance: number } {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < values.length; i++) sum += at(values, i);
  const mean = sum / Math.max(1, values.length);
  for (let i = 0; i < values.length; i++) squares += (at(values, i) - mean) ** 2;
  return { mean, variance: squares / Math.max(1, values.length) };
}

function at(values: ArrayLike<number>, i: number): number {
  return values[i] as number;
}
