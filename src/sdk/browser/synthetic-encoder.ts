/**
 * An encoder that sees the person it is told to, and a capture that opens no camera: together they let a page's sign-in run
 * in a test. Refuses to look at frames: what is in front of a real camera has no influence. Held by
 * test/sdk/synthetic-encoder.test.ts.
 */
import { throwIfAborted } from './abort.ts';
import type { CaptureFunction } from './client-types.ts';
import { FaceSignInError } from './errors.ts';
import { syntheticFaces } from './synthetic-faces.ts';
import type { DetectedFace, FaceEncoder, Frame } from './types.ts';

export interface SyntheticEncoderOptions {
  /** Of `syntheticFaces`; usually 1. */
  readonly seed?: number;
  /** Who is in front of the camera first; usually person 0. */
  readonly person?: number | null;
}

export interface SyntheticEncoder extends FaceEncoder {
  /** Who is in front of the camera: a whole number from 0, or null for nobody. Set it between calls. */
  person: number | null;
}

/** Each description is the next capture of the person, so that no two are the same. */
export function syntheticEncoder({ seed = 1, person = 0 }: SyntheticEncoderOptions = {}): SyntheticEncoder {
  const faces = syntheticFaces(seed);
  let captures = 0;
  const encoder: SyntheticEncoder = {
    // Sent, it would make a test app refuse the real encoder; and nobody's face is like one of these.
    id: '',
    person,
    async load({ signal, onProgress } = {}) {
      throwIfAborted(signal);
      onProgress?.(1);
    },
    async detect(frame) {
      return encoder.person === null ? [] : [inTheMiddle(frame)];
    },
    async describe() {
      if (encoder.person === null) throw new FaceSignInError('no_face');
      return faces.genuine(encoder.person, captures++);
    },
  };
  return encoder;
}

/** For `createClient({ encoder: syntheticEncoder(), capture: captureWithoutCamera })`. Not for encoders that look at frames. */
export const captureWithoutCamera: CaptureFunction = async ({ encoder, count, signal, onProgress }) => {
  await encoder.load(signal ? { signal } : {});
  const frame = {} as Frame;
  const face = inTheMiddle(frame);
  const descriptors: number[][] = [];
  while (descriptors.length < count) {
    throwIfAborted(signal);
    descriptors.push(await encoder.describe(frame, face));
    onProgress?.({ step: 'looking', progress: descriptors.length / count, guide: 'look_here' });
  }
  onProgress?.({ step: 'done', progress: 1, guide: 'done' });
  return { descriptors, liveness: { score: 1, checks: [] } };
};

function inTheMiddle(frame: Frame): DetectedFace {
  const size = frame as { videoWidth?: number; videoHeight?: number; width?: number; height?: number };
  const width = size.videoWidth || size.width || 640;
  const height = size.videoHeight || size.height || 480;
  const side = Math.min(width, height) / 2;
  return {
    box: { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side },
    landmarks: [],
    score: 1,
  };
}
