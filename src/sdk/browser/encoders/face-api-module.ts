/**
 * What the adapter needs of `@vladmandic/face-api`, by shape: the SDK neither depends on the package nor pins its
 * version, and pages that use another encoder never load it. Types only.
 */

/** A tensor that belongs to the module; `dispose` releases its memory. */
export interface Tensor {
  dispose(): void;
  data(): Promise<Float32Array>;
}

/** What a fused convolution takes. `prelu` needs its weights, one for each channel. */
export interface Convolution {
  readonly x: Tensor;
  readonly filter: Tensor;
  readonly strides: number;
  readonly pad: 'same' | 'valid';
  readonly bias: Tensor;
  readonly activation: 'linear' | 'prelu';
  readonly preluActivationWeights?: Tensor;
}

export interface TensorFlow {
  setWasmPaths(prefix: string): void;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  getBackend(): string;
  env(): { set(flag: string, value: boolean): void };
  readonly io: { decodeWeights(bytes: ArrayBuffer, specs: readonly object[]): Record<string, Tensor> };
  readonly browser: { fromPixels(pixels: ImageData, channels: number): Tensor };
  readonly fused: { conv2d(of: Convolution): Tensor; depthwiseConv2d(of: Convolution): Tensor };
  tensor4d(values: Float32Array, shape: readonly [number, number, number, number]): Tensor;
  add(a: Tensor, b: Tensor): Tensor;
  /** Releases every tensor made by `work` but the one that it returns. */
  tidy(work: () => Tensor): Tensor;
}

export interface Net {
  readonly isLoaded: boolean;
  /** How its files begin. */
  getDefaultModelName(): string;
  loadFromWeightMap(tensors: object): void;
  dispose(): void;
}

interface FoundBox {
  readonly score: number;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface Detector<Options> extends Net {
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

/** The module, as its documentation describes it: its own types say less (and more) than it has. */
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
