/**
 * Finds faces and their 68 landmarks with `@vladmandic/face-api`, for all encoders that use that package. It draws the
 * pixels itself, so the library keeps no canvas with a face. It does not run on a slower backend than the page asked
 * for. Loading ends with one computed picture of each size. Held by test/browser/encoder.test.ts,
 * test/browser/mobilefacenet.test.ts and test/sdk/capture-backend.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { DetectedFace, FaceEncoder, Frame, Point } from '../types.ts';
import { startBackend } from './backend.ts';
import type { FoundBox, KnownFaceApi, Net, Tensor } from './face-api-module.ts';
import { type FinderOptions, moduleOf } from './finder-options.ts';
import { encoderFailed, type LoadOptions, loader } from './loading.ts';
import { type Placement, type Region, sizeOf, squareOf } from './pixels.ts';
import { loadNet, type Report } from './weights.ts';

/** The part of an encoder that describes faces; it loads and releases its own network. */
export interface Describer {
  /** Size of the download, for the progress. */
  readonly bytes: number;
  load(api: KnownFaceApi, report: Report): Promise<void>;
  /** Describes a blank picture. */
  warm(api: KnownFaceApi): Promise<unknown>;
  dispose(api: KnownFaceApi): void;
}

export interface FaceFinder extends Pick<FaceEncoder, 'detect'> {
  load(given?: LoadOptions): Promise<void>;
  /** @throws FaceSignInError `encoder_failed`, also if nothing is loaded yet */
  use<T>(work: (api: KnownFaceApi) => Promise<T>): Promise<T>;
  dispose(): void;
}

/**
 * Sides of a detector's input in pixels, tried in this order until a face is found. The tiny one misses a face that
 * fills a large input, and a small face in a small input; 224 finds most faces and is fast. At 96 it finds a face that
 * is larger than the frame.
 */
export const SIDES = { tiny: [224, 320, 416, 96], ssd: [512] } as const;
/** A face narrower than this, in pixels of the input, leaves room for others that this input may not show. Measured. */
const SMALL = 80;
/** Side of the landmark network's input. */
const LANDMARKS = 112;
/** Sizes of the published files. */
export const BYTES = {
  module: 1_333_462,
  backend: 424_594,
  tiny: 193_321,
  ssd: 5_616_957,
  landmarks: 356_840,
} as const;
/** So that the progress is not full while the first picture is computed. */
const WARM_UP = 50_000;

export function faceFinder(options: FinderOptions, describer: Describer): FaceFinder {
  const { detector = 'tiny' } = options;
  let api: KnownFaceApi | undefined;
  const netsOf = ({ nets }: KnownFaceApi): [Net, number][] => [
    [detector === 'tiny' ? nets.tinyFaceDetector : nets.ssdMobilenetv1, BYTES[detector]],
    [nets.faceLandmark68Net, BYTES.landmarks],
  ];

  const load = loader(async report => {
    const { faceapi } = options;
    const { module, backend, landmarks } = BYTES;
    const total = module + backend + BYTES[detector] + landmarks + describer.bytes + WARM_UP;
    let done = 0;
    const step = async <T>(bytes: number, work: (report: Report) => Promise<T>): Promise<T> => {
      const made = await work(share => report((done + bytes * share) / total));
      done += bytes;
      report(done / total);
      return made;
    };
    const found = await step(module, () => moduleOf(faceapi));
    await step(backend, () => startBackend(found.tf, options));
    for (const [net, bytes] of netsOf(found))
      await step(bytes, progress => loadNet(found.tf, net, options.modelPath, progress));
    await step(describer.bytes, progress => describer.load(found, progress));
    if (!api) await warmUp(found, { ...options, detector }, describer);
    api = found;
  });
  const use = async <T>(work: (api: KnownFaceApi) => Promise<T>): Promise<T> => {
    if (!api) throw new FaceSignInError('encoder_failed', { detail: 'call load() first' });
    try {
      return await work(api);
    } catch (cause) {
      throw encoderFailed(cause);
    }
  };

  return {
    load,
    use,
    detect: frame => use(loaded => detect(loaded, frame, { ...options, detector })),
    dispose() {
      if (api) {
        for (const [net] of netsOf(api)) if (net.isLoaded) net.dispose();
        describer.dispose(api);
      }
      api = undefined;
    },
  };
}

/** The first picture takes seconds on a slow device, because the backend prepares each network when it first runs. */
async function warmUp(api: KnownFaceApi, options: FinderOptions, describer: Describer): Promise<void> {
  for (const [side, locate] of locatorsOf(api, options)) await onBlank(api, side, locate);
  await onBlank(api, LANDMARKS, tensor => api.nets.faceLandmark68Net.detectLandmarks(tensor));
  await describer.warm(api);
}

/** Runs a network on a blank picture. */
export async function onBlank(
  { tf }: KnownFaceApi,
  side: number,
  network: (tensor: Tensor) => Promise<unknown>,
): Promise<void> {
  const blank = { data: new Uint8Array(4 * side * side), width: side, height: side };
  const tensor = tf.browser.fromPixels(blank, 3);
  try {
    await network(tensor);
  } finally {
    tensor.dispose();
  }
}

/** A side of the detector's input, and its run. */
type Locator = readonly [side: number, (tensor: Tensor) => Promise<readonly FoundBox[]>];

function locatorsOf(
  { nets }: KnownFaceApi,
  { detector = 'tiny', inputSize, minConfidence = 0.5 }: FinderOptions,
): readonly Locator[] {
  if (detector === 'ssd') {
    const locate = (tensor: Tensor) =>
      nets.ssdMobilenetv1.locateFaces(tensor, { minConfidence, maxResults: 100 });
    return SIDES.ssd.map(side => [side, locate] as const);
  }
  return (inputSize ? [inputSize] : SIDES.tiny).map(side => {
    const settings = { inputSize: side, scoreThreshold: minConfidence };
    return [side, (tensor: Tensor) => nets.tinyFaceDetector.locateFaces(tensor, settings)] as const;
  });
}

/**
 * Stops at the first input that shows a face, unless that is small in it: then somebody with a smaller face may be
 * missed, and larger inputs are used too.
 */
async function detect(api: KnownFaceApi, frame: Frame, options: FinderOptions): Promise<DetectedFace[]> {
  const { width, height } = sizeOf(frame);
  let most: Found[] = [];
  let before = 0;
  for (const locator of locatorsOf(api, options)) {
    const [side] = locator;
    if (most.length > 0 && side < before) break;
    before = side;
    const found = await boxesAt(api, frame, ...locator);
    if (found.length > most.length) most = found;
    const [first] = found;
    if (first && first.box.width * side >= SMALL * Math.max(width, height)) break;
  }
  const faces: DetectedFace[] = [];
  for (const one of most) faces.push({ ...one, landmarks: await landmarksIn(api, frame, one.box) });
  return faces;
}

type Found = Omit<DetectedFace, 'landmarks'>;

/** The largest first, those outside the frame left out. */
async function boxesAt(api: KnownFaceApi, frame: Frame, ...[side, locate]: Locator): Promise<Found[]> {
  const size = sizeOf(frame);
  const [boxes, placement] = await look(api, frame, { x: 0, y: 0, ...size }, side, false, locate);
  const { scale } = placement;
  return boxes
    .map(({ box, score }) => {
      const { x, y } = inFrame({ x: box.x, y: box.y }, placement);
      return { box: { x, y, width: box.width / scale, height: box.height / scale }, score };
    })
    .filter(({ box }) => {
      const { x, y, width, height } = wholeOf(box);
      return x < size.width - 1 && y < size.height - 1 && width >= 2 && height >= 2;
    })
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
}

function wholeOf({ x, y, width, height }: Region): Region {
  return { x: Math.floor(x), y: Math.floor(y), width: Math.floor(width), height: Math.floor(height) };
}

async function landmarksIn(api: KnownFaceApi, frame: Frame, box: Region): Promise<Point[]> {
  const net = api.nets.faceLandmark68Net;
  const [found, placement] = await look(api, frame, wholeOf(box), LANDMARKS, true, tensor =>
    net.detectLandmarks(tensor),
  );
  return found.positions.map(point => inFrame(point, placement));
}

/** Runs a network on one region of the frame. Erases the pixels and the tensor afterwards. */
export async function look<T>(
  api: KnownFaceApi,
  frame: Frame,
  region: Region,
  side: number,
  centred: boolean,
  network: (tensor: Tensor) => Promise<T>,
): Promise<[T, Placement]> {
  const { pixels, placement } = squareOf(frame, region, side, centred);
  let tensor: Tensor | undefined;
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
