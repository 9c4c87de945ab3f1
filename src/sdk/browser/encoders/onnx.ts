/**
 * Your own model as an encoder, run by `onnxruntime-web`: any network that turns a picture of a face into 128 numbers.
 * Another encoder, such as face-api's, finds faces and landmarks. The face is rotated and scaled so that its eyes, or
 * five of its points, are where the model expects them. You install and serve the runtime and the model. A model whose
 * output is not 128 finite numbers is refused. Held by test/browser/encoder-onnx.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import { warnOfUnknown } from '../near.ts';
import { imported } from '../thrown.ts';
import type { FaceEncoder } from '../types.ts';
import { type EyePlaces, eyeSimilarity, fiveSimilarity } from './align.ts';
import { centre, normalise } from './centre.ts';
import { type InputOptions, inputOf } from './crop.ts';
import { bytesOf } from './files.ts';
import { encoderFailed, loader } from './loading.ts';
import { orWorkerRefused } from './policy.ts';

export { ARCFACE_EYES, type EyePlaces } from './align.ts';

/** The parts of `onnxruntime-web` that are used. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options?: object): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => unknown;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: the runtime's own types of tensors are not the SDK's business
  run(feeds: any): Promise<Record<string, any>>;
  release(): Promise<void>;
}

export interface OnnxOptions extends InputOptions {
  /** The model and its version. Descriptors of different IDs cannot be compared. */
  readonly id: string;
  /** The configured module `onnxruntime-web`, or a function that imports it. */
  readonly ort: OnnxRuntime | (() => Promise<OnnxRuntime>);
  /** URL or bytes of the model. It has one input, and one output of 128 numbers. */
  readonly model: string | Uint8Array;
  /** Another encoder, which finds faces with 68 landmarks. Its `describe` is not used. */
  readonly detect: Pick<FaceEncoder, 'load' | 'detect' | 'dispose'>;
  /** Side of the model's square input, in pixels. Most models have 112. */
  readonly size: number;
  /**
   * The points to align: both eyes (`eyes`, default), or eyes, nose and corners of the mouth (`five`), as in ArcFace's
   * crops. Models trained on such crops do better with five.
   */
  readonly points?: 'eyes' | 'five';
  /** Where the model expects the eyes, in shares of the square. Default: as in ArcFace's crops. Not with `five`. */
  readonly eyes?: EyePlaces;
  /** Mean descriptor to subtract, for models whose descriptors are all alike. Default: none. */
  readonly centre?: readonly number[];
  /** Options of the runtime's session. Default: the WASM provider. */
  readonly session?: object;
}

const OPTIONS: Readonly<Record<keyof OnnxOptions, true>> = {
  id: true,
  ort: true,
  model: true,
  detect: true,
  size: true,
  points: true,
  eyes: true,
  centre: true,
  session: true,
  layout: true,
  mean: true,
  std: true,
  colours: true,
};

/** Descriptors have 128 numbers and norm 1. */
export function onnxEncoder(options: OnnxOptions): FaceEncoder {
  warnOfUnknown('onnxEncoder', options, Object.keys(OPTIONS));
  if (!(Number.isInteger(options.size) && options.size > 0))
    throw new RangeError('size must be a whole number of pixels');
  const { points = 'eyes', eyes } = options;
  if (points !== 'eyes' && points !== 'five') throw new RangeError("points must be 'eyes' or 'five'");
  if (points === 'five' && eyes) throw new RangeError("eyes does not go with points: 'five'");
  let runtime: OnnxRuntime | undefined;
  let model: OnnxSession | undefined;

  const load = loader(async report => {
    if (model) return;
    const { ort, detect } = options;
    await detect.load({ onProgress: progress => report(progress / 2) });
    const explain = (reason: string) => `ort: the module could not be imported (${reason})`;
    runtime = typeof ort === 'function' ? await imported(ort, 'encoder_failed', explain) : ort;
    const settings = options.session ?? { executionProviders: ['wasm'] };
    const made = await orWorkerRefused(
      runtime.InferenceSession.create(
        await bytesIn(options.model, share => report((1 + 0.95 * share) / 2)),
        settings,
      ),
    );
    if (made.inputNames.length !== 1 || made.outputNames.length !== 1) {
      await made.release();
      throw new RangeError('the model must have one input and one output');
    }
    // The first run is slow: it prepares the model.
    await run(runtime, made, new Float32Array(3 * options.size ** 2), options);
    model = made;
  });

  return {
    id: options.id,
    load,
    detect: frame => options.detect.detect(frame),
    async describe(frame, face) {
      if (!runtime || !model) throw new FaceSignInError('encoder_failed', { detail: 'call load() first' });
      try {
        const { landmarks } = face;
        const place =
          points === 'five'
            ? fiveSimilarity(landmarks, options.size)
            : eyeSimilarity(landmarks, options.size, eyes);
        const raw = await run(runtime, model, inputOf(frame, place, options.size, options), options);
        return options.centre ? centre(raw, options.centre) : normalise(raw);
      } catch (cause) {
        throw encoderFailed(cause);
      }
    },
    dispose() {
      model?.release().catch(() => undefined);
      model = undefined;
      options.detect.dispose?.();
    },
  };
}

/** Fetched here, because the runtime does not say why a model does not come. */
async function bytesIn(model: string | Uint8Array, report: (share: number) => void): Promise<Uint8Array> {
  if (typeof model !== 'string') return model;
  return new Uint8Array(
    await bytesOf({ option: 'model', url: model, fix: 'Serve the model there.' }, report),
  );
}

async function run(
  runtime: OnnxRuntime,
  model: OnnxSession,
  input: Float32Array,
  { layout, size }: OnnxOptions,
): Promise<ArrayLike<number>> {
  const dims = layout === 'nchw' ? [1, 3, size, size] : [1, size, size, 3];
  const [name, output] = [model.inputNames[0] as string, model.outputNames[0] as string];
  try {
    const answer = await model.run({ [name]: new runtime.Tensor('float32', input, dims) });
    return answer[output]?.data;
  } finally {
    input.fill(0);
  }
}
