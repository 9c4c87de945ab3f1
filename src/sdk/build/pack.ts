/**
 * Packs built packages with `npm pack`. The tarballs contain no time and no owner, so the same files give the same
 * bytes. They are made in a folder beside theirs, which replaces it when all are there. Held by
 * test/sdk/tarballs.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.ts';
import { type SdkPackage, tarballOf } from './packages.ts';

/** Below the folder of the built packages. */
export const TARBALLS = 'tarballs';

/**
 * @param out the folder of the built packages
 * @throws Error with what npm says
 */
export async function packAll(packages: readonly SdkPackage[], out: string): Promise<void> {
  const folder = join(out, TARBALLS);
  const unfinished = join(out, `.${TARBALLS}-${process.pid}`);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  try {
    const built = packages.map(each => join(out, each.folder));
    await npm(
      'the SDK packages could not be packed',
      out,
      'pack',
      ...built,
      '--pack-destination',
      unfinished,
    );
    const missing = packages.map(tarballOf).filter(file => !existsSync(join(unfinished, file)));
    if (missing.length > 0) throw new Error(`npm pack did not write ${missing.join(', ')}`);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
