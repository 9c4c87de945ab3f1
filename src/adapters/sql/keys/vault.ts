/**
 * The data keys in use. Each write seals with the newest stored key, read in the same transaction, so a key change by
 * another process takes effect with the next write. Unwrapped keys are kept by id, so a running service continues while
 * the master secret changes; it reads the new secret from the disk when it must wrap or unwrap another key.
 * Held by test/cli/rekey.long.test.ts and, with a running server, by test/cli/rotation-load.long.test.ts.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { StoreUnavailable } from '../../../ports/store.ts';
import type { Random, Secrets } from '../../../ports/system.ts';
import { DATA_KEY_BYTES, type KeyName, type Master } from '../../secrets/master.ts';
import { type DataKey, KEY_ID_BYTES, type KeyRing, type Keys, seal } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { checkValue, generation, lockedCheckValue } from './meta.ts';

/** The master secret may be rotated between two statements; then it is tried again. */
const MOST_TRIES = 5;
/** The largest INTEGER on every engine. */
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
  /** For use in the same transaction. Creates the owner's first key. */
  sealer(sql: Sql, owner: string): Promise<Sealer>;
  /** The same. Null: somebody has altered the newest key, so that it does not open. */
  sealerOrNull(sql: Sql, owner: string): Promise<Sealer | null>;
  /** Adds a key, which is used once this transaction has ended. @returns its id */
  addKey(sql: Sql, owner: string, version: number): Promise<string>;
  /** The keys that open the owner's values. */
  keys(sql: Sql, owner: string): Keys;
  /** Drops the owner's cached keys, because some were destroyed. */
  forget(owner: string): void;
  /** Drops cached keys that are not stored any more: another process has destroyed them. */
  forgetGone(sql: Sql): Promise<void>;
}

interface VaultParts {
  readonly hashes: Secrets;
  /** The master secret when the database was opened. */
  readonly master: Master;
  /** Reads the secrets that may have replaced it. */
  readonly candidates: () => Master[];
  readonly random: Random;
}

export function createVault({ hashes, master: first, candidates, random }: VaultParts): Vault {
  let master = first;
  const held = new Map<string, KeyObject>();
  const rings = new Map<string, KeyRing>();
  /** The newest keys that this process knows. */
  const newest = new Map<string, DataKey>();

  async function masterIn(sql: Sql, read = checkValue): Promise<Master> {
    const value = await read(sql);
    if (value === master.checkValue) return master;
    const found = candidates().find(one => one.checkValue === value);
    if (!found)
      throw new StoreUnavailable(new Error('the master secret was changed: restart with the new one'));
    master = found;
    return found;
  }

  async function keyOf(sql: Sql, row: KeyRow): Promise<KeyObject> {
    const known = held.get(row.id);
    if (known) return known;
    const bytes = opened(await masterIn(sql), row);
    const key = createSecretKey(bytes);
    bytes.fill(0);
    held.set(row.id, key);
    return key;
  }

  async function storedKey(sql: Sql, owner: string): Promise<DataKey | null> {
    for (let tries = 1; ; tries++) {
      const row = await newestKey(sql, owner);
      if (!row) return null;
      try {
        return { id: row.id, key: await keyOf(sql, row) };
      } catch (error) {
        if (!(error instanceof AlteredKey) || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** @param isLast skip a key that does not unwrap, and so all that it has sealed */
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
    newest.delete(owner);
    return ring;
  }

  async function freshRing(sql: Sql, owner: string): Promise<KeyRing> {
    for (let tries = 1; ; tries++) {
      try {
        return await readRing(sql, owner, tries === MOST_TRIES);
      } catch (error) {
        if (error instanceof StoreUnavailable || tries === MOST_TRIES) throw error;
      }
    }
  }

  /** Null: another transaction has just made the key of this version. */
  async function newKey(sql: Sql, owner: string, version: number): Promise<DataKey | null> {
    const name: KeyName = { id: random.bytes(KEY_ID_BYTES).toString('hex'), owner, version };
    const bytes = random.bytes(DATA_KEY_BYTES);
    const current = await masterIn(sql, same => lockedCheckValue(same, 'SHARE'));
    const isNew = await insertKey(sql, name, current.wrap(name, bytes, random), await generation(sql));
    const key = createSecretKey(bytes);
    bytes.fill(0);
    if (!isNew) return null;
    // If the transaction fails, nothing was sealed with this key, and its id is never used again.
    held.set(name.id, key);
    return { id: name.id, key };
  }

  /** The newest key that this process knows, if it is still the newest one. Each sign-in asks for it. */
  async function knownKey(sql: Sql, owner: string): Promise<DataKey | null> {
    const known = newest.get(owner);
    if (!known) return null;
    // There is one row but for a rekeying. On SQLite, ORDER BY or MAX would take several times as long.
    const rows = await sql.all<Pick<KeyRow, 'id' | 'version'>>(
      'SELECT id, version FROM data_keys WHERE owner = $1',
      owner,
    );
    const last = rows.reduce((a, b) => (b.version > a.version ? b : a), { id: '', version: 0 });
    return last.id === known.id ? known : null;
  }

  async function currentKey(sql: Sql, owner: string): Promise<DataKey> {
    const known = await knownKey(sql, owner);
    if (known) return known;
    // If the first key is made elsewhere in this moment, there is one now.
    const key =
      (await storedKey(sql, owner)) ?? (await newKey(sql, owner, 1)) ?? (await storedKey(sql, owner));
    if (!key) throw new Error('the owner has no key');
    newest.set(owner, key);
    return key;
  }

  function forget(owner: string): void {
    for (const id of rings.get(owner)?.keys() ?? []) held.delete(id);
    rings.delete(owner);
    newest.delete(owner);
  }

  const sealerOf =
    (key: DataKey): Sealer =>
    (context, clear) =>
      seal(key, context, clear, random);

  return {
    hash: hashes.hash,

    sealer: async (sql, owner) => sealerOf(await currentKey(sql, owner)),

    sealerOrNull: (sql, owner) =>
      currentKey(sql, owner).then(sealerOf, error => {
        if (error instanceof AlteredKey) return null;
        throw error;
      }),

    addKey: async (sql, owner, version) => {
      const key = await newKey(sql, owner, version);
      if (!key) throw new Error(`the owner has a key of version ${version}`);
      return key.id;
    },

    keys: (sql, owner) => async refresh => (!refresh && rings.get(owner)) || freshRing(sql, owner),

    forget,

    async forgetGone(sql) {
      const rows = await sql.all<{ id: string; owner: string }>('SELECT id, owner FROM data_keys');
      const [ids, owners] = [new Set(rows.map(({ id }) => id)), new Set(rows.map(({ owner }) => owner))];
      for (const owner of [...rings.keys(), ...newest.keys()]) if (!owners.has(owner)) forget(owner);
      for (const [owner, { id }] of newest) if (!ids.has(id)) newest.delete(owner);
      for (const [owner, ring] of rings) if ([...ring.keys()].some(id => !ids.has(id))) rings.delete(owner);
      // One that a transaction has just made is read again.
      for (const id of held.keys()) if (!ids.has(id)) held.delete(id);
    },
  };
}

/** A stored key does not open under the master secret. */
class AlteredKey extends Error {}

/** @throws AlteredKey */
function opened(master: Master, row: KeyRow): Buffer {
  try {
    return master.unwrap(row, row.wrapped);
  } catch (cause) {
    throw new AlteredKey(`key ${row.id} was altered`, { cause });
  }
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

/** @returns false if the owner has a key of that version */
export async function insertKey(
  sql: Sql,
  { id, owner, version }: KeyName,
  wrapped: Uint8Array,
  ofGeneration: number,
): Promise<boolean> {
  const rows = await sql.run(
    `INSERT INTO data_keys (id, owner, version, generation, wrapped) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (owner, version) DO NOTHING`,
    id,
    owner,
    version,
    ofGeneration,
    wrapped,
  );
  return rows === 1;
}

/** Overwrites the keys with the same number of bytes before deleting them. */
export async function destroyKeys(sql: Sql, owner: string, below = MOST_VERSIONS): Promise<number> {
  for (const { id, version, wrapped } of await keyRows(sql, owner))
    if (version < below)
      await sql.run('UPDATE data_keys SET wrapped = $1 WHERE id = $2', new Uint8Array(wrapped.length), id);
  return sql.run('DELETE FROM data_keys WHERE owner = $1 AND version < $2', owner, below);
}
