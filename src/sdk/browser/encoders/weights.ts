/**
 * Loads a network of face-api from the files of its package as they come, and tells how much has come: the library's own way
 * tells nothing until the largest file, three quarters of everything, is there. Held by test/browser/encoder.test.ts and
 * test/sdk/capture-backend.test.ts.
 */
import type { Net, TensorFlow } from './face-api-module.ts';

/** Of a manifest: tensors, and the files that hold their bytes one after the other. */
interface Group {
  readonly weights: readonly Spec[];
  readonly paths: readonly string[];
}
interface Spec {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: { readonly dtype: string };
}

const BYTES: Readonly<Record<string, number>> = { uint8: 1, bool: 1, uint16: 2, float16: 2 };

/** Hears how much of a download has arrived, 0 to 1. */
export type Tell = (share: number) => void;

/**
 * Does nothing for a network that is loaded already.
 * @param folder a URL or a path
 * @throws Error that names the file that could not be loaded
 */
export async function loadNet(tf: TensorFlow, net: Net, folder: string, tell: Tell): Promise<void> {
  if (net.isLoaded) return;
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const answer = await asked(`${start}${net.getDefaultModelName()}-weights_manifest.json`);
  const groups: Group[] = await answer.json();
  const total = groups.flatMap(({ weights }) => weights).reduce((sum, spec) => sum + bytesOf(spec), 0);
  let come = 0;
  let tensors = {};
  for (const { weights, paths } of groups) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const path of paths)
      for await (const part of partsOf(await asked(start + path))) {
        parts.push(part);
        come += part.length;
        tell(Math.min(1, come / total));
      }
    const bytes = await new Blob(parts).arrayBuffer();
    tensors = { ...tensors, ...tf.io.decodeWeights(bytes, weights) };
  }
  net.loadFromWeightMap(tensors);
}

async function asked(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok)
    throw new Error(`${url}: status ${answer.status}; is the folder of the models served there?`);
  return answer;
}

/** The body of an answer, piece by piece. */
export async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
}

function bytesOf({ shape, dtype, quantization }: Spec): number {
  return shape.reduce((product, side) => product * side, BYTES[quantization?.dtype ?? dtype] ?? 4);
}
