/**
 * Loads a network of face-api from the files of its package and reports the download progress. The library's own loader
 * reports nothing until the largest file, three quarters of the total, has arrived. Held by
 * test/browser/encoder.test.ts and test/sdk/capture-backend.test.ts.
 */
import type { Net, TensorFlow } from './face-api-module.ts';

/** An entry of a manifest: tensors, and the files with their bytes in order. */
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

/** Called with the share of a download that has arrived, 0 to 1. */
export type Report = (share: number) => void;

/**
 * Does nothing if the network is already loaded.
 * @param folder a URL or a path
 * @throws Error with the name of the file that could not be loaded
 */
export async function loadNet(tf: TensorFlow, net: Net, folder: string, report: Report): Promise<void> {
  if (net.isLoaded) return;
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const answer = await asked(`${start}${net.getDefaultModelName()}-weights_manifest.json`);
  const groups: Group[] = await answer.json();
  const total = groups.flatMap(({ weights }) => weights).reduce((sum, spec) => sum + bytesOf(spec), 0);
  let arrived = 0;
  let tensors = {};
  for (const { weights, paths } of groups) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const path of paths)
      for await (const part of partsOf(await asked(start + path))) {
        parts.push(part);
        arrived += part.length;
        report(Math.min(1, arrived / total));
      }
    const bytes = await new Blob(parts).arrayBuffer();
    tensors = { ...tensors, ...tf.io.decodeWeights(bytes, weights) };
  }
  net.loadFromWeightMap(tensors);
}

async function asked(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok)
    throw new Error(`${url}: status ${answer.status}. Check that the models folder is served there`);
  return answer;
}

/** The body of a response, in chunks. */
export async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
}

function bytesOf({ shape, dtype, quantization }: Spec): number {
  return shape.reduce((product, side) => product * side, BYTES[quantization?.dtype ?? dtype] ?? 4);
}
