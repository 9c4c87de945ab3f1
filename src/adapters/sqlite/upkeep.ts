/** Backup, restore, checks and another master secret for the database file. Each is in its own file, collected here. */
import { existsSync, rmSync } from 'node:fs';
import type { Random } from '../../ports/system.ts';
import type { FileUpkeep } from '../../ports/upkeep.ts';
import { examineOldSecret, examineSecret } from '../journal/examine-keys.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster } from '../journal/rotation.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { backUp, draftOf } from './backup.ts';
import { examineDatabase, latestMoment, traceOf } from './examine.ts';
import { failed, withSql } from './examine-reading.ts';
import { examineRows } from './examine-rows.ts';
import type { StoreLocation } from './location.ts';
import { openKeyed, rotatingIn } from './open-store.ts';
import { restore } from './restore.ts';

export function fileUpkeep(location: StoreLocation, random: Random): FileUpkeep {
  return {
    backUp: (file, onProgress) => backUp(location.path, file, onProgress),
    dropDraft: file => rmSync(draftOf(file), { force: true }),
    restore: request => restore(location, request, random),
    trace: id => traceOf(location, id),
    examine: async () => ({
      database: await examineDatabase(location),
      secret: await examineSecret(
        location,
        existsSync(location.path) ? () => withSql(location.path, checkValue) : null,
      ).catch(failed),
      oldSecret: examineOldSecret(location),
      ...(await examineRows(location)),
      latest: latestMoment(location),
    }),
  };
}

/**
 * A server may run meanwhile.
 * @param secret the new one; null: a random one. @throws Error with the reason; nothing has changed then
 */
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
