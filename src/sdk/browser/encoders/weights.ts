/**
 * Loads a network of face-api from the files of its package and reports the download progress. The library's own loader
 * reports nothing until the largest file, three quarters of the total, has arrived. Held by
 * test/browser/encoder.test.ts and test/sdk/capture-backend.test.ts.
 */
import type { Net, TensorFlow } from './face-api-module.ts';
import { bytesOf as bytesIn, type File, fetched, partsOf, unusable } from './files.ts';

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

const FIX = 'Serve the folder `model` of @vladmandic/face-api, and set modelPath to its URL.';
const fileOf = (url: string): File => ({ option: 'modelPath', url, fix: FIX });

/**
 * Does nothing if the network is already loaded.
 * @param folder a URL or a path
 * @throws FaceSignInError `encoder_failed`, with the URL of the file that is missing or wrong, and the fix
 */
export async function loadNet(tf: TensorFlow, net: Net, folder: string, report: Report): Promise<void> {
  if (net.isLoaded) return;
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const groups = await manifestAt(fileOf(`${start}${net.getDefaultModelName()}-weights_manifest.json`));
  const sizeOf = ({ weights }: Group) => weights.reduce((sum, spec) => sum + bytesOf(spec), 0);
  const total = groups.reduce((sum, group) => sum + sizeOf(group), 0);
  let arrived = 0;
  let tensors = {};
  for (const group of groups) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const path of group.paths)
      for await (const part of partsOf(fileOf(start + path), await fetched(fileOf(start + path)))) {
        parts.push(part);
        arrived += part.length;
        report(Math.min(1, arrived / total));
      }
    const bytes = await new Blob(parts).arrayBuffer();
    if (bytes.byteLength !== sizeOf(group))
      throw unusable(
        fileOf(start + group.paths[0]),
        `has ${bytes.byteLength} bytes instead of ${sizeOf(group)}`,
      );
    tensors = { ...tensors, ...tf.io.decodeWeights(bytes, group.weights) };
  }
  net.loadFromWeightMap(tensors);
}

async function manifestAt(file: File): Promise<Group[]> {
  const text = new TextDecoder().decode(await bytesIn(file));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unusable(file, /^\s*</.test(text) ? 'is a web page' : 'is not JSON', { cause });
  }
}

function bytesOf({ shape, dtype, quantization }: Spec): number {
  return shape.reduce((product, side) => product * side, BYTES[quantization?.dtype ?? dtype] ?? 4);
}
