/**
 * MobileFaceNet as an encoder: face-api finds the face and its landmarks, and MobileFaceNet describes it. Its 127
 * numbers are scaled and a constant is added, so that the service's threshold of 0.35 has a measured false match rate.
 * Integrators make the weights with a command of the service and serve them; see README.md. Held by
 * test/browser/mobilefacenet.test.ts.
 */
import type { FaceEncoder } from '../types.ts';
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
  return {
    id: `mobilefacenet:192-svd127:five:${alpha}`,
    load: finder.load,
    detect: finder.detect,
    describe: (frame, { landmarks }) =>
      finder.use(async () => {
        const place = fiveSimilarity(landmarks, SIDE);
        const input = inputOf(frame, place, SIDE, { layout: 'nhwc', mean: 127.5, std: 128 });
        try {
          return scaled(await (network as Network).run(input), alpha);
        } finally {
          input.fill(0);
        }
      }),
    dispose: finder.dispose,
  };
}

/** Scales the network's numbers to norm √α and adds the constant √(1 − α), for a total norm of 1. */
function scaled(raw: Float32Array, alpha: number): number[] {
  const norm = Math.hypot(...raw);
  if (raw.length !== NUMBERS || !(norm > SMALLEST_NORM && norm < Number.POSITIVE_INFINITY))
    throw new RangeError('the network returned no usable descriptor');
  return [...Array.from(raw, value => (value / norm) * Math.sqrt(alpha)), Math.sqrt(1 - alpha)];
}
