/**
 * Erases a user or a whole app. The bytes go too: the engine overwrites deleted content, and `scrub` truncates the
 * write-ahead log. Events stay as counts; a tombstone contains no user id. A keyed hash of the id goes into the journal
 * of erasures, so that a restored backup can repeat the erasure.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventType, Recording } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import type { DeletionReason } from '../../../protocol/outbox.ts';
import type { Driver, Sql } from '../driver.ts';
import { destroyKeys } from '../keys/vault.ts';
import { deleteInParts } from '../many-rows.ts';
import { ofApp, type Scope } from '../scope.ts';
import { appendDone } from './audit.ts';
import { alone, type StoreContext, writeAndForget } from './context.ts';
import { insertEvent } from './events.ts';
import { removeTemplates, type TemplateNames } from './galleries.ts';
import { forgetNetworks } from './known-networks.ts';
import { tell } from './outbox.ts';
import type { Position } from './sealed-tables.ts';
import { hasUser } from './users.ts';
import { emptyWebhooks, removeWebhooks } from './webhooks.ts';

/** In `apps.importing`: an app that is being erased. */
const ERASING = 2;
/** Rows changed at once. */
const AT_ONCE = 1_000;
const OF_USER = ['email_codes', 'consents', 'known_networks', 'templates'] as const;
const OF_APP = [
  'email_codes',
  'removed_templates',
  'look_alikes',
  'users',
  'challenges',
  'windows',
  'distance_days',
  'outbox',
  'outbox_heads',
] as const;

/** After the events of each mode. */
const BEYOND_EVENTS: Position = ['~', '', 0, ''];
const KNOWN = '(user_id IS NOT NULL OR sealed IS NOT NULL)';
const FORGET = 'UPDATE auth_events SET user_id = NULL, sealed = NULL';

/**
 * Resolves with the number of erased users or apps, once rows, bytes and journal are done. If there was nothing to
 * erase, it still finishes what earlier calls could not.
 */
export async function erase(
  context: StoreContext,
  scope: Scope,
  work: (sql: Sql) => Promise<number>,
): Promise<number> {
  const erased = await writeAndForget(context, scope, work);
  await settle(context, erased > 0);
  return erased;
}

/** Journal and bytes. @param isErased false: only what earlier calls could not do */
export async function settle({ writeJournal, driver }: StoreContext, isErased: boolean): Promise<void> {
  // Wait for both before throwing: the caller may close the database then.
  const ends = await Promise.allSettled([writeJournal(), driver.scrub(!isErased)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * @param reason for those who are told
 * @param events what happens to the user's events; a tombstone stays in any case
 * @returns false if there is no such user
 */
export async function eraseUser(
  sql: Sql,
  context: StoreContext,
  gallery: GalleryKey,
  id: string,
  at: number,
  reason: DeletionReason,
  events: 'anonymous' | 'deleted' = 'anonymous',
): Promise<boolean> {
  if (!(await hasUser(sql, gallery, id))) return false;
  const templates = await sql.all<TemplateNames>('SELECT id, sequence FROM templates WHERE user_id = $1', id);
  await removeTemplates(sql, gallery, templates, at);
  await sql.run('DELETE FROM email_codes WHERE user_id = $1', id);
  await sql.run('DELETE FROM consents WHERE user_id = $1', id);
  await forgetNetworks(sql, id);
  await sql.run('DELETE FROM look_alikes WHERE younger_id = $1 OR older_id = $1', id);
  if (events === 'deleted') await sql.run('DELETE FROM auth_events WHERE user_id = $1', id);
  else await sql.run(`${FORGET} WHERE user_id = $1`, id);
  await sql.run('DELETE FROM outbox WHERE user_id = $1', id);
  await sql.run('DELETE FROM users WHERE id = $1', id);
  await tombstone(sql, context, gallery.appId, gallery.mode, 'user_deleted', at);
  await tell(sql, context, gallery, at, { type: 'user.deleted', data: { user_id: id, reason } });
  await record(sql, context, id, at);
  return true;
}

/**
 * First in one transaction: the app is gone for everyone, and the erasure is recorded. Then its rows go, a part at a
 * time, so that nothing waits for long. If this is interrupted, the next call or `finishErasures` does the rest.
 * @returns false if there was no such app any more; in either case nothing is left of it
 */
export async function eraseApp(
  context: StoreContext,
  id: string,
  at: number,
  entry?: Recording,
): Promise<boolean> {
  const isFirst = await writeAndForget(context, ofApp(id), async sql => {
    const some = 'UPDATE apps SET importing = $1 WHERE id = $2 AND importing = 0';
    if ((await sql.run(some, ERASING, id)) === 0) return false;
    await removeAccess(sql, id);
    for (const mode of MODES) await tombstone(sql, context, id, mode, 'app_deleted', at);
    await record(sql, context, id, at);
    await appendDone(sql, context.vault, entry);
    return true;
  });
  if (isFirst) await removeRows(context, id);
  else if (await isErasing(context.driver.read, id)) await finish(context, [id]);
  return isFirst;
}

async function isErasing(sql: Sql, id: string): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = $2', id, ERASING)) !== undefined;
}

/** What requests need: without it, those that are under way search an empty gallery, and cannot add to it. */
async function removeAccess(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM api_keys WHERE app_id = $1', id);
  await sql.run('DELETE FROM galleries WHERE app_id = $1', id);
}

/** The rest of erasures of apps that were interrupted. */
export async function finishErasures(context: StoreContext): Promise<void> {
  const some = 'SELECT id FROM apps WHERE importing = $1';
  const apps = await context.driver.read.all<{ id: string }>(some, ERASING);
  const ids = apps.map(({ id }) => id);
  if (ids.length > 0) await alone(context, 'erasures', () => finish(context, ids));
}

async function finish(context: StoreContext, apps: readonly string[]): Promise<void> {
  for (const id of apps) {
    // A version before left it until the end.
    await context.driver.write(ofApp(id), sql => removeAccess(sql, id));
    await removeRows(context, id);
  }
  await context.driver.scrub();
}

async function removeRows(context: StoreContext, id: string): Promise<void> {
  const { driver } = context;
  await forgetEvents(driver, id);
  await deleteUsers(driver, id);
  for (const [table, key] of [
    ['removed_templates', 'app_id, mode, sequence'],
    ['windows', 'key'],
    ['outbox', 'id'],
  ] as const)
    await deleteInParts(driver, ofApp(id), table, key, 'app_id = $1', id);
  await emptyWebhooks(driver, ofApp(id), id);
  // Other nodes forget the app's key only once it is gone.
  await writeAndForget(context, ofApp(id), async sql => {
    for (const table of OF_USER)
      await sql.run(`DELETE FROM ${table} WHERE user_id IN (SELECT id FROM users WHERE app_id = $1)`, id);
    for (const table of OF_APP) await sql.run(`DELETE FROM ${table} WHERE app_id = $1`, id);
    await removeWebhooks(sql, id);
    await sql.run(`${FORGET} WHERE app_id = $1 AND ${KNOWN}`, id);
    await destroyKeys(sql, id);
    await sql.run('DELETE FROM apps WHERE id = $1', id);
  });
  context.vault.forget(id);
}

/** With what belongs to them, because requests that are under way may still add users. */
async function deleteUsers(driver: Driver, id: string): Promise<void> {
  const some = 'SELECT id FROM users WHERE app_id = $1 ORDER BY mode, created_at, id LIMIT $2';
  const part = () =>
    driver.write(ofApp(id), async sql => {
      for (const table of OF_USER)
        await sql.run(`DELETE FROM ${table} WHERE user_id IN (${some})`, id, AT_ONCE);
      return sql.run(`DELETE FROM users WHERE id IN (${some})`, id, AT_ONCE);
    });
  while ((await part()) === AT_ONCE);
}

/** Along their index, because an event that has been forgotten stays. */
async function forgetEvents(driver: Driver, id: string): Promise<void> {
  const some = 'app_id = $1 AND (mode, type, at, id) > ($2, $3, $4, $5)';
  for (let after: Position | null = ['', '', Number.MIN_SAFE_INTEGER, '']; after; ) {
    const from: Position = after;
    after = await driver.write(ofApp(id), async sql => {
      const end = await sql.get<{ mode: string; type: string; at: number; id: string }>(
        `SELECT mode, type, at, id FROM auth_events WHERE ${some} ORDER BY mode, type, at, id LIMIT 1 OFFSET $6`,
        ...[id, ...from, AT_ONCE - 1],
      );
      const to = end ? [end.mode, end.type, end.at, end.id] : null;
      await sql.run(
        `${FORGET} WHERE ${some} AND (mode, type, at, id) <= ($6, $7, $8, $9) AND ${KNOWN}`,
        ...[id, ...from, ...(to ?? BEYOND_EVENTS)],
      );
      return to;
    });
  }
}

/** Recorded in the transaction of the erasure itself, so that it reaches the journal whatever happens. */
async function record(sql: Sql, { vault }: StoreContext, id: string, at: number): Promise<void> {
  await sql.run(
    'INSERT INTO erasures (hash, erased_at, journaled) VALUES ($1, $2, 0) ON CONFLICT (hash) DO NOTHING',
    erasureHash(vault, id),
    at,
  );
}

/** Identifies an erased user or app in the journal. */
export function erasureHash(secrets: Secrets, id: string): string {
  return secrets.hash('erasure', id);
}

async function tombstone(
  sql: Sql,
  context: StoreContext,
  appId: string,
  mode: Mode,
  type: EventType,
  at: number,
): Promise<void> {
  await insertEvent(sql, context, { appId, mode }, { type, at, userId: null }, null);
}
