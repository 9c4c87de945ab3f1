/**
 * The first keys of a database, in the transaction that brings it to the newest schema. A new one gets a random hash key;
 * one from before keys were wrapped keeps what was made of its master secret, so that all that it has sealed and hashed
 * stays good; API keys from before their hashes were keyed get keyed ones. Both only where the check value proves a database
 * of that time. Refuses a database of another master secret, which stays as it was. Held by
 * test/domain/master-secret.test.ts, test/cli/rekey.test.ts and test/cli/tampered-backup.long.test.ts.
 */

import { SIGNING_KEYS, StoreMisfit } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { keyedHashes } from '../../secrets/hashes.ts';
import { DATA_KEY_BYTES, type Master } from '../../secrets/master.ts';
import { KEY_ID_BYTES } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { authenticateKeys } from './api-keys.ts';
import { checkValue, oweRebuild, setCheckValue } from './meta.ts';
import { insertKey, newestKey } from './vault.ts';

/** Whose key makes the keyed hashes. */
const HASH = 'hash';

/** None of the secrets is that of the database. */
export class WrongMaster extends StoreMisfit {}

export interface Prepared {
  readonly master: Master;
  readonly hashKey: Buffer;
  /** Its API keys were plain hashes until now. */
  readonly hadPlainKeys: boolean;
}

/** @throws StoreMisfit when none of the secrets is that of the database */
export async function prepareKeys(
  sql: Sql,
  candidates: readonly [Master, ...Master[]],
  random: Random,
): Promise<Prepared> {
  const value = await checkValue(sql);
  const master =
    value === undefined
      ? candidates[0]
      : candidates.find(one => one.checkValue === value || one.firstCheckValue === value);
  if (!master)
    throw new WrongMaster(
      'the master secret is not the one that this database was made with, or was given by a rotation since: set MASTER_SECRET or master.key to the right one',
    );
  const add = (owner: string, bytes: Buffer) => {
    const name = { id: random.bytes(KEY_ID_BYTES).toString('hex'), owner, version: 1 };
    return insertKey(sql, name, master.wrap(name, bytes, random), 1);
  };
  const isOfThen = value === master.firstCheckValue;
  if (value === undefined) {
    await setCheckValue(sql, master.checkValue);
    await add(HASH, random.bytes(DATA_KEY_BYTES));
  } else if (isOfThen && !(await newestKey(sql, HASH))) {
    await add(HASH, master.derived('hash'));
    const apps = await sql.all<{ id: string }>('SELECT id FROM apps');
    for (const owner of [SIGNING_KEYS, ...apps.map(({ id }) => id)])
      await add(owner, master.derived(`seal/${owner}`));
  }
  const hashKey = await hashKeyOf(sql, master);
  if (isOfThen) {
    await authenticateKeys(sql, keyedHashes(hashKey));
    await setCheckValue(sql, master.checkValue);
    await oweRebuild(sql);
  }
  return { master, hashKey, hadPlainKeys: isOfThen };
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
