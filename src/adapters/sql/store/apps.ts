/** Apps and API keys in SQL. */

import type { AppRecord, AppStore, Credential, KeyRecord, NewKey } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import { appFields } from '../../../protocol/app-fields.ts';
import { camel } from '../../../protocol/view.ts';
import type { Sql } from '../driver.ts';
import { macOf, storedHash } from '../keys/api-keys.ts';
import { insertGuarded, isBelieved, rowMac } from '../keys/guarded.ts';
import { hadApp, noteApp } from '../keys/meta.ts';
import { countOf, insertRows } from '../many-rows.ts';
import { ofApp, ROWS, SERVICE } from '../scope.ts';
import { appendDone } from './audit.ts';
import { columnsOf, type RowOf } from './columns.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { eraseApp, settle } from './erasure.ts';
import { insertGalleries } from './galleries.ts';

type AppRow = RowOf<AppRecord> & { readonly mac: string | null };

/** As the declaration of the fields says. */
const KINDS: Readonly<Record<string, string>> = { array: 'list', boolean: 'flag' };
const kinds = Object.entries(appFields).map(([name, { type }]) => [camel(name), KINDS[type] ?? 'plain']);
const columns = columnsOf<AppRecord>(Object.fromEntries(kinds));
const APP = [...columns.names, 'mac'];

const keyColumns = columnsOf<KeyRecord>({
  id: 'plain',
  appId: 'plain',
  type: 'plain',
  mode: 'plain',
  last4: 'plain',
  createdAt: 'plain',
  revokedAt: 'plain',
  label: 'plain',
  madeBy: 'plain',
  lastUsedAt: 'plain',
  endsAt: 'plain',
});
const KEY = keyColumns.names.join(', ');

export function appStore(context: StoreContext): AppStore {
  const { driver, memory, vault } = context;
  return {
    createApp: (app, firstWith, entry) =>
      writeAndForget(context, SERVICE, async sql => {
        if (firstWith && (await hadApp(sql))) return false;
        await insertApp(sql, vault, app);
        for (const key of firstWith ?? []) await insertKey(sql, vault, key);
        await appendDone(sql, vault, entry);
        return true;
      }),

    async listApps() {
      const rows = await driver.read.all<AppRow>(
        `SELECT ${APP} FROM apps WHERE importing = 0 ORDER BY created_at, id`,
      );
      return rows.map(row => app(vault, row));
    },

    firstPartyOrigins: () =>
      memory.recall('first-party-origins', async () => {
        const rows = await driver.read.all<AppRow>(
          `SELECT ${APP} FROM apps WHERE first_party = 1 AND importing = 0`,
        );
        return new Set(rows.flatMap(row => app(vault, row).allowedOrigins));
      }),

    findApp: id => findApp(driver.read, vault, id),

    updateApp: (id, change, entry) =>
      writeAndForget(context, ofApp(id), async sql => {
        const before = await findApp(sql, vault, id);
        if (!before) return null;
        const after = { ...before, ...(typeof change === 'function' ? change(before) : change) };
        const { id: _, ...kept } = columns.rowOf(after);
        const changed = { ...kept, mac: rowMac(vault, 'apps', { id, team_id: after.teamId }) };
        const set = Object.keys(changed).map((name, i) => `${name} = $${i + 2}`);
        await sql.run(`UPDATE apps SET ${set.join(', ')} WHERE id = $1`, id, ...Object.values(changed));
        await appendDone(sql, vault, entry);
        return after;
      }),

    async deleteApp(id, at, entry) {
      const isErased = await eraseApp(context, id, at, entry);
      await settle(context, isErased);
      return isErased;
    },

    createKey: (key, maximum, entry) =>
      driver.write(ofApp(key.appId), async sql => {
        if (!(await findApp(sql, vault, key.appId))) return 'no_such_app';
        const active = 'api_keys WHERE app_id = $1 AND mode = $2 AND revoked_at IS NULL AND ends_at IS NULL';
        if ((await countOf(sql, active, key.appId, key.mode)) >= maximum) return 'too_many';
        await insertKey(sql, vault, key);
        await appendDone(sql, vault, entry);
        return 'created';
      }),

    listKeys: by => listKeys(driver.read, by),

    rollKey: (id, successor, endsAt, now, entry) =>
      writeAndForget(context, ofApp(successor.appId), async sql => {
        const row = await sql.get<RowOf<KeyRecord>>(
          `UPDATE api_keys SET ends_at = CASE WHEN ends_at < $1 THEN ends_at ELSE $1 END
           WHERE id = $2 AND app_id = $3 AND type = $4 AND mode = $5
             AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $6) RETURNING ${KEY}`,
          endsAt,
          id,
          successor.appId,
          successor.type,
          successor.mode,
          now,
        );
        if (!row) return null;
        await insertKey(sql, vault, successor);
        await appendDone(sql, vault, entry);
        return keyColumns.recordOf(row);
      }),

    updateKey: (id, change, entry) =>
      writeAndForget(context, ROWS, async sql => {
        const [text, value] =
          'label' in change
            ? ['SET label = $1 WHERE id = $2', change.label]
            : ['SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL', change.revokedAt];
        await sql.run(`UPDATE api_keys ${text}`, value, id);
        const [key] = await listKeys(sql, { id });
        if (!key) return null;
        await appendDone(sql, vault, entry);
        return key;
      }),

    async noteKeyUses(uses) {
      await driver.write(ROWS, async sql => {
        // In one order, so that two nodes do not wait for each other.
        for (const [id, at] of [...uses].sort())
          await sql.run(
            'UPDATE api_keys SET last_used_at = $1 WHERE id = $2 AND COALESCE(last_used_at, 0) < $1',
            at,
            id,
          );
      });
    },

    findCredential: hash =>
      memory.recall(credentialName(hash), () => findCredential(driver.read, vault, hash)),
  };
}

/** The team of an app whose row says another one than the service has stored: only admins see it, and can move it. */
const NO_TEAM = 'team_zzzzzzzzzzzzzzzzzzzzzzzz';

/** Under which a credential is remembered. */
const credentialName = (hash: string) => `credential:${hash}`;

async function findCredential(sql: Sql, secrets: Secrets, hash: string): Promise<Credential | null> {
  const stored = storedHash(secrets, hash);
  const row = await sql.get<
    AppRow & Pick<KeyRecord, 'type' | 'mode'> & { key_id: string; key_mac: string; ends_at: number | null }
  >(
    `SELECT k.id AS key_id, k.type, k.mode, k.mac AS key_mac, k.ends_at, ${APP.map(name => `a.${name}`)}
     FROM api_keys k JOIN apps a ON a.id = k.app_id WHERE k.hash = $1 AND k.revoked_at IS NULL`,
    stored,
  );
  if (!row) return null;
  const key = { id: row.key_id, type: row.type, mode: row.mode };
  // The row was altered or moved outside the service.
  if (row.key_mac !== macOf(secrets, { ...key, appId: row.id }, stored)) return null;
  return { key: { ...key, endsAt: row.ends_at }, app: app(secrets, row) };
}

async function findApp(sql: Sql, secrets: Secrets, id: string): Promise<AppRecord | null> {
  const row = await sql.get<AppRow>(`SELECT ${APP} FROM apps WHERE id = $1 AND importing = 0`, id);
  return row ? app(secrets, row) : null;
}

function app(secrets: Secrets, row: AppRow): AppRecord {
  const held = columns.recordOf(row);
  return isBelieved(secrets, 'apps', row) ? held : { ...held, teamId: NO_TEAM };
}

async function insertApp(sql: Sql, secrets: Secrets, app: AppRecord): Promise<void> {
  await insertGuarded(sql, secrets, 'apps', columns.rowOf(app));
  await insertGalleries(sql, app.id);
  await noteApp(sql);
}

async function insertKey(sql: Sql, secrets: Secrets, key: NewKey): Promise<void> {
  const stored = storedHash(secrets, key.hash);
  const unused = { revokedAt: null, lastUsedAt: null, endsAt: null };
  const record = keyColumns.rowOf({ ...key, ...unused });
  const row = { ...record, hash: stored, mac: macOf(secrets, key, stored) };
  await insertRows(sql, `api_keys (${Object.keys(row)})`, [Object.values(row)]);
}

async function listKeys(
  sql: Sql,
  by: { readonly appId: string } | { readonly id: string },
): Promise<KeyRecord[]> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['app_id', by.appId];
  const text = `SELECT ${KEY} FROM api_keys WHERE ${column} = $1 ORDER BY created_at, id`;
  return (await sql.all<RowOf<KeyRecord>>(text, value)).map(keyColumns.recordOf);
}
