/**
 * A capture opens the camera, checks one picture after another until there are enough good ones, and returns only
 * descriptors and liveness. One canvas holds one picture at a time. However the capture ends, the canvas is wiped and
 * the camera is stopped. It sends nothing. Held by test/browser/capture.test.ts and
 * test/browser/capture-problems.test.ts; session.ts decides its course.
 */

import { encoderFailed } from '../encoders/loading.ts';
import { contextOf, type Region, squareOf, wipe } from '../encoders/pixels.ts';
import { FaceSignInError } from '../errors.ts';
import { orAborted, throwIfAborted } from '../thrown.ts';
import type { Captured, CaptureProgress, DetectedFace, FaceEncoder } from '../types.ts';
import { LIVENESS_CHECKS, type LivenessCheck } from '../types.ts';
import { CONSTRAINTS, checkPage, nextPicture, openCamera, show, stop, videoError } from './camera.ts';
import { type Light, lightOf, middleOf, middleOfPicture, squareIn } from './quality.ts';
import type { Candidate } from './select.ts';
import { type Session, session } from './session.ts';

export interface CaptureOptions {
  readonly encoder: FaceEncoder;
  /** Number of pictures, 1 to 10. The result has fewer if time runs out or the pictures do not differ. */
  readonly count: number;
  /**
   * For an enrollment: pictures of one person who looks straight. `count` is then the maximum; 3 are enough. Default:
   * false.
   */
  readonly enrollment?: boolean;
  /**
   * Whether the pictures become one descriptor; the encoder must have `mean`. Default: true for an enrollment if the
   * encoder can, otherwise false.
   */
  readonly mean?: boolean;
  /** Shows the camera during the capture. Default: an element that is not shown. */
  readonly video?: HTMLVideoElement;
  /** An open camera. The capture stops it at the end. */
  readonly stream?: MediaStream;
  /** The camera to open. Default: the front camera, at about 640 × 480. */
  readonly constraints?: MediaTrackConstraints;
  /** Default: `passive`. A person who does not blink or turn is not refused, but the score is low. */
  readonly livenessCheck?: LivenessCheck;
  /**
   * Time limit from the first picture on, in milliseconds. Default: 15,000. A slow device that has not had 35 pictures
   * by then gets up to three times as long.
   */
  readonly timeoutMs?: number;
  /**
   * Of an enrollment: where a capture leaves the descriptors it had. The next one with the same object goes on from
   * there, once it sees the same person. They are gone when it is aborted, and after two minutes.
   */
  readonly keep?: Kept;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CaptureProgress) => void;
}

export interface Kept {
  candidates?: readonly Candidate[] | undefined;
}

/** How long the descriptors of a capture that has ended are kept, in milliseconds. */
const KEPT_FOR = 120_000;
/** The longest side of a picture, in pixels. Larger ones are scaled down. */
export const LARGEST = 960;
/** Side of the square in which light and sharpness are measured, in pixels. */
const LIGHT_SIDE = 96;

/**
 * @throws FaceSignInError `insecure_page`, `camera_…`, `video_blocked`, `encoder_failed`, `offline`, `timeout` (a file
 * does not come), one of `PROBLEMS` (problems.ts), `aborted`
 */
export async function captureFaces(options: CaptureOptions): Promise<Captured> {
  let { stream } = options;
  let video: HTMLVideoElement | undefined;
  try {
    const { encoder, count, signal, onProgress, livenessCheck = 'passive', timeoutMs = 15_000 } = options;
    const { enrollment = false, mean = enrollment && encoder.mean !== undefined, keep } = options;
    if (!(Number.isInteger(count) && count >= 1 && count <= 10))
      throw new RangeError('count must be a whole number from 1 to 10');
    if (!LIVENESS_CHECKS.includes(livenessCheck))
      throw new RangeError(`livenessCheck must be one of ${LIVENESS_CHECKS.join(', ')}`);
    if (mean && !encoder.mean) throw new RangeError('mean: this encoder has no function mean');
    throwIfAborted(signal);
    if (!stream) checkPage();
    const report = (step: CaptureProgress['step'], progress: number, guide: CaptureProgress['guide']) =>
      onProgress?.({ step, progress, guide });

    report('loading', 0, 'look_here');
    const progress = (share: number) => report('loading', share, 'look_here');
    await asked(encoder.load({ onProgress: progress, ...(signal && { signal }) }), signal);

    report('camera', 0, 'look_here');
    stream ??= await openCamera(options.constraints ?? CONSTRAINTS, signal);
    video = options.video ?? document.createElement('video');
    const canvas = document.createElement('canvas');
    await start(video, stream, timeoutMs, signal);

    const rated = encoder.rate !== undefined;
    const kept = keep?.candidates;
    const course = session({ count, livenessCheck, enrollment, rated, mean, kept, timeoutMs });
    const began = performance.now();
    report('looking', 0, course.guide);
    try {
      while (!course.done && !course.isOver(performance.now() - began)) {
        throwIfAborted(signal);
        await orAborted(nextPicture(video), signal);
        checkCamera(stream);
        await look(video, canvas, encoder, course, signal);
        report('looking', course.progress, course.guide);
      }
    } finally {
      if (keep) leave(course.kept, keep, signal);
    }
    const captured = course.result();
    report('done', 1, 'done');
    return mean ? { ...captured, descriptors: [meanOf(encoder, captured.descriptors)] } : captured;
  } finally {
    stop(video, stream);
  }
}

/** Leaves the descriptors for the next attempt, for a while. */
function leave(kept: Kept['candidates'], keep: Kept, signal: AbortSignal | undefined): void {
  keep.candidates = signal?.aborted ? undefined : kept;
  if (keep.candidates)
    setTimeout(() => {
      if (keep.candidates === kept) keep.candidates = undefined;
    }, KEPT_FOR);
}

function meanOf(encoder: FaceEncoder, descriptors: Captured['descriptors']): readonly number[] {
  try {
    return (encoder.mean as NonNullable<FaceEncoder['mean']>)(descriptors);
  } catch (error) {
    throw encoderFailed(error);
  }
}

/** Resolves at the first picture. */
async function start(
  video: HTMLVideoElement,
  stream: MediaStream,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new FaceSignInError('camera_failed', { detail: 'the camera delivers no picture' })),
      timeoutMs,
    );
  });
  const playing = show(video, stream).catch(cause => {
    checkCamera(stream);
    throw videoError(cause);
  });
  try {
    await orAborted(Promise.race([playing, late]), signal);
  } finally {
    clearTimeout(timer);
    late.catch(() => undefined);
  }
}

/** @throws FaceSignInError `camera_stopped` if it was unplugged, or stopped by other code */
function checkCamera(stream: MediaStream): void {
  if (stream.getVideoTracks().some(track => track.readyState === 'live')) return;
  throw new FaceSignInError('camera_stopped', { detail: 'the camera has ended' });
}

/** Handles one picture: draws it, checks it, describes it if it may be good, and wipes it. */
async function look(
  video: HTMLVideoElement,
  canvas: HTMLCanvasElement,
  encoder: FaceEncoder,
  course: Session,
  signal: AbortSignal | undefined,
): Promise<void> {
  const time = performance.now();
  const scale = Math.min(1, LARGEST / Math.max(video.videoWidth, video.videoHeight));
  const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
  if (!(width > 0 && height > 0)) return;
  canvas.width = width;
  canvas.height = height;
  try {
    contextOf(canvas).drawImage(video, 0, 0, width, height);
    const faces = await asked(encoder.detect(canvas), signal);
    const first = faces[0];
    const light = lightIn(canvas, first ? middleOf(first) : middleOfPicture(canvas));
    const around = lightIn(canvas, squareIn(canvas));
    const face = course.see({ time, width, height, faces, light, around });
    throwIfAborted(signal);
    if (face) course.keep(await asked(describe(encoder, canvas, face), signal));
  } finally {
    wipe(canvas);
  }
}

const describe = async (encoder: FaceEncoder, canvas: HTMLCanvasElement, face: DetectedFace) =>
  encoder.rate ? encoder.rate(canvas, face) : { descriptor: await encoder.describe(canvas, face) };

/** Waits for an encoder, and turns whatever it throws into `encoder_failed`. */
function asked<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return orAborted(answer, signal).catch(error => Promise.reject(encoderFailed(error)));
}

/** Null outside the picture. */
export function lightIn(canvas: HTMLCanvasElement, part: Region): Light | null {
  try {
    const { pixels } = squareOf(canvas, part, LIGHT_SIDE, true);
    const light = lightOf(pixels);
    pixels.data.fill(0);
    return light;
  } catch {
    return null;
  }
}
