/**
 * What the adapter needs of `@vladmandic/face-api`, by shape: the SDK neither depends on the package nor pins its
 * version, and pages that use another encoder never load it. Types only.
 */

/** A tensor that belongs to the module; `dispose` gives its memory back. */
export interface Tensor {
  dispose(): void;
}

export interface TensorFlow {
  setWasmPaths(prefix: string): void;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  getBackend(): string;
  env(): { set(flag: string, value: boolean): void };
  readonly io: { decodeWeights(bytes: ArrayBuffer, specs: readonly object[]): object };
  readonly browser: { fromPixels(pixels: ImageData, channels: number): Tensor };
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
