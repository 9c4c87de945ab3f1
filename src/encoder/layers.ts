/** What the weights of a network are, layer by layer. */

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

export interface Layer {
  /** Height, width, inputs, outputs; of a depthwise layer: height, width, channels, 1. */
  readonly weights: Tensor;
  readonly bias: Tensor;
  /** Of the PReLU behind it, one for each output; null: there is none. */
  readonly slopes: Tensor | null;
}
