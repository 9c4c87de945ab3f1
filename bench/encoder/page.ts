/**
 * Runs in Chromium: the SDK's own encoders and its judgement of a picture, on one photo at a time. A photo arrives from
 * the bench as text and is discarded when the call returns. Nothing of it is stored or sent over HTTP. Checked by
 * test/browser/bench-encoder.test.ts.
 */
import { LARGEST, lightIn } from '../../src/sdk/browser/capture/capture.ts';
import { judge, lookAt, middleOf } from '../../src/sdk/browser/capture/quality.ts';
import { faceApiEncoder } from '../../src/sdk/browser/encoders/face-api.ts';
import { type Describer, type FaceFinder, faceFinder } from '../../src/sdk/browser/encoders/face-finder.ts';
import { mobileFaceNetEncoder } from '../../src/sdk/browser/encoders/mobilefacenet.ts';
import { onnxEncoder } from '../../src/sdk/browser/encoders/onnx.ts';
import { contextOf, wipe } from '../../src/sdk/browser/encoders/pixels.ts';
import type { DetectedFace, FaceEncoder } from '../../src/sdk/browser/types.ts';
import type { OnnxSettings } from './onnx-settings.ts';
import { changedFaces } from './page-changes.ts';

/** For the gate, the SDK makes `mobilefacenet 1e-4` itself; the figures scale the output of `mobilefacenet`. */
export type Kind = 'face-api' | 'mobilefacenet' | 'mobilefacenet 1e-4' | 'onnx';

export interface PhotoResult {
  readonly outcome: 'described' | 'unreadable' | 'no face' | 'failed';
  /** What the SDK would ask the person to change. */
  readonly problem: string | null;
  readonly faces: number;
  /** By kind, in the order of the request. */
  readonly descriptors: readonly (readonly number[])[];
  /** The encoder's own, by kind; null if it does not rate pictures. */
  readonly qualities: readonly (number | null)[];
  readonly findMs: number;
  readonly describeMs: readonly number[];
  /** By side in the order of the request: milliseconds, and whether there was a face. */
  readonly looks: readonly Look[];
}

/** What the tiny detector does with a photo at one size of its input. */
export interface Look {
  readonly found: boolean;
  readonly ms: number;
}

export interface Wish {
  readonly settings?: OnnxSettings | undefined;
  /** Without the encoder's rating: for the gate. */
  readonly plain?: boolean;
  /** Sizes of the detector's input to try alone, beside the SDK's own order. */
  readonly sides?: readonly number[];
}

const NOTHING: PhotoResult = {
  outcome: 'unreadable',
  problem: null,
  faces: 0,
  descriptors: [],
  qualities: [],
  findMs: 0,
  describeMs: [],
  looks: [],
};
/** One thread per page, because the bench runs one page per core. */
const OPTIONS = {
  faceapi: () => import('/face-api/face-api.esm.js' as string),
  modelPath: '/model',
  wasmPath: '/wasm',
  threads: false,
};
const encoders = new Map<Kind | 'ssd', Promise<FaceEncoder>>();
const finders = new Map<number, Promise<FaceFinder>>();
const NO_NETWORK: Describer = { bytes: 0, load: async () => {}, warm: async () => {}, dispose() {} };

function loaded(kind: Kind | 'ssd', settings?: OnnxSettings): Promise<FaceEncoder> {
  const known = encoders.get(kind);
  if (known) return known;
  const encoder = encoderOf(kind, settings);
  const loading = encoder.load().then(
    () => encoder,
    error => Promise.reject(new Error(`${kind}: ${error.detail ?? error.message}`)),
  );
  encoders.set(kind, loading);
  return loading;
}

/** One after another: the first of them starts the backend. */
async function loadedAll(kinds: readonly Kind[], settings?: OnnxSettings): Promise<FaceEncoder[]> {
  const all: FaceEncoder[] = [];
  for (const kind of kinds) all.push(await loaded(kind, settings));
  return all;
}

function encoderOf(kind: Kind | 'ssd', settings?: OnnxSettings): FaceEncoder {
  if (kind === 'face-api') return faceApiEncoder(OPTIONS);
  if (kind === 'ssd') return faceApiEncoder({ ...OPTIONS, detector: 'ssd' });
  if (kind !== 'onnx') {
    const fmr = kind === 'mobilefacenet' ? '1e-5' : '1e-4';
    return mobileFaceNetEncoder({ ...OPTIONS, weightsPath: '/weights/mobilefacenet.f16', fmr });
  }
  if (!settings) throw new Error('an ONNX model needs settings');
  const ort = async () => {
    const runtime = await import('/ort/ort.wasm.min.mjs' as string);
    runtime.env.wasm.numThreads = 1;
    return runtime;
  };
  const detect = faceApiEncoder(OPTIONS);
  return onnxEncoder({ id: 'onnx', ort, model: '/weights/model.onnx', detect, ...settings });
}

function finderAt(inputSize: number): Promise<FaceFinder> {
  const finder = faceFinder({ ...OPTIONS, inputSize }, NO_NETWORK);
  const loading = finders.get(inputSize) ?? finder.load().then(() => finder);
  finders.set(inputSize, loading);
  return loading;
}

async function look(canvas: HTMLCanvasElement, side: number): Promise<Look> {
  const finder = await finderAt(side);
  const began = performance.now();
  // It fails for a face whose square is outside the photo.
  const faces = await finder.detect(canvas).catch(() => []);
  return { found: faces.length > 0, ms: performance.now() - began };
}

/** The descriptors of the same face of one photo, by every encoder. */
async function describe(
  photo: string,
  kinds: readonly Kind[],
  { settings, plain = false, sides = [] }: Wish = {},
): Promise<PhotoResult> {
  const all = await loadedAll(kinds, settings);
  const canvas = await drawn(photo);
  if (!canvas) return NOTHING;
  const looks: Look[] = [];
  try {
    for (const side of sides) looks.push(await look(canvas, side));
    const began = performance.now();
    const faces = await (all[0] as FaceEncoder).detect(canvas);
    const findMs = performance.now() - began;
    const face = chosen(faces, canvas);
    if (!face) return { ...NOTHING, outcome: 'no face', findMs, looks };
    const light = lightIn(canvas, middleOf(face));
    const problem = light ? judge(lookAt(face, canvas, light)).problem : 'face_cut_off';
    const made: { descriptor: number[]; quality: number | null; ms: number }[] = [];
    for (const encoder of all) {
      const from = performance.now();
      const { descriptor, quality } =
        encoder.rate && !plain
          ? await encoder.rate(canvas, face)
          : { descriptor: await encoder.describe(canvas, face), quality: null };
      made.push({ descriptor, quality, ms: performance.now() - from });
    }
    return {
      outcome: 'described',
      problem,
      faces: faces.length,
      descriptors: made.map(({ descriptor }) => descriptor),
      qualities: made.map(({ quality }) => quality),
      findMs,
      describeMs: made.map(({ ms }) => ms),
      looks,
    };
  } catch {
    // A face at the edge, whose square is outside the photo.
    return { ...NOTHING, outcome: 'failed', looks };
  } finally {
    wipe(canvas);
  }
}

/** @param photo base64 */
const blobOf = (photo: string) => new Blob([Uint8Array.from(atob(photo), one => one.charCodeAt(0))]);

/** Draws the photo on a canvas as a capture does, upright; null if the browser cannot read it. */
async function drawn(photo: string): Promise<HTMLCanvasElement | null> {
  const image = await createImageBitmap(blobOf(photo)).catch(() => null);
  if (!image) return null;
  const scale = Math.min(1, LARGEST / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas;
}

/** The face nearest to the middle, among those at least half as large as the largest. */
export function chosen(
  faces: readonly DetectedFace[],
  { width, height }: { width: number; height: number },
): DetectedFace | undefined {
  const area = ({ box }: DetectedFace) => box.width * box.height;
  const offCentre = ({ box }: DetectedFace) =>
    Math.hypot(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2);
  const largest = Math.max(...faces.map(area));
  return faces.filter(face => area(face) >= largest / 2).sort((a, b) => offCentre(a) - offCentre(b))[0];
}

/** Every face of a photo, with every change. */
async function change(
  photo: string,
  changes: Parameters<typeof changedFaces>[1],
  kinds: readonly Kind[],
  settings?: OnnxSettings,
) {
  const image = await createImageBitmap(blobOf(photo));
  const all = await loadedAll(kinds, settings);
  const finder = await loaded('ssd');
  return changedFaces(image, changes, finder, all);
}

if (globalThis.window) Object.assign(window, { bench: { describe, change } });
