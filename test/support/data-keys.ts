/** Keys of a data folder's database, as whoever has the folder and the master secret can have them. */
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type KeyName, keyedHashes, masterOf } from '../../src/adapters/secrets/master.ts';
import { type DataKey, seal } from '../../src/adapters/secrets/sealing.ts';
import type { Sealer } from '../../src/adapters/sql/keys/vault.ts';
import { type Client, openFields, toldRow } from '../../src/adapters/sql/store/personal.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import type { Secrets } from '../../src/ports/system.ts';
import { closing } from './closing.ts';

type Row = KeyName & { wrapped: Buffer };

export const masterSecretOf = (dataDir: string) =>
  Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64url');

/** Keys of an owner, opened, oldest first. @throws Error when the secret is not theirs */
export function dataKeysOf(dataDir: string, owner: string, secret = masterSecretOf(dataDir)) {
  using database = closing(new Database(join(dataDir, 'face-sign-in.db'), { readonly: true }));
  const rows = database
    .prepare('SELECT id, owner, version, wrapped FROM data_keys WHERE owner = ? ORDER BY version')
    .all(owner) as Row[];
  const master = masterOf(secret);
  return rows.map(row => ({ ...row, bytes: master.unwrap(row, row.wrapped) }));
}

/** What is sealed in rows of these tables, by names of columns. */
const FIELDS = {
  users: { of: 'user', names: ['email', 'name'] },
  consents: { of: 'consent', names: ['ip', 'user_agent'] },
  auth_events: { of: 'event', names: ['ip', 'user_agent', 'liveness'] },
  outbox: { of: 'outbox', names: ['data'] },
  email_codes: { of: 'email-code', names: ['new_email'] },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type AnyRow = any;

/** Rows of a table with what is sealed in them, for whoever has the master secret. @param all reads by SQL */
export function openedRows(
  all: (sql: string) => AnyRow[],
  secret: Buffer,
  table: keyof typeof FIELDS,
): AnyRow[] {
  const master = masterOf(secret);
  const ring = new Map(
    (all('SELECT id, owner, version, wrapped FROM data_keys') as Row[]).map(row => [
      row.id,
      createSecretKey(master.unwrap(row, row.wrapped)),
    ]),
  );
  const users = new Map(all('SELECT id, app_id, mode FROM users').map(row => [row.id, row]));
  const { of, names } = FIELDS[table];
  return all(`SELECT * FROM ${table}`).map(({ sealed, ...row }) => {
    const { app_id: appId, mode } = row.mode ? row : users.get(row.user_id);
    const id = row.id ?? row.user_id;
    const gallery = { appId, mode };
    const place = of === 'outbox' ? toldRow(gallery, row) : { of, gallery, id };
    const fields = sealed && openFields<Client>({ ring, isLast: true }, place, sealed);
    return { ...row, ...Object.fromEntries(names.map((name, i) => [name, fields?.[i] ?? null])) };
  });
}

/** The same, of a data folder. */
export function openedIn(dataDir: string, table: keyof typeof FIELDS): AnyRow[] {
  using database = closing(new Database(join(dataDir, 'face-sign-in.db'), { readonly: true }));
  return openedRows(sql => database.prepare(sql).all(), masterSecretOf(dataDir), table);
}

export function hashesOf(dataDir: string): Secrets {
  return keyedHashes(dataKeysOf(dataDir, 'hash')[0]?.bytes as Buffer);
}

/** Seals as the service does for an app. */
export function sealerIn(dataDir: string, appId: string): Sealer {
  const key = appKey(dataDir, appId);
  const random = systemRandom();
  return (context, clear) => seal(key, context, clear, random);
}

/** The key that an app seals with; where it has none yet, this makes one. */
export function appKey(dataDir: string, appId: string): DataKey {
  const found = dataKeysOf(dataDir, appId).at(-1);
  if (found) return { id: found.id, key: createSecretKey(found.bytes) };
  const name = { id: appId.slice(-8).padEnd(8, '0'), owner: appId, version: 1 };
  const id = Buffer.from(name.id).toString('hex');
  const bytes = Buffer.alloc(32, 5);
  const wrapped = masterOf(masterSecretOf(dataDir)).wrap({ ...name, id }, bytes, systemRandom());
  const database = new Database(join(dataDir, 'face-sign-in.db'), { timeout: 10_000 });
  database
    .prepare('INSERT INTO data_keys (id, owner, version, generation, wrapped) VALUES (?, ?, 1, 1, ?)')
    .run(id, appId, wrapped);
  database.close();
  return { id, key: createSecretKey(bytes) };
}
