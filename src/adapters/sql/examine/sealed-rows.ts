/**
 * For `doctor`: decrypts every sealed row, and checks every API key and user address, without changing anything. A row
 * that does not open was altered outside the service, or moved; the service skips it. Rows are read in pieces, so that
 * a running server can truncate its log. Held by test/cli/unreadable.long.test.ts.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { type KeyOwner, SIGNING_KEYS, type UserPosition } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import type { Finding } from '../../../ports/upkeep.ts';
import { counted } from '../../../protocol/amounts.ts';
import { MODES } from '../../../protocol/mode.ts';
import { keyedHashes, type Master } from '../../secrets/master.ts';
import { type Opener, opens } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import { type KeyPlace, macOf } from '../keys/api-keys.ts';
import { hashKeyOf } from '../keys/prepare.ts';
import type { KeyRow } from '../keys/vault.ts';
import {
  type Position,
  type SealedPage,
  type SealedTable,
  sealedPage,
  sealedTablesOf,
} from '../store/sealed-tables.ts';
import { emailHash, USER, type UserRow, user, userPage } from '../store/users.ts';

type HashedRow = UserRow & { email_hash: string };

const AT_ONCE = 2_000;

export async function examineSealed(sql: Sql, master: Master): Promise<Finding> {
  const openers = await openersOf(sql, master);
  const secrets = keyedHashes(await hashKeyOf(sql, master));
  const sealed = Object.fromEntries(
    Object.keys(WORDS).map(name => [name, { all: 0, bad: 0 }]),
  ) as Counts['sealed'];
  const apps = (await sql.all<{ id: string }>('SELECT id FROM apps')).map(({ id }) => id);
  for (const owner of [SIGNING_KEYS, ...apps])
    for (const table of sealedTablesOf(owner))
      await countTable(sql, table, owner, openers.of(owner), sealed[table.name]);
  return findingOf({
    badKeys: openers.unopened,
    sealed,
    badApiKeys: await apiKeysIn(sql, secrets),
    badAddresses: await addressesIn(sql, secrets, apps, openers.of),
  });
}

/** How many there are, and how many of them do not open. */
interface Count {
  all: number;
  bad: number;
}

interface Counts {
  readonly badKeys: number;
  readonly sealed: Readonly<Record<SealedTable['name'], Count>>;
  readonly badApiKeys: number;
  readonly badAddresses: number;
}

/** One value of each table, in words. */
const WORDS: Readonly<Record<SealedTable['name'], string>> = {
  templates: 'template',
  signing_keys: 'signing key',
  users: 'user',
  consents: 'consent',
  email_codes: 'email code',
  auth_events: 'event',
  outbox: 'event to be told',
  webhooks: 'webhook',
};

function findingOf({ badKeys, sealed, badApiKeys, badAddresses }: Counts): Finding {
  const faults: readonly (readonly [count: number, what: string])[] = [
    [badKeys, `${counted(badKeys, 'wrapped key')} cannot be decrypted`],
    ...Object.entries(WORDS).map(([name, word]) => {
      const { all, bad: some } = sealed[name as SealedTable['name']];
      return [some, `${some} of ${counted(all, word)} cannot be decrypted`] as const;
    }),
    [badApiKeys, `${counted(badApiKeys, 'API key was', 'API keys were')} not created by the service`],
    [
      badAddresses,
      `${counted(badAddresses, 'user has', 'users have')} an address that the service did not store`,
    ],
  ];
  const found = faults.filter(([count]) => count > 0).map(([, what]) => what);
  if (found.length === 0)
    return {
      ok: true,
      detail: `${counted(sealed.templates.all, 'template')}, personal fields and all keys can be decrypted`,
    };
  return {
    ok: false,
    detail: `${found.join(', ')}: altered outside the service, and skipped. Restore a backup that only you can write to`,
  };
}

async function countTable(
  sql: Sql,
  table: SealedTable,
  owner: KeyOwner,
  opener: Opener,
  count: Count,
): Promise<void> {
  for (let after: Position | null = table.start; after; ) {
    const page: SealedPage = await sealedPage(sql, table, owner, after, AT_ONCE);
    for (const row of page.rows) {
      if (!opens(opener, table.context(owner, row), row.sealed)) count.bad += 1;
    }
    count.all += page.rows.length;
    after = page.next;
  }
}

async function openersOf(sql: Sql, master: Master) {
  const rings = new Map<string, Map<string, KeyObject>>();
  let unopened = 0;
  for (const row of await sql.all<KeyRow>('SELECT id, owner, version, wrapped FROM data_keys')) {
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
  const of = (owner: string): Opener => ({ ring: rings.get(owner) ?? new Map(), isLast: true });
  return { of, unopened };
}

async function apiKeysIn(sql: Sql, secrets: Secrets): Promise<number> {
  const rows = await sql.all<KeyPlace & { hash: string; mac: string }>(
    'SELECT id, app_id AS "appId", type, mode, hash, mac FROM api_keys',
  );
  return rows.filter(row => macOf(secrets, row, row.hash) !== row.mac).length;
}

/** Users who are found by another address than the one they have. */
async function addressesIn(
  sql: Sql,
  secrets: Secrets,
  apps: readonly string[],
  openerOf: (owner: string) => Opener,
): Promise<number> {
  let altered = 0;
  for (const appId of apps)
    for (const mode of MODES)
      for (let after: UserPosition | null = null; ; ) {
        const gallery = { appId, mode };
        const rows: HashedRow[] = await userPage(sql, `${USER}, email_hash`, gallery, after, AT_ONCE);
        for (const row of rows) {
          const person = user(openerOf(appId), gallery, row);
          if (person && emailHash(secrets, person.email) !== row.email_hash) altered += 1;
        }
        const last = rows.at(-1);
        if (!last || rows.length < AT_ONCE) break;
        after = { createdAt: last.created_at, id: last.id };
      }
  return altered;
}
