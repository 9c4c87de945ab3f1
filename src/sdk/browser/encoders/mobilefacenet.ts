/**
 * MobileFaceNet as an encoder: face-api finds the face and its landmarks, and MobileFaceNet describes it. Its 127
 * numbers are scaled and a constant is added, so that the service's threshold of 0.35 has a measured false match rate.
 * Their norm is the quality of the picture. Integrators make the weights with a command of the service and serve them;
 * see README.md. Held by test/browser/mobilefacenet.test.ts.
 */
import type { DetectedFace, FaceEncoder, Frame, Rated } from '../types.ts';
import { fiveSimilarity } from './align.ts';
import { inputOf } from './crop.ts';
import { faceFinder } from './face-finder.ts';
import { checkOptions, type FinderOptions } from './finder-options.ts';
import { loadNetwork, type Network, NUMBERS, SIDE } from './mobilefacenet-network.ts';
import { WEIGHTS } from './published-weights.ts';

export type { FaceApiModule } from './face-api-module.ts';

export interface MobileFaceNetOptions extends FinderOptions {
  /** URL or path of `mobilefacenet.f16`. */
  readonly weightsPath: string;
  /**
   * False match rate of one stranger and one user at the service's threshold of 0.35: `1e-5` (default), or `1e-4`,
   * which recognises a few more users but lets in ten times as many strangers. Each rate is a different encoder.
   */
  readonly fmr?: keyof typeof ALPHA;
}

/**
 * Distances become α times those of the network. At α, a distance of 0.35 has this rate, measured on faces of 3,180
 * people.
 */
export const ALPHA = { '1e-5': 0.863, '1e-4': 0.746 } as const;
/**
 * The norm of the network's 127 numbers is a measure of how well it recognises the face. Below `broken` there is no
 * face, or next to nothing of one, and such pictures match each other. Measured on 9,115 faces of 5,082 people: without
 * the pictures below `good`, a twentieth of all, owners are refused 5.4 instead of 8.3 % of the time, one picture
 * against one.
 */
export const NORM = { broken: 50, good: 57.5 } as const;
const SMALLEST_NORM = 1e-6;
type OwnOptions = Record<Exclude<keyof MobileFaceNetOptions, keyof FinderOptions>, true>;

/**
 * Descriptors have 128 numbers and norm 1.
 * @throws TypeError if an option is missing; RangeError if `fmr` is not one of the measured rates
 */
export function mobileFaceNetEncoder(options: MobileFaceNetOptions): FaceEncoder {
  checkOptions('mobileFaceNetEncoder', options, { weightsPath: true, fmr: true } satisfies OwnOptions);
  const { fmr = '1e-5', weightsPath } = options;
  if (typeof weightsPath !== 'string')
    throw new TypeError(`mobileFaceNetEncoder: weightsPath must be the URL of ${WEIGHTS.file}.`);
  const alpha = ALPHA[fmr];
  if (alpha === undefined) throw new RangeError(`fmr must be one of ${Object.keys(ALPHA).join(', ')}`);
  let network: Network | undefined;
  const finder = faceFinder(options, {
    bytes: WEIGHTS.bytes,
    async load({ tf }, report) {
      network ??= await loadNetwork(tf, weightsPath, report);
    },
    warm: async () => network?.run(new Float32Array(3 * SIDE * SIDE)),
    dispose() {
      network?.dispose();
      network = undefined;
    },
  });
  const rate = (frame: Frame, { landmarks }: DetectedFace) =>
    finder.use(async () => {
      const place = fiveSimilarity(landmarks, SIDE);
      const input = inputOf(frame, place, SIDE, { layout: 'nhwc', mean: 127.5, std: 128 });
      try {
        return rated(await (network as Network).run(input), alpha);
      } finally {
        input.fill(0);
      }
    });
  return {
    id: `mobilefacenet:192-svd127:five:${alpha}`,
    load: finder.load,
    detect: finder.detect,
    describe: async (frame, face) => (await rate(frame, face)).descriptor,
    rate,
    mean,
    dispose: finder.dispose,
  };
}

/** @returns a descriptor of norm 1, and the quality that the norm of the network's numbers stands for */
function rated(raw: Float32Array, alpha: number): Rated {
  const norm = Math.hypot(...raw);
  if (raw.length !== NUMBERS || !(norm > SMALLEST_NORM && norm < Number.POSITIVE_INFINITY))
    throw new RangeError('the network returned no usable descriptor');
  return {
    descriptor: withConstant(raw, norm, alpha),
    quality: (norm - NORM.broken) / (NORM.good - NORM.broken),
  };
}

/** Scales the network's numbers to norm √α and adds the constant √(1 − α), for a total norm of 1. */
const withConstant = (numbers: Float32Array | Float64Array, norm: number, alpha: number): number[] => [
  ...Array.from(numbers, value => (value / norm) * Math.sqrt(alpha)),
  Math.sqrt(1 - alpha),
];

/**
 * The descriptor in the mean direction of several, with their constant.
 * @param descriptors of one person and one encoder
 * @throws RangeError if there is none, or if they are of two encoders or cancel out
 */
export function mean(descriptors: readonly (readonly number[])[]): number[] {
  const constant = descriptors[0]?.[NUMBERS];
  if (
    constant === undefined ||
    descriptors.some(one => one.length !== NUMBERS + 1 || one[NUMBERS] !== constant)
  )
    throw new RangeError('mean takes one or more descriptors of one MobileFaceNet encoder');
  const sum = new Float64Array(NUMBERS);
  for (const one of descriptors)
    for (let i = 0; i < NUMBERS; i++) sum[i] = (sum[i] as number) + (one[i] as number);
  const norm = Math.hypot(...sum);
  if (!(norm > SMALLEST_NORM)) throw new RangeError('the descriptors cancel out');
  return withConstant(sum, norm, 1 - constant ** 2);
}
