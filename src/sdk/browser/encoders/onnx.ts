/**
 * A model of the integrator's own as an encoder, run by `onnxruntime-web`: any network that makes 128 numbers of a face's
 * picture. Faces and landmarks come from a detector beside it, such as the face-api encoder; the face is turned and
 * scaled so that both eyes are where the model expects them. The runtime and the model are the integrator's to install
 * and to serve. Refuses a model that gives anything but 128 finite numbers. Held by test/browser/encoder-onnx.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { DetectedFace, FaceEncoder, Frame } from '../types.ts';
import { ARCFACE_EYES, type EyePlaces, eyeSimilarity } from './align.ts';
import { centre, normalise } from './centre.ts';
import { encoderFailed, loader } from './loading.ts';
import { drawn } from './pixels.ts';
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

export interface OnnxOptions {
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
  /** Order of the input's dimensions: [1, 3, size, size] or [1, size, size, 3]. */
  readonly layout: 'nchw' | 'nhwc';
  /** Each colour becomes (value − mean) / std, where value runs from 0 to 255; one number for all or three. */
  readonly mean: number | readonly [number, number, number];
  readonly std: number | readonly [number, number, number];
  /** Order of the colours; `rgb` unless told. The numbers of `mean` and `std` are in this order. */
  readonly colours?: 'rgb' | 'bgr';
  /** Where the model expects the eyes, in shares of the square; where ArcFace's crops have them unless told. */
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
        const raw = await run(runtime, model, inputOf(frame, face, options), options);
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

/** The face, turned upright and cut out, as the model wants its numbers. */
function inputOf(
  frame: Frame,
  face: DetectedFace,
  { size, layout, mean, std, colours = 'rgb', eyes = ARCFACE_EYES }: OnnxOptions,
): Float32Array {
  const { a, b, c, d, e, f } = eyeSimilarity(face.landmarks, size, eyes);
  const pixels = drawn(size, context => {
    context.setTransform(a, b, c, d, e, f);
    context.drawImage(frame, 0, 0);
  });
  const plane = size * size;
  const input = new Float32Array(3 * plane);
  const [means, stds] = [threeOf(mean), threeOf(std)];
  for (let i = 0; i < plane; i++)
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels.data[4 * i + (colours === 'rgb' ? channel : 2 - channel)] as number;
      const at = layout === 'nchw' ? channel * plane + i : 3 * i + channel;
      input[at] = (value - (means[channel] as number)) / (stds[channel] as number);
    }
  pixels.data.fill(0);
  return input;
}

function threeOf(value: number | readonly [number, number, number]): readonly number[] {
  return typeof value === 'number' ? [value, value, value] : value;
}
