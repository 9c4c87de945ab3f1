/**
 * The encoders of the page: the real one from the installed packages, or made-up faces without camera and models. Held
 * by test/browser/try.test.ts and test/browser/try-made-up.test.ts.
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

/** How much farther than the service's limit a look-alike is from the person. */
const BEYOND = 0.05;
/** Strangers are numbered from here, far from the persons whom the page can enroll. */
const STRANGERS = 1_000;

/**
 * Made-up faces. Only the person enrolls; the others exist to be refused.
 * @param {number} threshold the distance from which on the service refuses
 */
export async function madeUp(threshold) {
  const { syntheticEncoder, syntheticFaces, captureWithoutCamera } = await import('/try/sdk/testing.js');
  const faces = syntheticFaces();
  const encoder = syntheticEncoder();
  let captures = 0;
  let person = 0;
  let stranger = 0;
  let who = 'person';
  encoder.describe = async () => {
    if (who === 'look-alike') return faces.atDistance(person, threshold + BEYOND);
    return faces.genuine(who === 'stranger' ? stranger : person, captures++);
  };
  return {
    encoder,
    capture: captureWithoutCamera,
    /** @param {number} number the person's @param {'person' | 'stranger' | 'look-alike'} kind who is there */
    show(number, kind) {
      if (kind === 'stranger' && who !== kind) stranger = STRANGERS + Math.floor(Math.random() * 1e9);
      person = number;
      who = kind;
    },
  };
}

/** What the page says of who is there, before anything is sent. */
export const aboutWho = (who, person, threshold) =>
  ({
    person: `Enroll as person ${person} first. Then the service knows this face.`,
    stranger: 'Resembles nobody who is enrolled. Sign in to see the refusal.',
    'look-alike': `Resembles person ${person}, but not enough: at a distance of ${(threshold + BEYOND).toFixed(2)}, and this service accepts less than ${threshold.toFixed(2)}. Sign in to see the refusal.`,
  })[who];
