/** For `doctor`: checks the keys of a database without changing anything. */
import { existsSync } from 'node:fs';
import type { Finding } from '../../ports/upkeep.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, nextOf, oldOf, oldSecretSince } from '../secrets/master-secret.ts';
import { bad } from '../sql/examine/findings.ts';
import { systemRandom } from '../system/system.ts';
import type { SecretLocation } from './files.ts';

/**
 * Checks that the secret exists and fits the database, and that no rotation was interrupted.
 * @param stored the check value in the database; null: there is no database
 * @throws Error if secret or database cannot be read
 */
export async function examineSecret(
  location: SecretLocation,
  stored: (() => Promise<string | undefined>) | null,
): Promise<Finding> {
  const { masterSecret, masterSecretFile: file } = location;
  if (!masterSecret && !existsSync(file) && !existsSync(nextOf(file)))
    return bad(`MASTER_SECRET is not set and ${file} does not exist: put the file back`);
  const masters = mastersOf(location);
  const from = masterSecret ? 'MASTER_SECRET' : file;
  if (!stored) return { ok: true, detail: `${from}; no database to check it against` };
  const value = await stored();
  if (!masters.some(({ checkValue }) => checkValue === value))
    return bad(`${from} does not fit the database: put the right secret back`);
  if (!masterSecret && existsSync(nextOf(file)))
    return bad(
      `${nextOf(file)} exists: a rotation is running or was interrupted. Start the service, or run any command on the data: that finishes it`,
    );
  return { ok: true, detail: `${from} fits the database` };
}

/** Warns if the secret before the last rotation is still there. Null: it is not. */
export function examineOldSecret({ masterSecretFile: file }: SecretLocation): Finding | null {
  const since = oldSecretSince(file);
  if (since === null) return null;
  return {
    ok: true,
    warning: true,
    detail: `${oldOf(file)} exists since ${new Date(since).toISOString()}: copy it to another place for as long as you keep older backups, then run "master-secret destroy-old --yes"`,
  };
}

/** Never creates a secret, because `true` says that a database exists. @throws Error naming the file */
export function mastersOf({ masterSecret, masterSecretFile }: SecretLocation): Master[] {
  return findMasterSecrets(masterSecret, masterSecretFile, true, systemRandom()).map(masterOf);
}
