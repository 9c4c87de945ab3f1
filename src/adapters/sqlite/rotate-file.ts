/** Another master secret for a database in a file, and the end of the one before. A server may run meanwhile. */
import { existsSync } from 'node:fs';
import type { Random } from '../../ports/system.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster } from '../journal/rotation.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { withSql } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';
import { openKeyed, rotatingIn } from './open-store.ts';

/** @param secret the new one; null: a random one. @throws Error with the reason; nothing has changed then */
export async function rotateFile(
  location: StoreLocation,
  secret: Buffer | null,
  random: Random,
): Promise<Rotated> {
  if (!existsSync(location.path))
    throw new RotationFault(`there is no database ${location.path} yet: check DATA_DIR`);
  const { driver, master } = await openKeyed(location, random);
  try {
    return await rotateMaster(rotatingIn(location), driver, master, secret, random);
  } finally {
    await driver.close();
  }
}

/** Destroys the secret from before the last rotation. @returns its file. @throws Error with the reason */
export function destroyOldOfFile({ masterSecretFile, path }: StoreLocation): Promise<string> {
  return destroyOld(masterSecretFile, path, async () =>
    existsSync(path) ? withSql(path, checkValue) : undefined,
  );
}
