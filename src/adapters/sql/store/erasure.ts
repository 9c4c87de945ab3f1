/**
 * Erases a user or a whole app. The bytes go too: the engine overwrites deleted content, and `scrub` truncates the
 * write-ahead log. Events stay as counts; a tombstone contains no user id. A keyed hash of the id goes into the journal
 * of erasures, so that a restored backup can repeat the erasure.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventType } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import type { Sql } from '../driver.ts';
import { destroyKeys } from '../keys/vault.ts';
import type { Scope } from '../scope.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { insertEvent } from './events.ts';
import { removeTemplates, type TemplateNames } from './galleries.ts';
import { hasUser } from './users.ts';

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
  // Wait for both before throwing: the caller may close the database then.
  const ends = await Promise.allSettled([context.writeJournal(), context.driver.scrub(erased === 0)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return erased;
}

/**
 * @param events what happens to the user's events; a tombstone stays in any case
 * @returns false if there is no such user
 */
export async function eraseUser(
  sql: Sql,
  context: StoreContext,
  gallery: GalleryKey,
  id: string,
  at: number,
  events: 'anonymous' | 'deleted' = 'anonymous',
): Promise<boolean> {
  if (!(await hasUser(sql, gallery, id))) return false;
  const templates = await sql.all<TemplateNames>('SELECT id, sequence FROM templates WHERE user_id = $1', id);
  await removeTemplates(sql, gallery, templates, at);
  await sql.run('DELETE FROM email_codes WHERE user_id = $1', id);
  await sql.run('DELETE FROM consents WHERE user_id = $1', id);
  if (events === 'deleted') await sql.run('DELETE FROM auth_events WHERE user_id = $1', id);
  else await sql.run(`${FORGET} WHERE user_id = $1`, id);
  await sql.run('DELETE FROM users WHERE id = $1', id);
  await tombstone(sql, context, gallery.appId, gallery.mode, 'user_deleted', at);
  await record(sql, context, id, at);
  return true;
}

/** @returns false if there is no such app */
export async function eraseApp(sql: Sql, context: StoreContext, id: string, at: number): Promise<boolean> {
  if (!(await sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = 0', id))) return false;
  await sql.run('DELETE FROM consents WHERE user_id IN (SELECT id FROM users WHERE app_id = $1)', id);
  for (const table of [
    'email_codes',
    'templates',
    'removed_templates',
    'users',
    'challenges',
    'windows',
    'galleries',
    'api_keys',
    'distance_days',
  ]) {
    await sql.run(`DELETE FROM ${table} WHERE app_id = $1`, id);
  }
  await sql.run(`${FORGET} WHERE app_id = $1`, id);
  await destroyKeys(sql, id);
  await sql.run('DELETE FROM apps WHERE id = $1', id);
  for (const mode of MODES) await tombstone(sql, context, id, mode, 'app_deleted', at);
  await record(sql, context, id, at);
  return true;
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
