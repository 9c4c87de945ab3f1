/**
 * Another master secret for a database on a server, while nodes run, and the end of the one before. What is the same on
 * every engine: ../journal/rotation.ts. Held by test/postgres/rotation.ts.
 */
import type { Random } from '../../ports/system.ts';
import { destroyOld, type Rotated, RotationFault, rotateMaster } from '../journal/rotation.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { openPostgres } from './driver.ts';
import { seenNodes } from './nodes.ts';
import { openKeyed, type PostgresLocation, rotatingOn } from './open-store.ts';

/**
 * Replaces the master secret of a database on a server. Other nodes need the new one to open or make another key; until
 * they have it they refuse what needs it.
 * @param secret the new one; null: a random one
 * @throws RotationFault, StoreMisfit, StoreUnavailable; nothing has changed then
 */
export async function rotateServer(
  location: PostgresLocation,
  secret: Buffer | null,
  random: Random,
): Promise<Rotated> {
  const { driver, master, owner } = await openKeyed(location, random);
  try {
    const running = location.masterSecret ? await seenNodes(driver.read) : [];
    if (running.length > 0)
      throw new RotationFault(
        `${running.map(({ name }) => name).join(', ')} may have the current secret in MASTER_SECRET: stop all nodes, run this again after a minute, and start them with the new secret`,
      );
    return await rotateMaster(rotatingOn(location, driver, owner), driver, master, secret, random);
  } finally {
    await driver.close();
  }
}

/** Destroys the secret from before the last rotation. @throws RotationFault, StoreUnavailable */
export async function destroyOldOfServer({ address, masterSecretFile }: PostgresLocation): Promise<string> {
  const driver = openPostgres(address, 1);
  try {
    return await destroyOld(masterSecretFile, address.shown, () => checkValue(driver.read));
  } finally {
    await driver.close();
  }
}
