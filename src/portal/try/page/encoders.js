/**
 * What finds faces on the page: the real encoder, from the packages of this installation, or made-up people without camera
 * and models. Held by test/browser/try.test.ts.
 */
const INSTALL = 'npm install @vladmandic/face-api@1.7.15 @tensorflow/tfjs-backend-wasm@4.22.0';

/** @param weightsPath where this service has the weights */
export async function cameraEncoder(weightsPath) {
  const { mobileFaceNetEncoder } = await import('/try/sdk/mobilefacenet.js');
  return mobileFaceNetEncoder({
    faceapi: () => import('/try/face-api/face-api.esm.js'),
    modelPath: '/try/model',
    wasmPath: '/try/wasm/',
    weightsPath,
  });
}

/** Why there is no face encoder; null when there is one. */
export function missing({ encoder, mobilefacenet, packed }) {
  if (encoder && mobilefacenet.weights) return null;
  if (packed)
    return 'The face encoder is not part of the executable: to use your own face, run the service from its source ("npm ci && npm start").';
  return encoder
    ? `The weights of the face encoder are missing: run "${mobilefacenet.fix}" and reload.`
    : `The face encoder is not installed: run "${INSTALL}" and reload.`;
}

export async function madeUp() {
  const { syntheticEncoder, captureWithoutCamera } = await import('/try/sdk/testing.js');
  return { encoder: syntheticEncoder(), capture: captureWithoutCamera };
}
