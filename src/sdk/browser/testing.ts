/**
 * The entry for tests, of this project and of integrators: people, an encoder and a capture that need no camera, no model
 * and no network. Never for production: whoever knows a seed has every face of it. Held by test/sdk/synthetic-faces.test.ts
 * and test/sdk/synthetic-encoder.test.ts.
 */
export {
  captureWithoutCamera,
  type SyntheticEncoder,
  type SyntheticEncoderOptions,
  syntheticEncoder,
} from './synthetic-encoder.ts';
export { type SyntheticFaces, syntheticFaces } from './synthetic-faces.ts';
