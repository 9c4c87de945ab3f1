/**
 * An encoder that sees a chosen person, and a capture without a camera. With both, a page's sign-in runs in a test.
 * They ignore frames, so a real camera has no influence. Held by test/sdk/synthetic-encoder.test.ts.
 */
import { throwIfAborted } from './abort.ts';
import type { CaptureFunction } from './client-types.ts';
import { FaceSignInError } from './errors.ts';
import { syntheticFaces } from './synthetic-faces.ts';
import type { DetectedFace, FaceEncoder, Frame } from './types.ts';

export interface SyntheticEncoderOptions {
  /** The seed of `syntheticFaces`. Default: 1. */
  readonly seed?: number;
  /** The person who is in front of the camera at first. Default: person 0. */
  readonly person?: number | null;
}

export interface SyntheticEncoder extends FaceEncoder {
  /** The person in front of the camera: a whole number from 0, or null for nobody. Set it between calls. */
  person: number | null;
}

/** Each descriptor is the person's next capture, so no two are the same. */
export function syntheticEncoder({ seed = 1, person = 0 }: SyntheticEncoderOptions = {}): SyntheticEncoder {
  const faces = syntheticFaces(seed);
  let captures = 0;
  const encoder: SyntheticEncoder = {
    // Empty, so it is not sent: a test app that remembered this encoder would refuse the real one.
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

/**
 * For `createClient({ encoder: syntheticEncoder(), capture: captureWithoutCamera })`. Does not work with encoders that
 * read frames.
 */
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
