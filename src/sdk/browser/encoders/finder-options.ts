/**
 * The options of every encoder that uses face-api: checked at once, because a misspelt one would otherwise do nothing,
 * and a missing one would fail only when a person signs in. Held by test/sdk/browser-options.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import { warnOfUnknown } from '../near.ts';
import { imported } from '../thrown.ts';
import type { BackendOptions } from './backend.ts';
import type { FaceApiModule, KnownFaceApi } from './face-api-module.ts';

export interface FinderOptions extends BackendOptions {
  /** The module `@vladmandic/face-api`, or a function that imports it on demand. */
  readonly faceapi: FaceApiModule | (() => Promise<FaceApiModule>);
  /** URL or path of the package's folder `model`, with or without a trailing slash. */
  readonly modelPath: string;
  /** `tiny` (default): 0.2 MB, fast. `ssd`: 5.6 MB, slower, finds smaller and turned faces. */
  readonly detector?: 'tiny' | 'ssd';
  /** How sure the detector must be, 0 to 1. Default: 0.5. */
  readonly minConfidence?: number;
  /**
   * Side of the tiny detector's input in pixels, a multiple of 32: the only one that is then tried. Default: 224, then
   * 320, 416 and 96, until a face is found.
   */
  readonly inputSize?: number;
}

/** The names of the options, each of them. */
const FINDER_OPTIONS: Readonly<Record<keyof FinderOptions, true>> = {
  faceapi: true,
  modelPath: true,
  wasmPath: true,
  threads: true,
  fallback: true,
  detector: true,
  minConfidence: true,
  inputSize: true,
};

/**
 * Warns of options that do not exist.
 * @throws TypeError for one that is missing or of the wrong kind
 */
export function checkOptions(
  of: string,
  options: FinderOptions,
  known: Readonly<Record<string, true>>,
): void {
  const names = Object.keys({ ...FINDER_OPTIONS, ...known });
  warnOfUnknown(of, options ?? {}, names);
  const { faceapi, modelPath, wasmPath, detector } = options ?? {};
  if (!faceapi || (typeof faceapi !== 'object' && typeof faceapi !== 'function'))
    throw new TypeError(`${of}: faceapi must be a function such as () => import('/face-api.esm.js').`);
  if (typeof modelPath !== 'string')
    throw new TypeError(`${of}: modelPath must be the URL of the folder \`model\` of @vladmandic/face-api.`);
  if (wasmPath !== undefined && typeof wasmPath !== 'string')
    throw new TypeError(
      `${of}: wasmPath must be the URL of the .wasm files of @tensorflow/tfjs-backend-wasm.`,
    );
  if (detector !== undefined && detector !== 'tiny' && detector !== 'ssd')
    throw new TypeError(`${of}: detector must be 'tiny' or 'ssd'.`);
}

const MODULE_FIX =
  'Serve face-api.esm.js of @vladmandic/face-api, or install the package, and import it in faceapi.';

/** @throws FaceSignInError `encoder_failed`, with the fix */
export async function moduleOf(given: FinderOptions['faceapi']): Promise<KnownFaceApi> {
  const explain = (reason: string) => `faceapi: the module could not be imported (${reason}). ${MODULE_FIX}`;
  const load = async () => (typeof given === 'function' ? given() : given);
  const found = await imported(load, 'encoder_failed', explain);
  if (found?.tf && found.nets) return found as KnownFaceApi;
  throw new FaceSignInError('encoder_failed', {
    retryable: false,
    detail: `faceapi: this is not the module @vladmandic/face-api, which has tf and nets. ${MODULE_FIX}`,
  });
}
