/**
 * What finds faces on the page: the real encoder, from the packages of this installation, or made-up people without camera
 * and models. Held by test/browser/try.test.ts.
 */
export const INSTALL = 'npm install @vladmandic/face-api@1.7.15 @tensorflow/tfjs-backend-wasm@4.22.0';

export async function cameraEncoder() {
  const { faceApiEncoder } = await import('/try/sdk/face-api.js');
  return faceApiEncoder({
    faceapi: () => import('/try/face-api/face-api.esm.js'),
    modelPath: '/try/model',
    wasmPath: '/try/wasm/',
    detector: 'tiny',
  });
}

export async function madeUp() {
  const { syntheticEncoder, captureWithoutCamera } = await import('/try/sdk/testing.js');
  return { encoder: syntheticEncoder(), capture: captureWithoutCamera };
}
