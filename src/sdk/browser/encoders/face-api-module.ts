/**
 * Types for the parts of `@vladmandic/face-api` that the SDK uses. The SDK does not depend on the package or pin its
 * version, and pages with another encoder never load it.
 */

/** A tensor that belongs to the module; `dispose` releases its memory. */
export interface Tensor {
  dispose(): void;
  data(): Promise<Float32Array>;
}

/** Options of a fused convolution. `prelu` needs one weight per channel. */
interface Convolution {
  readonly x: Tensor;
  readonly filter: Tensor;
  readonly strides: number;
  readonly pad: 'same' | 'valid';
  readonly bias: Tensor;
  readonly activation: 'linear' | 'prelu';
  readonly preluActivationWeights?: Tensor;
}

/** A picture without anything in it. */
interface Blank {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface TensorFlow {
  setWasmPaths(prefix: string): void;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  getBackend(): string;
  env(): { set(flag: string, value: boolean): void };
  readonly io: { decodeWeights(bytes: ArrayBuffer, specs: readonly object[]): Record<string, Tensor> };
  readonly browser: { fromPixels(pixels: ImageData | Blank, channels: number): Tensor };
  readonly fused: { conv2d(of: Convolution): Tensor; depthwiseConv2d(of: Convolution): Tensor };
  tensor4d(values: Float32Array, shape: readonly [number, number, number, number]): Tensor;
  add(a: Tensor, b: Tensor): Tensor;
  /** Releases every tensor that `work` creates, except its result. */
  tidy(work: () => Tensor): Tensor;
}

export interface Net {
  readonly isLoaded: boolean;
  /** The prefix of its file names. */
  getDefaultModelName(): string;
  loadFromWeightMap(tensors: object): void;
  dispose(): void;
}

export interface FoundBox {
  readonly score: number;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

interface Detector<Options> extends Net {
  locateFaces(input: Tensor, options: Options): Promise<readonly FoundBox[]>;
}

export interface FaceApiModule {
  readonly tf: unknown;
  readonly nets: {
    readonly tinyFaceDetector: unknown;
    readonly ssdMobilenetv1: unknown;
    readonly faceLandmark68Net: unknown;
    readonly faceRecognitionNet: unknown;
  };
}

/** The module as documented. Its own types are incomplete. */
export interface KnownFaceApi {
  readonly tf: TensorFlow;
  readonly nets: {
    readonly tinyFaceDetector: Detector<{ inputSize: number; scoreThreshold: number }>;
    readonly ssdMobilenetv1: Detector<{ minConfidence: number; maxResults: number }>;
    readonly faceLandmark68Net: Net & {
      detectLandmarks(input: Tensor): Promise<{
        readonly positions: readonly { readonly x: number; readonly y: number }[];
      }>;
    };
    readonly faceRecognitionNet: Net & { computeFaceDescriptor(input: Tensor): Promise<Float32Array> };
  };
}
