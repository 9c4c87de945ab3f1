/**
 * The encoders that the bench compares. A network runs once per photo; MobileFaceNet's two false match rates are two
 * scalings of its output. Checked by test/bench/encoder.test.ts and by the gate.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT, FIX, WEIGHTS } from '../../src/encoder/published.ts';
import { DIMENSIONS } from '../../src/ports/template-rows.ts';
import { ALPHA, mean } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import type { FaceEncoder } from '../../src/sdk/browser/types.ts';
import type { OnnxSettings } from './onnx-settings.ts';

export type Network = 'face-api' | 'mobilefacenet' | 'onnx';

export interface Encoder {
  readonly name: string;
  readonly network: Network;
  /** Scaling of the network's descriptor. */
  readonly scale?: number;
  /** The SDK's own. */
  readonly mean?: FaceEncoder['mean'];
}

export interface EncoderFiles {
  /** `mobilefacenet.f16`; by default where `npm start` stores it. */
  readonly weights: string | undefined;
  readonly onnx: { readonly file: string; readonly settings: OnnxSettings } | undefined;
}

const ROOT = join(import.meta.dirname, '../..');
const WEIGHTS_FILE = join(BUILT, WEIGHTS.file);

/** The file of weights, or null if there is none. @throws Error when the named file does not exist */
export function weightsFile(named: string | undefined): string | null {
  const file = named ?? join(ROOT, WEIGHTS_FILE);
  if (existsSync(file)) return file;
  if (named !== undefined) throw new Error(`--weights: ${named} does not exist`);
  return null;
}

export const LEFT_OUT = `mobilefacenet is left out: there is no ${WEIGHTS_FILE}; to create it, run: ${FIX}`;

export function encodersOf(weights: string | null, hasOnnx: boolean): Encoder[] {
  return [
    { name: 'face-api', network: 'face-api' },
    ...(weights === null
      ? []
      : ([
          { name: 'mobilefacenet 1e-5', network: 'mobilefacenet', mean },
          { name: 'mobilefacenet 1e-4', network: 'mobilefacenet', scale: ALPHA['1e-4'], mean },
        ] as const)),
    ...(hasOnnx ? ([{ name: 'onnx', network: 'onnx' }] as const) : []),
  ];
}

/** MobileFaceNet's descriptor at another α: its 127 numbers at norm √α, its constant √(1 − α). */
export function rescaled(descriptor: ArrayLike<number>, alpha: number): Float64Array {
  const constant = descriptor[DIMENSIONS - 1] as number;
  const factor = Math.sqrt(alpha / (1 - constant * constant));
  const made = Float64Array.from(descriptor, value => value * factor);
  made[DIMENSIONS - 1] = Math.sqrt(1 - alpha);
  return made;
}

/** The encoder's descriptor, from its network's. */
export function scaled({ scale }: Encoder, descriptor: ArrayLike<number>): ArrayLike<number> {
  return scale === undefined ? descriptor : rescaled(descriptor, scale);
}
