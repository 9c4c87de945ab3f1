/**
 * The entry for tests, of this project and of integrators: faces, an encoder and a capture without a camera, a model or
 * a network. Never use it in production: whoever knows a seed has all of its faces. The faces behave like those of a
 * good encoder, but do not show how well a real one separates people. The same seed gives the same numbers on every
 * platform, because only addition, multiplication, division and square roots are used. The encoder ignores frames, so a
 * real camera has no influence. Held by test/sdk/synthetic-faces.test.ts.
 */

import type { CaptureFunction } from './client-types.ts';
import { FaceSignInError } from './errors.ts';
import { throwIfAborted } from './thrown.ts';
import type { DetectedFace, FaceEncoder, Frame } from './types.ts';

/** Numbers in a descriptor. */
const DIMENSIONS = 128;
/** The person's share of a descriptor's direction. Captures of one person have about this cosine. */
const LIKENESS = 0.85;
/** The maximum distance of a look-alike from its two persons. */
const LOOK_ALIKE_DISTANCE = 0.35;

export interface SyntheticFaces {
  /**
   * A capture of a person. Two captures of one person have a cosine of 0.80 to 0.90 (distance below 0.30), captures of
   * different persons a cosine of about 0.00 ± 0.09.
   */
  genuine(person: number, capture?: number): number[];
  /** A person who is not one of the `genuine` persons. */
  stranger(n?: number): number[];
  /**
   * Midway between capture 0 of two persons: closer than 0.35 to both, at the same distance. A service in which both
   * enrolled with capture 0 must not choose one.
   * @throws RangeError for the few pairs (about 1 in 20) that are too far apart
   */
  lookAlike(a: number, b: number): number[];
  /**
   * A descriptor at this cosine distance (0 to 2, exact to 1e-6 even after rounding to float32) from capture 0 of a
   * person. Each variant has another direction.
   */
  atDistance(person: number, distance: number, variant?: number): number[];
}

/** All indexes are whole numbers from 0. Descriptors have 128 numbers and norms between 0.5 and 2. */
export function syntheticFaces(seed = 1): SyntheticFaces {
  const stream = (kind: number, a: number, b: number) => generator([seed, kind, a, b]);

  function capture(person: number, n: number): number[] {
    const centre = direction(stream(KIND.person, person, 0));
    const noise = across(centre, direction(stream(KIND.capture, person, n)));
    return mix(centre, Math.sqrt(LIKENESS), noise, Math.sqrt(1 - LIKENESS));
  }

  return {
    genuine: (person, n = 0) => scaled(capture(person, n), stream(KIND.scale, person, n)),
    stranger: (n = 0) => {
      const next = stream(KIND.stranger, n, 0);
      return scaled(direction(next), next);
    },
    lookAlike(a, b) {
      const one = capture(a, 0);
      const middle = unit(mix(one, 1, capture(b, 0), 1));
      if (a === b || 1 - dot(middle, one) >= LOOK_ALIKE_DISTANCE) {
        throw new RangeError(`persons ${a} and ${b} have no look-alike; take another pair`);
      }
      return scaled(middle, stream(KIND.lookAlike, a, b));
    },
    atDistance(person, distance, variant = 0) {
      if (!(distance >= 0 && distance <= 2)) throw new RangeError('a cosine distance lies between 0 and 2');
      const next = stream(KIND.atDistance, person, variant);
      const from = capture(person, 0);
      const cosine = 1 - distance;
      const sine = Math.sqrt(1 - cosine * cosine);
      return scaled(mix(from, cosine, across(from, direction(next)), sine), next);
    },
  };
}

/** Each use has its own random stream, so a stranger shares no numbers with a person. */
const KIND = { person: 1, capture: 2, scale: 3, stranger: 4, lookAlike: 5, atDistance: 6 };

type Uniform = () => number;

/** The sfc32 generator, seeded by a hash of whole numbers. Returns numbers from 0 (inclusive) to 1 (exclusive). */
function generator(seeds: readonly number[]): Uniform {
  let hash = 0x9e3779b9;
  for (const value of seeds) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError('seeds and indexes are whole numbers from 0');
    hash = stir(stir(hash ^ value) ^ Math.floor(value / 2 ** 32));
  }
  let [a, b, c, counter] = [hash, stir(hash + 1), stir(hash + 2), 1];
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

/** Spreads every bit of a 32-bit number over all of them. */
function stir(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}

/** A random direction. Each coordinate is a sum of uniforms, close enough to normal that no axis stands out. */
function direction(next: Uniform): number[] {
  return unit(Array.from({ length: DIMENSIONS }, () => next() + next() + next() + next() - 2));
}

/** The part of `vector` orthogonal to the unit vector `axis`, with norm 1. */
function across(axis: readonly number[], vector: readonly number[]): number[] {
  return unit(mix(vector, 1, axis, -dot(axis, vector)));
}

function mix(a: readonly number[], x: number, b: readonly number[], y: number): number[] {
  return a.map((value, i) => value * x + (b[i] as number) * y);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}

function unit(vector: readonly number[]): number[] {
  const norm = Math.sqrt(dot(vector, vector));
  return vector.map(value => value / norm);
}

/** Gives the vector a norm from 0.5 to 2, because some real encoders do not normalise. */
function scaled(vector: readonly number[], next: Uniform): number[] {
  const norm = 0.5 + 1.5 * next();
  return vector.map(value => value * norm);
}

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
