/**
 * Packs built packages with `npm pack`. The tarballs contain no time and no owner, so the same files give the same
 * bytes. Held by test/sdk/tarballs.long.test.ts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.ts';
import { type SdkPackage, tarballOf } from './packages.ts';
import { wholeFolder } from './whole-folder.ts';

/** Below the folder of the built packages. */
export const TARBALLS = 'tarballs';

/**
 * @param out the folder of the built packages
 * @throws Error with what npm says
 */
export async function packAll(packages: readonly SdkPackage[], out: string): Promise<void> {
  await wholeFolder(join(out, TARBALLS), async draft => {
    const built = packages.map(each => join(out, each.folder));
    await npm('the SDK packages could not be packed', out, 'pack', ...built, '--pack-destination', draft);
    const missing = packages.map(tarballOf).filter(file => !existsSync(join(draft, file)));
    if (missing.length > 0) throw new Error(`npm pack did not write ${missing.join(', ')}`);
  });
}
