/**
 * For `doctor`: decrypts every sealed row, and checks every API key and user address, without changing anything. A row
 * that does not open was altered outside the service, or moved; the service skips it. Rows are read in pieces, so that
 * a running server can truncate its log. Held by test/cli/unreadable.long.test.ts.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { SIGNING_KEYS } from '../../ports/store.ts';
import type { Finding } from '../../ports/upkeep.ts';
import { counted } from '../../protocol/amounts.ts';
import { keyedHashes } from '../secrets/hashes.ts';
import type { Master } from '../secrets/master.ts';
import { type KeyRing, openedOrNull } from '../secrets/sealing.ts';
import { type KeyPlace, macOf } from '../sql/keys/api-keys.ts';
import type { KeyRow } from '../sql/keys/vault.ts';
import { type SealedTemplate, sealContext } from '../sql/store/sealed-templates.ts';
import { signingKeyContext } from '../sql/store/signing-keys.ts';
import { emailHash } from '../sql/store/users.ts';
import { hashKeyIn, masterIn } from './examine-keys.ts';
import { bad, failed, withDatabase } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

const AT_ONCE = 2_000;

export function examineSealed(location: StoreLocation): Finding {
  if (!existsSync(location.path)) return { ok: true, detail: 'no database yet' };
  try {
    return withDatabase(location.path, database => findingOf(countsOf(database, location)));
  } catch (error) {
    return failed(error);
  }
}

interface Counts {
  readonly templates: number;
  readonly badKeys: number;
  readonly badTemplates: number;
  readonly badSigningKeys: number;
  readonly badApiKeys: number;
  readonly badAddresses: number;
}

function findingOf({ templates, ...bads }: Counts): Finding {
  const faults: readonly (readonly [count: number, what: string])[] = [
    [bads.badKeys, `${counted(bads.badKeys, 'wrapped key')} cannot be decrypted`],
    [bads.badTemplates, `${bads.badTemplates} of ${counted(templates, 'template')} cannot be decrypted`],
    [bads.badSigningKeys, `${counted(bads.badSigningKeys, 'signing key')} cannot be decrypted`],
    [
      bads.badApiKeys,
      `${counted(bads.badApiKeys, 'API key was', 'API keys were')} not created by the service`,
    ],
    [
      bads.badAddresses,
      `${counted(bads.badAddresses, 'user has', 'users have')} an address that the service did not store`,
    ],
  ];
  const found = faults.filter(([count]) => count > 0).map(([, what]) => what);
  if (found.length === 0)
    return { ok: true, detail: `${counted(templates, 'template')} and all keys can be decrypted` };
  return bad(
    `${found.join(', ')}: altered outside the service, and skipped. Restore a backup that only you can write to`,
  );
}

function countsOf(database: Database.Database, location: StoreLocation): Counts {
  const rings = ringsOf(database, masterIn(database, location));
  return {
    badKeys: rings.unopened,
    ...templatesIn(database, rings.of),
    badSigningKeys: signingKeysIn(database, rings.of(SIGNING_KEYS)),
    badApiKeys: apiKeysIn(database, location),
    badAddresses: addressesIn(database, location),
  };
}

function ringsOf(database: Database.Database, master: Master) {
  const rings = new Map<string, Map<string, KeyObject>>();
  let unopened = 0;
  const rows = database.prepare('SELECT id, owner, version, wrapped FROM data_keys').all() as KeyRow[];
  for (const row of rows) {
    try {
      const bytes = master.unwrap(row, row.wrapped);
      const key = createSecretKey(bytes);
      bytes.fill(0);
      const ring = rings.get(row.owner) ?? new Map<string, KeyObject>();
      ring.set(row.id, key);
      rings.set(row.owner, ring);
    } catch {
      unopened += 1;
    }
  }
  return { of: (owner: string): KeyRing => rings.get(owner) ?? new Map(), unopened };
}

function templatesIn(database: Database.Database, ringOf: (owner: string) => KeyRing) {
  const page = database.prepare<
    [number, number],
    SealedTemplate & { rowid: number; app_id: string; mode: 'live' }
  >('SELECT rowid, id, app_id, mode, user_id, sealed FROM templates WHERE rowid > ? ORDER BY rowid LIMIT ?');
  const counts = { templates: 0, badTemplates: 0 };
  for (let last = 0; ; ) {
    const rows = page.all(last, AT_ONCE);
    for (const { app_id: appId, mode, user_id: userId, id, sealed } of rows) {
      const clear = openedOrNull(ringOf(appId), sealContext({ appId, mode }, { id, userId }), sealed, true);
      if (!clear) counts.badTemplates += 1;
      clear?.fill(0);
    }
    counts.templates += rows.length;
    if (rows.length < AT_ONCE) return counts;
    last = rows.at(-1)?.rowid ?? last;
  }
}

function signingKeysIn(database: Database.Database, ring: KeyRing): number {
  const rows = database.prepare('SELECT kid, sealed FROM signing_keys').all() as {
    kid: string;
    sealed: Uint8Array;
  }[];
  return rows.filter(({ kid, sealed }) => {
    const clear = openedOrNull(ring, signingKeyContext(kid), sealed, true);
    clear?.fill(0);
    return clear === null;
  }).length;
}

function apiKeysIn(database: Database.Database, location: StoreLocation): number {
  const secrets = keyedHashes(hashKeyIn(location));
  const rows = database
    .prepare('SELECT id, app_id AS appId, type, mode, hash, mac FROM api_keys')
    .all() as (KeyPlace & { hash: string; mac: string })[];
  return rows.filter(row => macOf(secrets, row, row.hash) !== row.mac).length;
}

function addressesIn(database: Database.Database, location: StoreLocation): number {
  const secrets = keyedHashes(hashKeyIn(location));
  const page = database.prepare<[number, number], { rowid: number; email: string; email_hash: string }>(
    'SELECT rowid, email, email_hash FROM users WHERE rowid > ? ORDER BY rowid LIMIT ?',
  );
  let bad = 0;
  for (let last = 0; ; ) {
    const rows = page.all(last, AT_ONCE);
    bad += rows.filter(({ email, email_hash: hash }) => emailHash(secrets, email) !== hash).length;
    if (rows.length < AT_ONCE) return bad;
    last = rows.at(-1)?.rowid ?? last;
  }
}
