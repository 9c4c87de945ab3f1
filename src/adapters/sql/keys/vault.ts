/**
 * The keys of this database in use: which one seals is decided inside the transaction that writes, by the newest version
 * that is stored, so that a change of keys by another process counts with the next write. A key that was unwrapped once is
 * held by its id: a running service goes on while the master secret changes, and finds the new one on the disk when it
 * has to wrap or unwrap a further key. test/cli/rekey.test.ts holds it, and test/cli/rotation-load.long.test.ts beside a server.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { StoreUnavailable } from '../../../ports/store.ts';
import type { Random, Secrets } from '../../../ports/system.ts';
import { DATA_KEY_BYTES, type KeyName, type Master } from '../../secrets/master.ts';
import { type DataKey, KEY_ID_BYTES, type KeyRing, type Keys, seal } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { checkValue, generation } from './meta.ts';

/** A rotation of the master secret may come between two statements. */
const MOST_TRIES = 5;
/** What an INTEGER holds on every engine. */
const MOST_VERSIONS = 2_147_483_647;

export interface KeyRow {
  readonly id: string;
  readonly owner: string;
  readonly version: number;
  readonly generation: number;
  readonly wrapped: Uint8Array;
}

export type Sealer = (context: readonly string[], clear: Uint8Array) => Buffer;

export interface Vault extends Secrets {
  /** To be used in the same transaction. The owner's first key is made here. */
  sealer(sql: Sql, owner: string): Promise<Sealer>;
  /** A new key of the owner, which seals from the end of this transaction on. Answers its id. */
  addKey(sql: Sql, owner: string, version: number): Promise<string>;
  /** What opens the owner's values. */
  keys(sql: Sql, owner: string): Keys;
  /** Keys of the owner were destroyed: the others are read again. */
  forget(owner: string): void;
}

export interface VaultParts {
  readonly hashes: Secrets;
  /** That of the database when it was opened. */
  readonly master: Master;
  /** What the master secret may have become. */
  readonly candidates: () => Master[];
  readonly random: Random;
}

export function createVault({ hashes, master: first, candidates, random }: VaultParts): Vault {
  let master = first;
  const held = new Map<string, KeyObject>();
  const rings = new Map<string, KeyRing>();

  async function masterIn(sql: Sql): Promise<Master> {
    const value = await checkValue(sql);
    if (value === master.checkValue) return master;
    const found = candidates().find(one => one.checkValue === value);
    if (!found)
      throw new StoreUnavailable(
        new Error('the master secret was changed: start again with the one that the database has now'),
      );
    master = found;
    return found;
  }

  async function keyOf(sql: Sql, row: KeyRow): Promise<KeyObject> {
    const known = held.get(row.id);
    if (known) return known;
    const bytes = (await masterIn(sql)).unwrap(row, row.wrapped);
    const key = createSecretKey(bytes);
    bytes.fill(0);
    held.set(row.id, key);
    return key;
  }

  /** @param isLast whether a key that does not unwrap is left out, with all that it has sealed */
  async function readRing(sql: Sql, owner: string, isLast: boolean): Promise<KeyRing> {
    const rows = await keyRows(sql, owner);
    const ring = new Map<string, KeyObject>();
    for (const row of rows) {
      const key = await keyOf(sql, row).catch(error => {
        if (error instanceof StoreUnavailable || !isLast) throw error;
      });
      if (key) ring.set(row.id, key);
    }
    for (const id of rings.get(owner)?.keys() ?? []) if (!ring.has(id)) held.delete(id);
    rings.set(owner, ring);
    return ring;
  }

  async function ringAnew(sql: Sql, owner: string): Promise<KeyRing> {
    for (let tries = 1; ; tries++) {
      try {
        return await readRing(sql, owner, tries === MOST_TRIES);
      } catch (error) {
        if (error instanceof StoreUnavailable || tries === MOST_TRIES) throw error;
      }
    }
  }

  async function newKey(sql: Sql, owner: string, version: number): Promise<DataKey> {
    const name: KeyName = { id: random.bytes(KEY_ID_BYTES).toString('hex'), owner, version };
    const bytes = random.bytes(DATA_KEY_BYTES);
    await insertKey(sql, name, (await masterIn(sql)).wrap(name, bytes, random), await generation(sql));
    const key = createSecretKey(bytes);
    bytes.fill(0);
    // Should the transaction fail, nothing has been sealed with it, and its id comes never again.
    held.set(name.id, key);
    return { id: name.id, key };
  }

  return {
    hash: hashes.hash,

    async sealer(sql, owner) {
      const row = await newestKey(sql, owner);
      const key: DataKey = row ? { id: row.id, key: await keyOf(sql, row) } : await newKey(sql, owner, 1);
      return (context, clear) => seal(key, context, clear, random);
    },

    addKey: async (sql, owner, version) => (await newKey(sql, owner, version)).id,

    keys: (sql, owner) => async anew => (!anew && rings.get(owner)) || ringAnew(sql, owner),

    forget(owner) {
      for (const id of rings.get(owner)?.keys() ?? []) held.delete(id);
      rings.delete(owner);
    },
  };
}

/** Oldest first. */
export function keyRows(sql: Sql, owner: string): Promise<KeyRow[]> {
  return sql.all<KeyRow>(
    'SELECT id, owner, version, generation, wrapped FROM data_keys WHERE owner = $1 ORDER BY version',
    owner,
  );
}

export function newestKey(sql: Sql, owner: string): Promise<KeyRow | undefined> {
  return sql.get<KeyRow>(
    'SELECT id, owner, version, generation, wrapped FROM data_keys WHERE owner = $1 ORDER BY version DESC LIMIT 1',
    owner,
  );
}

export async function insertKey(
  sql: Sql,
  { id, owner, version }: KeyName,
  wrapped: Uint8Array,
  ofGeneration: number,
): Promise<void> {
  await sql.run(
    'INSERT INTO data_keys (id, owner, version, generation, wrapped) VALUES ($1, $2, $3, $4, $5)',
    id,
    owner,
    version,
    ofGeneration,
    wrapped,
  );
}

/** The rows are overwritten before they go: the engine writes equally many bytes in their place. */
export async function destroyKeys(sql: Sql, owner: string, below = MOST_VERSIONS): Promise<number> {
  for (const { id, version, wrapped } of await keyRows(sql, owner))
    if (version < below)
      await sql.run('UPDATE data_keys SET wrapped = $1 WHERE id = $2', new Uint8Array(wrapped.length), id);
  return sql.run('DELETE FROM data_keys WHERE owner = $1 AND version < $2', owner, below);
}
