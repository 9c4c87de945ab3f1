/**
 * The entry for tests, of this project and of integrators: faces, an encoder and a capture without a camera, a model or
 * a network. Never use it in production: whoever knows a seed has all of its faces. Held by
 * test/sdk/synthetic-faces.test.ts and test/sdk/synthetic-encoder.test.ts.
 */
export {
  captureWithoutCamera,
  type SyntheticEncoder,
  type SyntheticEncoderOptions,
  syntheticEncoder,
} from './synthetic-encoder.ts';
export { type SyntheticFaces, syntheticFaces } from './synthetic-faces.ts';
