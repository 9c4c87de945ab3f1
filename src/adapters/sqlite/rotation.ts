/**
 * Replaces the master secret, beside a running server too. The steps, each on the disk before the next one:
 * the new secret as `master.key.next`; all keys wrapped anew and the check value, in one transaction; the file renamed to
 * `master.key`, with the one before kept as `master.key.old`. Killed anywhere, exactly one of the two files fits the database, and whoever opens it next finishes
 * (`settleMasterFile`). Where the settings hold the secret there is no file, and the transaction is the whole of it.
 *
 * What it does not do: what was sealed stays sealed by the same keys, and who has the old secret and an old copy of the
 * database has them. `app rekey` replaces those. test/cli/master-secret.long.test.ts holds it.
 */
import { existsSync } from 'node:fs';
import type { Random } from '../../ports/system.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import {
  adoptNext,
  dropNext,
  MASTER_SECRET_BYTES,
  nextOf,
  oldOf,
  writeNext,
} from '../secrets/master-secret.ts';
import { destroyOldSecret } from '../secrets/old-secret.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { wrapAnew } from '../sql/keys/rewrap.ts';
import { LockHeld } from '../sql/lock-held.ts';
import { SERVICE } from '../sql/scope.ts';
import { lockFile } from './instance-lock.ts';
import type { StoreLocation } from './location.ts';

/** What a file holds, as far as it can be a master secret. */
type MasterIn = (file: string) => Master | null;

/** The rotation cannot be made as asked. The message names the mend. */
export class RotationFault extends Error {}

/** One rotation at a time. @returns gives it back. @throws LockHeld */
const lockRotation = ({ path }: StoreLocation) => lockFile(`${path}.rotation.lock`);

/** After an interrupted rotation: the file that fits takes the place of the other. */
export async function settleMasterFile(location: StoreLocation, sql: Sql, masters: MasterIn): Promise<void> {
  const { masterSecret, masterSecretFile: file } = location;
  if (masterSecret || !existsSync(nextOf(file))) return;
  let release: () => void;
  try {
    release = lockRotation(location);
  } catch (error) {
    // One is under way, and ends what it has begun.
    if (error instanceof LockHeld) return;
    throw error;
  }
  try {
    await settleHeld(file, sql, masters);
  } finally {
    release();
  }
}

/** The caller has the lock: no rotation is under way. */
async function settleHeld(file: string, sql: Sql, masters: MasterIn): Promise<void> {
  if (!existsSync(nextOf(file))) return;
  const value = await checkValue(sql);
  if (masters(nextOf(file))?.checkValue === value) adoptNext(file);
  else if (masters(file)?.checkValue === value) dropNext(file);
}

export interface Rotated {
  /** How many keys were wrapped anew. */
  readonly keys: number;
}

/**
 * @param secret the new one; null: a random one
 * @throws RotationFault; then nothing has changed
 */
export async function rotateMaster(
  location: StoreLocation,
  driver: Driver,
  current: Master,
  secret: Buffer | null,
  random: Random,
  masters: MasterIn,
): Promise<Rotated> {
  const next = secret ?? random.bytes(MASTER_SECRET_BYTES);
  const following = masterOf(next);
  const release = taken(location);
  try {
    // Another may have been killed a moment ago: the present secret is then in the file that is to be written.
    if (!location.masterSecret) await settleHeld(location.masterSecretFile, driver.read, masters);
    if ((await checkValue(driver.read)) !== current.checkValue)
      throw new RotationFault(
        'the master secret was rotated a moment ago: run the command again to rotate once more',
      );
    if (!location.masterSecret) requireNoOld(location.masterSecretFile);
    if (following.checkValue === current.checkValue)
      throw new RotationFault('the new master secret is the present one: give another');
    if (!location.masterSecret) writeNext(location.masterSecretFile, next);
    const keys = await driver.write(SERVICE, sql => wrapAnew(sql, current, following, random));
    if (!location.masterSecret) adoptNext(location.masterSecretFile);
    await driver.scrub();
    return { keys };
  } finally {
    release();
  }
}

/** Two old ones would leave nobody knowing which backup needs which. */
function requireNoOld(file: string): void {
  if (existsSync(oldOf(file)))
    throw new RotationFault(
      `${oldOf(file)} holds the secret from before the last rotation: move it to where you keep old secrets, or destroy it with "master-secret destroy-old --yes", then rotate again`,
    );
}

/**
 * Destroys the secret from before the last rotation.
 * @returns its file
 * @throws RotationFault when there is none, or the database still needs it; then nothing has changed
 */
export function destroyOld({ path, masterSecretFile: file }: StoreLocation, needed: () => boolean): string {
  const old = oldOf(file);
  if (!existsSync(old)) throw new RotationFault(`there is no old master secret ${old}`);
  if (existsSync(path) && needed())
    throw new RotationFault(
      `${old} holds the secret that ${path} needs now: move it to ${file} instead of destroying it`,
    );
  destroyOldSecret(file);
  return old;
}

function taken(location: StoreLocation): () => void {
  try {
    return lockRotation(location);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    throw new RotationFault('another rotation of the master secret is under way: wait for its end', {
      cause: error,
    });
  }
}
