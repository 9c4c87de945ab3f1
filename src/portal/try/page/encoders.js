/**
 * The encoders of the page: the real one from the installed packages, or made-up faces without camera and models. Held
 * by test/browser/try.test.ts.
 */
const INSTALL = 'npm install @vladmandic/face-api@1.7.15 @tensorflow/tfjs-backend-wasm@4.22.0';

/** @param weightsPath URL of the weights on this service */
export async function cameraEncoder(weightsPath) {
  const { mobileFaceNetEncoder } = await import('/try/sdk/mobilefacenet.js');
  return mobileFaceNetEncoder({
    faceapi: () => import('/try/face-api/face-api.esm.js'),
    modelPath: '/try/model',
    wasmPath: '/try/wasm/',
    weightsPath,
  });
}

/** Says why there is no face encoder. Null if there is one. */
export function missing({ encoder, mobilefacenet, packed }) {
  if (encoder && mobilefacenet.weights) return null;
  if (packed)
    return 'The executable does not include the face encoder. To use your own face, run the service from source ("npm ci && npm start").';
  return encoder
    ? `The weights of the face encoder are missing. Run "${mobilefacenet.fix}" and reload.`
    : `The face encoder is not installed. Run "${INSTALL}" and reload.`;
}

export async function madeUp() {
  const { syntheticEncoder, captureWithoutCamera } = await import('/try/sdk/testing.js');
  return { encoder: syntheticEncoder(), capture: captureWithoutCamera };
}
