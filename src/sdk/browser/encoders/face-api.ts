/**
 * `@vladmandic/face-api` as an encoder: finds faces, their 68 landmarks and their descriptors, and centres these, since
 * raw ones of different people are too alike to be told apart by angle. Works on pixels that it draws itself, so no
 * canvas with a face in it stays behind in the library. Refuses to run on a slower backend than was asked for without
 * being told so. The package and `@tensorflow/tfjs-backend-wasm` are the integrator's to install and to serve. Held
 * by test/browser/encoder.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { DetectedFace, FaceEncoder, Frame, Point } from '../types.ts';
import { dlibSquare } from './align.ts';
import { type BackendOptions, startBackend } from './backend.ts';
import { centre } from './centre.ts';
import { FACE_API_MEAN } from './face-api-mean.ts';
import type { FaceApiModule, KnownFaceApi, Net, TensorFlow } from './face-api-module.ts';
import { fingerprint } from './fingerprint.ts';
import { encoderFailed, type LoadOptions, loader } from './loading.ts';
import { type Placement, type Region, sizeOf, squareOf } from './pixels.ts';
import { loadNet } from './weights.ts';

export { centre } from './centre.ts';
export { FACE_API_MEAN } from './face-api-mean.ts';
export type { FaceApiModule } from './face-api-module.ts';

export interface FaceApiOptions extends BackendOptions {
  /** The module `@vladmandic/face-api`, or a function that imports it when it is needed. */
  readonly faceapi: FaceApiModule | (() => Promise<FaceApiModule>);
  /** Where the page serves the package's folder `model`: a URL or a path, with or without a slash at its end. */
  readonly modelPath: string;
  /** `tiny`: 0.2 MB and fast (unless told); `ssd`: 5.6 MB, slower, finds smaller and turned faces. */
  readonly detector?: 'tiny' | 'ssd';
  /** How sure the detector must be, 0 to 1; 0.5 unless told. */
  readonly minConfidence?: number;
  /** Side of the square that the tiny detector looks at, a multiple of 32; 416 unless told. */
  readonly inputSize?: number;
  /** 128 numbers taken away from each raw descriptor; the mean of the package's sample photos unless told. */
  readonly mean?: readonly number[];
}

/** Sides of the squares that the networks look at, in pixels. */
const SIDE = { tiny: 416, ssd: 512, landmarks: 112, descriptor: 150 } as const;
/** About how much there is to load, in MB. */
const WEIGHT = { module: 1.3, backend: 0.4, tiny: 0.2, ssd: 5.6, landmarks: 0.4, recognition: 6.4 } as const;

/**
 * Descriptors have 128 numbers and norm 1.
 * @throws RangeError when the mean is not 128 finite numbers
 */
export function faceApiEncoder(options: FaceApiOptions): FaceEncoder {
  const { mean = FACE_API_MEAN, detector = 'tiny' } = options;
  centre(new Array(128).fill(2), mean);
  let api: KnownFaceApi | undefined;

  const load = loader(async tell => {
    const { faceapi, modelPath } = options;
    let done = 0;
    const total = WEIGHT.module + WEIGHT.backend + WEIGHT[detector] + WEIGHT.landmarks + WEIGHT.recognition;
    const after = (weight: number) => {
      done += weight;
      tell(done / total);
    };
    const found = (typeof faceapi === 'function' ? await faceapi() : faceapi) as KnownFaceApi;
    after(WEIGHT.module);
    await startBackend(found.tf, options);
    after(WEIGHT.backend);
    for (const [net, weight] of netsOf(found, detector)) {
      const part = (share: number) => tell((done + weight * share) / total);
      if (!net.isLoaded) await loadNet(found.tf, net, modelPath, part);
      after(weight);
    }
    api = found;
  });
  const loaded = (): KnownFaceApi => {
    if (!api) throw new FaceSignInError('encoder_failed', { detail: 'call load() first' });
    return api;
  };
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw encoderFailed(cause);
    }
  };

  return {
    id: `face-api:face_recognition_model:mean-${fingerprint(mean)}`,
    load: (given?: LoadOptions) => load(given),
    detect: frame => failing(() => detect(loaded(), frame, { ...options, detector })),
    describe: (frame, face) => failing(async () => centre(await rawDescriptor(loaded(), frame, face), mean)),
    dispose() {
      if (api) for (const [net] of netsOf(api, detector)) if (net.isLoaded) net.dispose();
      api = undefined;
    },
  };
}

function netsOf({ nets }: KnownFaceApi, detector: 'tiny' | 'ssd'): [Net, number][] {
  return [
    [detector === 'tiny' ? nets.tinyFaceDetector : nets.ssdMobilenetv1, WEIGHT[detector]],
    [nets.faceLandmark68Net, WEIGHT.landmarks],
    [nets.faceRecognitionNet, WEIGHT.recognition],
  ];
}

async function detect(api: KnownFaceApi, frame: Frame, options: FaceApiOptions): Promise<DetectedFace[]> {
  const { tiny, ssd } = { tiny: options.inputSize ?? SIDE.tiny, ssd: SIDE.ssd };
  const confidence = options.minConfidence ?? 0.5;
  const side = options.detector === 'tiny' ? tiny : ssd;
  const { nets } = api;
  const [boxes, placement] = await look(api, frame, { x: 0, y: 0, ...sizeOf(frame) }, side, false, tensor =>
    options.detector === 'tiny'
      ? nets.tinyFaceDetector.locateFaces(tensor, { inputSize: side, scoreThreshold: confidence })
      : nets.ssdMobilenetv1.locateFaces(tensor, { minConfidence: confidence, maxResults: 100 }),
  );
  const faces: DetectedFace[] = [];
  for (const { box, score } of boxes) {
    const corner = inFrame({ x: box.x, y: box.y }, placement);
    const place = {
      ...corner,
      width: box.width / placement.scale,
      height: box.height / placement.scale,
    };
    const landmarks = await landmarksIn(api, frame, place);
    if (landmarks) faces.push({ box: place, landmarks, score });
  }
  return faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
}

async function landmarksIn(api: KnownFaceApi, frame: Frame, box: Region): Promise<Point[] | null> {
  const whole = {
    x: Math.floor(box.x),
    y: Math.floor(box.y),
    width: Math.floor(box.width),
    height: Math.floor(box.height),
  };
  const size = sizeOf(frame);
  if (whole.x >= size.width - 1 || whole.y >= size.height - 1 || whole.width < 2 || whole.height < 2)
    return null;
  const net = api.nets.faceLandmark68Net;
  const [found, placement] = await look(api, frame, whole, SIDE.landmarks, true, tensor =>
    net.detectLandmarks(tensor),
  );
  return found.positions.map(point => inFrame(point, placement));
}

async function rawDescriptor(api: KnownFaceApi, frame: Frame, face: DetectedFace): Promise<Float32Array> {
  const net = api.nets.faceRecognitionNet;
  const square = dlibSquare(face.landmarks);
  const [raw] = await look(api, frame, square, SIDE.descriptor, true, tensor =>
    net.computeFaceDescriptor(tensor),
  );
  return raw;
}

/** Shows a network one region of the frame; neither pixels nor tensor outlive the call. */
async function look<T>(
  api: KnownFaceApi,
  frame: Frame,
  region: Region,
  side: number,
  centred: boolean,
  network: (tensor: ReturnType<TensorFlow['browser']['fromPixels']>) => Promise<T>,
): Promise<[T, Placement]> {
  const { pixels, placement } = squareOf(frame, region, side, centred);
  let tensor: ReturnType<TensorFlow['browser']['fromPixels']> | undefined;
  try {
    tensor = api.tf.browser.fromPixels(pixels, 3);
    return [await network(tensor), placement];
  } finally {
    tensor?.dispose();
    pixels.data.fill(0);
  }
}

function inFrame(point: Point, { scale, dx, dy }: Placement): Point {
  return { x: (point.x - dx) / scale, y: (point.y - dy) / scale };
}
