/** For `doctor`: checks the keys of a database without changing anything. */
import { existsSync } from 'node:fs';
import type { Finding } from '../../ports/upkeep.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, nextOf, oldOf } from '../secrets/master-secret.ts';
import { oldSecretSince } from '../secrets/old-secret.ts';
import { bad } from '../sql/examine/findings.ts';
import { checkValue } from '../sql/keys/meta.ts';
import { systemRandom } from '../system/random.ts';
import { failed, withSql } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

/** Checks that the secret exists and fits the database, and that no rotation was interrupted. */
export async function examineSecret(location: StoreLocation): Promise<Finding> {
  const { masterSecret, masterSecretFile: file } = location;
  if (!masterSecret && !existsSync(file) && !existsSync(nextOf(file)))
    return bad(`MASTER_SECRET is not set and ${file} does not exist: put the file back`);
  try {
    const masters = mastersOf(location);
    const from = masterSecret ? 'MASTER_SECRET' : file;
    if (!existsSync(location.path)) return { ok: true, detail: `${from}; no database to check it against` };
    const stored = await withSql(location.path, checkValue);
    if (!masters.some(master => master.checkValue === stored))
      return bad(`${from} does not fit the database: put the right secret back`);
    if (!masterSecret && existsSync(nextOf(file)))
      return bad(
        `${nextOf(file)} exists: a rotation is running or was interrupted. Start the service, or run any command on the data: that finishes it`,
      );
    return { ok: true, detail: `${from} fits the database` };
  } catch (error) {
    return failed(error);
  }
}

/** Warns if the secret before the last rotation is still there. Null: it is not. */
export function examineOldSecret({
  masterSecretFile: file,
}: Pick<StoreLocation, 'masterSecretFile'>): Finding | null {
  const since = oldSecretSince(file);
  if (since === null) return null;
  return {
    ok: true,
    warning: true,
    detail: `${oldOf(file)} exists since ${new Date(since).toISOString()}: copy it to another place for as long as you keep older backups, then run "master-secret destroy-old --yes"`,
  };
}

/** Never creates a secret, because `true` says that a database exists. @throws Error naming the file */
export function mastersOf({
  masterSecret,
  masterSecretFile,
}: Pick<StoreLocation, 'masterSecret' | 'masterSecretFile'>): Master[] {
  return findMasterSecrets(masterSecret, masterSecretFile, true, systemRandom()).map(masterOf);
}
