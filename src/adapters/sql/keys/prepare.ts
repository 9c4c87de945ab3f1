/**
 * Checks the master secret, in the transaction that migrates the database. A new database gets a random key for its
 * hashes. Refuses a database of another master secret without changing it.
 * Held by test/secrets/master-secret.test.ts and test/cli/rekey.long.test.ts.
 */

import { StoreMisfit } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { DATA_KEY_BYTES, keyedHashes, type Master } from '../../secrets/master.ts';
import { KEY_ID_BYTES } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { checkValue, setCheckValue } from './meta.ts';
import { createVault, insertKey, newestKey, type Vault } from './vault.ts';

/** Owner of the key for keyed hashes. */
const HASH = 'hash';

/** None of the secrets fits the database. */
export class WrongMaster extends StoreMisfit {}

export interface Prepared {
  readonly master: Master;
  readonly vault: Vault;
}

/**
 * @param candidates the secrets that are known now
 * @param later reads the secrets that may have replaced them
 * @throws WrongMaster, StoreMisfit
 */
export async function prepareKeys(
  sql: Sql,
  candidates: readonly [Master, ...Master[]],
  later: () => Master[],
  random: Random,
): Promise<Prepared> {
  const value = await checkValue(sql);
  const master = value === undefined ? candidates[0] : candidates.find(one => one.checkValue === value);
  if (!master)
    throw new WrongMaster(
      'the master secret does not fit this database: set MASTER_SECRET or master.key to the right one',
    );
  if (value === undefined) {
    await setCheckValue(sql, master.checkValue);
    const name = { id: random.bytes(KEY_ID_BYTES).toString('hex'), owner: HASH, version: 1 };
    await insertKey(sql, name, master.wrap(name, random.bytes(DATA_KEY_BYTES), random), 1);
  }
  const hashes = keyedHashes(await hashKeyOf(sql, master));
  return { master, vault: createVault({ hashes, master, candidates: later, random }) };
}

/** @throws StoreMisfit if it is missing or altered: without it, no user and no API key could be found */
export async function hashKeyOf(sql: Sql, master: Master): Promise<Buffer> {
  const row = await newestKey(sql, HASH);
  try {
    if (row) return master.unwrap(row, row.wrapped);
  } catch {
    // The master secret fits, as the check value shows, so the row was altered.
  }
  throw new StoreMisfit('the key for hashes in the database is missing or was altered: restore a backup');
}
