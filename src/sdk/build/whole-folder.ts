/**
 * Makes a folder in a draft beside it, which replaces the old one when it is whole. If it cannot, the old one stays or
 * comes back. Held by test/dist/release.long.test.ts and test/sdk/tarballs.long.test.ts.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @returns what `fill` returns. @throws what it throws */
export async function wholeFolder<Made>(
  folder: string,
  fill: (draft: string) => Promise<Made>,
): Promise<Made> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
  try {
    // mkdtemp makes folders for their owner only.
    chmodSync(draft, 0o755);
    const made = await fill(draft);
    replace(folder, draft);
    return made;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function replace(folder: string, by: string): void {
  const old = `${by}-old`;
  const had = existsSync(folder);
  if (had) renameSync(folder, old);
  try {
    renameSync(by, folder);
  } catch (error) {
    if (had) renameSync(old, folder);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}
