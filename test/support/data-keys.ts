/** Keys of a data folder's database, as whoever has the folder and the master secret can have them. */
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { keyedHashes } from '../../src/adapters/secrets/hashes.ts';
import { type KeyName, masterOf } from '../../src/adapters/secrets/master.ts';
import type { DataKey } from '../../src/adapters/secrets/sealing.ts';
import type { Secrets } from '../../src/ports/system.ts';

type Row = KeyName & { wrapped: Buffer };

export const masterSecretOf = (dataDir: string) =>
  Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64url');

/** Keys of an owner, opened, oldest first. @throws Error when the secret is not theirs */
export function dataKeysOf(dataDir: string, owner: string, secret = masterSecretOf(dataDir)) {
  const database = new Database(join(dataDir, 'face-sign-in.db'), { readonly: true });
  try {
    const rows = database
      .prepare('SELECT id, owner, version, wrapped FROM data_keys WHERE owner = ? ORDER BY version')
      .all(owner) as Row[];
    const master = masterOf(secret);
    return rows.map(row => ({ ...row, bytes: master.unwrap(row, row.wrapped) }));
  } finally {
    database.close();
  }
}

export function hashesOf(dataDir: string): Secrets {
  return keyedHashes(dataKeysOf(dataDir, 'hash')[0]?.bytes as Buffer);
}

/** The key that an app seals with; where it has none yet, this makes one. */
export function appKey(dataDir: string, appId: string): DataKey {
  const found = dataKeysOf(dataDir, appId).at(-1);
  if (found) return { id: found.id, key: createSecretKey(found.bytes) };
  const name = { id: appId.slice(-8).padEnd(8, '0'), owner: appId, version: 1 };
  const id = Buffer.from(name.id).toString('hex');
  const bytes = Buffer.alloc(32, 5);
  const random = { bytes: (count: number) => crypto.getRandomValues(Buffer.alloc(count)) };
  const wrapped = masterOf(masterSecretOf(dataDir)).wrap({ ...name, id }, bytes, random);
  const database = new Database(join(dataDir, 'face-sign-in.db'), { timeout: 10_000 });
  database
    .prepare('INSERT INTO data_keys (id, owner, version, generation, wrapped) VALUES (?, ?, 1, 1, ?)')
    .run(id, appId, wrapped);
  database.close();
  return { id, key: createSecretKey(bytes) };
}
