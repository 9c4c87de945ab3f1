/**
 * Replaces the master secret, even while a server runs. The steps, each on the disk before the next begins:
 *   1. write the new secret to `master.key.next`
 *   2. rewrap all keys and update the check value, in one transaction
 *   3. keep the old file as `master.key.old`, and rename the new one to `master.key`
 * If interrupted, exactly one of the two files fits the database, and the next process that opens it finishes the
 * rotation (`settleMasterFile`). If the secret comes from the settings, there are no files, only step 2.
 *
 * The data keys stay the same: someone with the old secret and an old copy of the database has them. `app rekey`
 * replaces the data keys. Held by test/cli/master-secret.long.test.ts.
 */
import { existsSync } from 'node:fs';
import type { Random } from '../../ports/system.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import {
  adoptNext,
  destroyOldSecret,
  dropNext,
  MASTER_SECRET_BYTES,
  masterIn,
  nextOf,
  oldOf,
  writeNext,
} from '../secrets/master-secret.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { rewrapKeys } from '../sql/keys/rewrap.ts';
import { SERVICE } from '../sql/scope.ts';
import type { SecretLocation } from './files.ts';

/** The rotation is not possible. The message names the fix. */
export class RotationFault extends Error {}

/** Where the master secret is, and how one rotation at a time is allowed. */
export interface Rotating extends SecretLocation {
  /** @returns a function that releases the lock; null: another rotation holds it */
  readonly lock: () => Promise<(() => unknown) | null>;
}

/** Finishes or cancels an interrupted rotation, depending on which file fits the database. */
export async function settleMasterFile(rotating: Rotating, sql: Sql): Promise<void> {
  const { masterSecret, masterSecretFile: file } = rotating;
  if (masterSecret || !existsSync(nextOf(file))) return;
  const release = await rotating.lock();
  // A rotation is running and will finish by itself.
  if (!release) return;
  try {
    await settleHeld(file, sql);
  } finally {
    await release();
  }
}

/** The caller holds the lock, so no rotation is running. */
async function settleHeld(file: string, sql: Sql): Promise<void> {
  if (!existsSync(nextOf(file))) return;
  const value = await checkValue(sql);
  if (masterIn(nextOf(file))?.checkValue === value) adoptNext(file);
  else if (masterIn(file)?.checkValue === value) dropNext(file);
}

export interface Rotated {
  /** How many keys were rewrapped. */
  readonly keys: number;
}

/**
 * @param secret the new one; null: a random one
 * @throws RotationFault; nothing has changed then
 */
export async function rotateMaster(
  rotating: Rotating,
  driver: Driver,
  current: Master,
  secret: Buffer | null,
  random: Random,
): Promise<Rotated> {
  const next = secret ?? random.bytes(MASTER_SECRET_BYTES);
  const following = masterOf(next);
  const release = await rotating.lock();
  if (!release)
    throw new RotationFault('another rotation of the master secret is running: wait until it has finished');
  try {
    // If another rotation was just interrupted, the current secret may be in the file that this one overwrites.
    if (!rotating.masterSecret) await settleHeld(rotating.masterSecretFile, driver.read);
    if ((await checkValue(driver.read)) !== current.checkValue)
      throw new RotationFault(
        'the master secret was rotated a moment ago: run the command again to rotate once more',
      );
    if (!rotating.masterSecret) requireNoOld(rotating.masterSecretFile);
    if (following.checkValue === current.checkValue)
      throw new RotationFault('the new master secret is the same as the current one: choose another');
    if (!rotating.masterSecret) writeNext(rotating.masterSecretFile, next);
    const keys = await driver.write(SERVICE, sql => rewrapKeys(sql, current, following, random));
    if (!rotating.masterSecret) adoptNext(rotating.masterSecretFile);
    await driver.scrub();
    return { keys };
  } finally {
    await release();
  }
}

/** With two old secrets, nobody would know which backup needs which. */
function requireNoOld(file: string): void {
  if (existsSync(oldOf(file)))
    throw new RotationFault(
      `${oldOf(file)} contains the secret from before the last rotation: move it to where you keep old secrets, or destroy it with "master-secret destroy-old --yes", then rotate again`,
    );
}

/**
 * Destroys the secret from before the last rotation.
 * @param database for messages
 * @param stored the check value in the database; undefined: there is none
 * @returns its file
 * @throws RotationFault if there is none, or the database still needs it; nothing has changed then
 */
export async function destroyOld(
  file: string,
  database: string,
  stored: () => Promise<string | undefined>,
): Promise<string> {
  const old = oldOf(file);
  if (!existsSync(old)) throw new RotationFault(`there is no old master secret ${old}`);
  const needed = await stored();
  if (needed !== undefined && masterIn(old)?.checkValue === needed)
    throw new RotationFault(
      `${old} contains the secret that ${database} needs now: move it to ${file} instead of destroying it`,
    );
  destroyOldSecret(file);
  return old;
}
