/**
 * A model of the integrator's own as an encoder, run by `onnxruntime-web`: any network that makes 128 numbers of a face's
 * picture. Faces and landmarks come from a detector beside it, such as the face-api encoder; the face is turned and
 * scaled so that its eyes, or five of its points, are where the model expects them. The runtime and the model are the integrator's to install
 * and to serve. Refuses a model that gives anything but 128 finite numbers. Held by test/browser/encoder-onnx.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { FaceEncoder } from '../types.ts';
import { type EyePlaces, eyeSimilarity, fiveSimilarity } from './align.ts';
import { centre, normalise } from './centre.ts';
import { type InputOptions, inputOf } from './crop.ts';
import { encoderFailed, loader } from './loading.ts';
import { orWorkerRefused } from './policy.ts';

export { ARCFACE_EYES, type EyePlaces } from './align.ts';

/** What is needed of `onnxruntime-web`, by shape. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: string, options?: object): Promise<OnnxSession>;
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
  /** Names model and version: descriptors of different ids cannot be compared. */
  readonly id: string;
  /** The module `onnxruntime-web`, set up as its documentation says, or a function that imports it. */
  readonly ort: OnnxRuntime | (() => Promise<OnnxRuntime>);
  /** Where the page serves the model, or its bytes. One input, one output of 128 numbers. */
  readonly model: string | Uint8Array;
  /** Finds faces with 68 landmarks: another encoder, of which only `load` and `detect` are used. */
  readonly detect: Pick<FaceEncoder, 'load' | 'detect' | 'dispose'>;
  /** Side of the model's square input, in pixels; 112 for most. */
  readonly size: number;
  /**
   * What is brought to its place: both eyes (`eyes`, default), or eyes, nose and corners of the mouth (`five`), to where
   * ArcFace's crops have them. Models trained on such crops do better with five.
   */
  readonly points?: 'eyes' | 'five';
  /** Where the model expects the eyes, in shares of the square; default: where ArcFace's crops have them. Not with `five`. */
  readonly eyes?: EyePlaces;
  /** Mean descriptor to be taken away, for models whose descriptors are all alike; none unless told. */
  readonly centre?: readonly number[];
  /** Options of the runtime's session; the WASM provider unless told. */
  readonly session?: object;
}

/** Descriptors have 128 numbers and norm 1. */
export function onnxEncoder(options: OnnxOptions): FaceEncoder {
  if (!(Number.isInteger(options.size) && options.size > 0))
    throw new RangeError('size must be a whole number of pixels');
  const { points = 'eyes', eyes } = options;
  if (points !== 'eyes' && points !== 'five') throw new RangeError("points must be 'eyes' or 'five'");
  if (points === 'five' && eyes) throw new RangeError("eyes does not go with points: 'five'");
  let runtime: OnnxRuntime | undefined;
  let model: OnnxSession | undefined;

  const load = loader(async tell => {
    if (model) return;
    const { ort, detect } = options;
    await detect.load({ onProgress: progress => tell(progress / 2) });
    runtime = typeof ort === 'function' ? await ort() : ort;
    tell(0.6);
    const settings = options.session ?? { executionProviders: ['wasm'] };
    const made = await orWorkerRefused(create(runtime, options.model, settings));
    if (made.inputNames.length !== 1 || made.outputNames.length !== 1) {
      await made.release();
      throw new RangeError('the model must have one input and one output');
    }
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

function create(runtime: OnnxRuntime, model: string | Uint8Array, settings: object): Promise<OnnxSession> {
  const { InferenceSession } = runtime;
  return typeof model === 'string'
    ? InferenceSession.create(model, settings)
    : InferenceSession.create(model, settings);
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
