/**
 * The encoder trial: the SDK's own capture path in Chromium, for every available encoder, on the user's labelled photos
 * or on the sample photos of the face-api package. Checked by test/browser/bench-encoder.test.ts.
 */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from '../../test/browser/chromium.ts';
import { type Encoder, encodersOf, LEFT_OUT, type Network, weightsFile } from './encoders.ts';
import { readFolder } from './folder.ts';
import { onnxSettings } from './onnx-settings.ts';
import { onPhotos } from './photos.ts';
import { onSamples } from './samples.ts';
import { openSite, photoAt, type Site } from './site.ts';

export interface EncoderOptions {
  readonly photos?: string | undefined;
  readonly weights?: string | undefined;
  readonly onnx?: string | undefined;
  readonly onnxOptions?: string | undefined;
  readonly anyQuality: boolean;
}

const CHROMIUM = '/usr/bin/chromium';
const SAMPLES = join(MODULES, '@vladmandic/face-api/demo');

export async function encoder({ photos, weights, onnx, onnxOptions, anyQuality }: EncoderOptions) {
  if (onnx !== undefined && !existsSync(onnx)) throw new Error(`--onnx: ${onnx} does not exist`);
  if (onnxOptions !== undefined && onnx === undefined)
    throw new Error('--onnx-options goes with --onnx FILE');
  const settings = onnxSettings(onnxOptions);
  const folder = photos === undefined ? null : readFolder(photos);
  const file = weightsFile(weights);
  if (file === null) console.error(LEFT_OUT);
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing; apt-get install chromium`);
  const encoders = encodersOf(file, onnx !== undefined);
  const site = await openSite({
    weights: file,
    onnx: onnx === undefined ? undefined : { file: onnx, settings },
  });
  try {
    const samples = globSync('sample*.jpg', { cwd: SAMPLES }).sort();
    const first = folder?.photos[0]?.path ?? join(SAMPLES, samples[0] as string);
    const bytes = await firstVisits(encoders, site, await photoAt(first));
    return folder
      ? await onPhotos(folder, encoders, site, bytes, anyQuality)
      : await onSamples(
          samples.map(name => join(SAMPLES, name)),
          encoders,
          site,
          bytes,
        );
  } finally {
    await site.close();
  }
}

/** Bytes that a page with an empty cache loads before the encoder can describe a face, by network. */
async function firstVisits(
  encoders: readonly Encoder[],
  site: Site,
  photo: Buffer,
): Promise<Map<Network, number>> {
  const bytes = new Map<Network, number>();
  for (const { network } of encoders) {
    if (bytes.has(network)) continue;
    const before = site.bytes();
    const tab = await site.tab();
    await tab.describe(photo, [network]);
    await tab.close();
    bytes.set(network, site.bytes() - before);
  }
  return bytes;
}
