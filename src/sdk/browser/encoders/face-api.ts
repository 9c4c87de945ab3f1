/**
 * The recognition network of `@vladmandic/face-api` as an encoder, for apps whose users enrolled with it. New apps
 * should use mobilefacenet.ts: this network does not separate people well enough to be safe. At the service's threshold
 * it accepts one stranger in 200 for each user, and it refuses women far more often than men. Its raw descriptors all
 * point in about the same direction, so they are centred. Held by test/browser/encoder.test.ts.
 */
import type { FaceEncoder } from '../types.ts';
import { dlibSquare } from './align.ts';
import { centre } from './centre.ts';
import { FACE_API_MEAN } from './face-api-mean.ts';
import { faceFinder, look, onBlank } from './face-finder.ts';
import { checkOptions, type FinderOptions } from './finder-options.ts';
import { loadNet } from './weights.ts';

export { centre } from './centre.ts';
export { FACE_API_MEAN } from './face-api-mean.ts';
export type { FaceApiModule } from './face-api-module.ts';

export interface FaceApiOptions extends FinderOptions {
  /** 128 numbers to subtract from each raw descriptor. Default: the mean of the package's sample photos. */
  readonly mean?: readonly number[];
}

/** Side of the network's input, in pixels. */
const SIDE = 150;
/** Size of its published file. */
export const RECOGNITION_BYTES = 6_444_032;

/**
 * Descriptors have 128 numbers and norm 1.
 * @throws TypeError if an option is missing; RangeError if the mean is not 128 finite numbers
 */
export function faceApiEncoder(options: FaceApiOptions): FaceEncoder {
  checkOptions('faceApiEncoder', options, { mean: true });
  const { mean = FACE_API_MEAN } = options;
  centre(new Array(128).fill(2), mean);
  const finder = faceFinder(options, {
    bytes: RECOGNITION_BYTES,
    load: ({ tf, nets }, report) => loadNet(tf, nets.faceRecognitionNet, options.modelPath, report),
    warm: api => onBlank(api, SIDE, tensor => api.nets.faceRecognitionNet.computeFaceDescriptor(tensor)),
    dispose: ({ nets }) => {
      if (nets.faceRecognitionNet.isLoaded) nets.faceRecognitionNet.dispose();
    },
  });
  return {
    id: `face-api:face_recognition_model:mean-${fingerprint(mean)}`,
    load: finder.load,
    detect: finder.detect,
    describe: (frame, { landmarks }) =>
      finder.use(async api => {
        const [raw] = await look(api, frame, dlibSquare(landmarks), SIDE, true, tensor =>
          api.nets.faceRecognitionNet.computeFaceDescriptor(tensor),
        );
        return centre(raw, mean);
      }),
    dispose: finder.dispose,
  };
}

/** Eight hex digits, so that encoders with different means have different IDs. */
function fingerprint(numbers: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const character of numbers.join()) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
