/**
 * The first keys of a database, in the transaction that brings it to the newest schema. A new database gets a random key
 * for its hashes. Refuses a database of another master secret, which stays as it was. Held by
 * test/domain/master-secret.test.ts and test/cli/rekey.test.ts.
 */

import { StoreMisfit } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { DATA_KEY_BYTES, type Master } from '../../secrets/master.ts';
import { KEY_ID_BYTES } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { checkValue, setCheckValue } from './meta.ts';
import { insertKey, newestKey } from './vault.ts';

/** Whose key makes the keyed hashes. */
const HASH = 'hash';

/** None of the secrets is that of the database. */
export class WrongMaster extends StoreMisfit {}

export interface Prepared {
  readonly master: Master;
  readonly hashKey: Buffer;
}

/** @throws StoreMisfit when none of the secrets is that of the database */
export async function prepareKeys(
  sql: Sql,
  candidates: readonly [Master, ...Master[]],
  random: Random,
): Promise<Prepared> {
  const value = await checkValue(sql);
  const master = value === undefined ? candidates[0] : candidates.find(one => one.checkValue === value);
  if (!master)
    throw new WrongMaster(
      'the master secret is not the one that this database was made with, or was given by a rotation since: set MASTER_SECRET or master.key to the right one',
    );
  if (value === undefined) {
    await setCheckValue(sql, master.checkValue);
    const name = { id: random.bytes(KEY_ID_BYTES).toString('hex'), owner: HASH, version: 1 };
    await insertKey(sql, name, master.wrap(name, random.bytes(DATA_KEY_BYTES), random), 1);
  }
  return { master, hashKey: await hashKeyOf(sql, master) };
}

/** @throws StoreMisfit when it is missing or was altered: nobody could be found by an address, and no API key */
async function hashKeyOf(sql: Sql, master: Master): Promise<Buffer> {
  const row = await newestKey(sql, HASH);
  try {
    if (row) return master.unwrap(row, row.wrapped);
  } catch {
    // The check value says that the master secret is the right one.
  }
  throw new StoreMisfit('the key of the hashes in the database is missing or was altered: restore a backup');
}
