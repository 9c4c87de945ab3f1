/** What pages of the browser tests take from the SDK's sources, as one module. */
export { captureFaces } from '../../src/sdk/browser/capture/capture.ts';
export { lightOf, lookAt, middleOf } from '../../src/sdk/browser/capture/quality.ts';
export { createClient } from '../../src/sdk/browser/client.ts';
export { fiveSimilarity } from '../../src/sdk/browser/encoders/align.ts';
export { centre } from '../../src/sdk/browser/encoders/centre.ts';
export { inputOf } from '../../src/sdk/browser/encoders/crop.ts';
export { faceApiEncoder } from '../../src/sdk/browser/encoders/face-api.ts';
export { mobileFaceNetEncoder } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
export { loadNetwork } from '../../src/sdk/browser/encoders/mobilefacenet-network.ts';
export { onnxEncoder } from '../../src/sdk/browser/encoders/onnx.ts';
export { squareOf } from '../../src/sdk/browser/encoders/pixels.ts';
export { FaceSignInError } from '../../src/sdk/browser/errors.ts';
export { poseOf } from '../../src/sdk/browser/liveness/pose.ts';
export * from './drawn-faces.ts';
