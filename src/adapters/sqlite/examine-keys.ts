/** For `doctor`: checks the keys of a database without changing anything. */
import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Finding } from '../../ports/upkeep.ts';
import { type Master, masterOf } from '../secrets/master.ts';
import { findMasterSecrets, nextOf, oldOf, readSecret } from '../secrets/master-secret.ts';
import { oldSecretSince } from '../secrets/old-secret.ts';
import { systemRandom } from '../system/random.ts';
import { bad, failed, withDatabase } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

const CHECK_VALUE = `SELECT value FROM meta WHERE name = 'master_secret_check'`;

/** Checks that the secret exists and fits the database, and that no rotation was interrupted. */
export function examineSecret(location: StoreLocation): Finding {
  const { masterSecret, masterSecretFile: file } = location;
  if (!masterSecret && !existsSync(file) && !existsSync(nextOf(file)))
    return bad(`MASTER_SECRET is not set and ${file} does not exist: put the file back`);
  try {
    const masters = mastersOf(location);
    const from = masterSecret ? 'MASTER_SECRET' : file;
    if (!existsSync(location.path)) return { ok: true, detail: `${from}; no database to check it against` };
    const stored = withDatabase(location.path, database => database.prepare(CHECK_VALUE).pluck().get());
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

/** Whether the secret in this file fits the database. @throws Error if either cannot be read */
export function isSealedWith({ path }: StoreLocation, file: string): boolean {
  const secret = readSecret(file);
  const stored = withDatabase(path, database => database.prepare(CHECK_VALUE).pluck().get());
  return secret !== null && masterOf(secret).checkValue === stored;
}

/** The master secret of the database. @throws Error if the secret does not fit */
export function masterIn(database: Database.Database, location: StoreLocation): Master {
  const stored = database.prepare(CHECK_VALUE).pluck().get();
  const master = mastersOf(location).find(one => one.checkValue === stored);
  if (master) return master;
  throw new Error('the master secret does not fit the database: put the right one back');
}

/** The key of the hashes. @throws Error if database or secret cannot be used */
export function hashKeyIn(location: StoreLocation): Buffer {
  return withDatabase(location.path, database => {
    const master = masterIn(database, location);
    const row = database
      .prepare(`SELECT id, owner, version, wrapped FROM data_keys WHERE owner = 'hash'`)
      .get() as { id: string; owner: string; version: number; wrapped: Buffer };
    return master.unwrap(row, row.wrapped);
  });
}

/** Never creates a secret, because `true` says that a database exists. */
export function mastersOf({ masterSecret, masterSecretFile }: StoreLocation): Master[] {
  return findMasterSecrets(masterSecret, masterSecretFile, true, systemRandom()).map(masterOf);
}
