/**
 * Makes the encoder's files in a folder from the published model. The weights are written only if their SHA-256 is the
 * known one. Correct weights that already exist are not converted again. Held by test/encoder/real.long.test.ts.
 */
import { join } from 'node:path';
import { readAsset } from '../assets.ts';
import { convert } from './convert.ts';
import { contentOf, place } from './place.ts';
import { WEIGHTS } from './published.ts';
import { sha256 } from './source.ts';

export interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** False: it already existed. */
  readonly isNew: boolean;
}

/** @param model the published model, from readSource. @throws a system error if a file cannot be written */
export function makeEncoder(model: Buffer, folder: string): Made[] {
  const weightsFile = join(folder, WEIGHTS.file);
  const existing = contentOf(weightsFile);
  const weights = existing && isRight(existing) ? existing : convert(model, WEIGHTS.outputs);
  if (!isRight(weights))
    throw new Error(`the conversion gave SHA-256 ${sha256(weights)} instead of ${WEIGHTS.sha256}`);
  const notice = readAsset('src/encoder/mobilefacenet.NOTICE.txt');
  // The notice comes first, so the weights are never there without it.
  const notices = placed(join(folder, WEIGHTS.notice), notice);
  return [placed(weightsFile, weights), notices];
}

const isRight = (weights: Buffer) => sha256(weights) === WEIGHTS.sha256;

function placed(file: string, content: Buffer): Made {
  return { file, bytes: content.length, sha256: sha256(content), isNew: place(file, content) };
}
