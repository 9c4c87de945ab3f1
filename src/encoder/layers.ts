/** The weights of a network, layer by layer. */

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

export interface Layer {
  /** Height, width, inputs, outputs. For a depthwise layer: height, width, channels, 1. */
  readonly weights: Tensor;
  readonly bias: Tensor;
  /** Slopes of the PReLU after the layer, one per output. Null: no PReLU. */
  readonly slopes: Tensor | null;
}
