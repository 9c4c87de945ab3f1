/**
 * What deleting a person, or a whole app, does to the rows. The bytes go too: the driver overwrites deleted content,
 * and `scrub` empties the write-ahead log afterwards. Events stay as counts; a tombstone holds no id of the person.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { Random } from '../../../ports/random.ts';
import type { Sql } from '../driver.ts';
import { newEventId } from './events.ts';
import { removeTemplates } from './galleries.ts';
import { findUser } from './users.ts';

const FORGET = 'UPDATE auth_events SET user_id = NULL, ip = NULL, user_agent = NULL, liveness = NULL';

/** @param events what becomes of those of the user; a tombstone stays in any case */
export async function eraseUser(
  sql: Sql,
  random: Random,
  gallery: GalleryKey,
  id: string,
  at: number,
  events: 'anonymous' | 'deleted' = 'anonymous',
): Promise<boolean> {
  if (!(await findUser(sql, gallery, id))) return false;
  const templates = await sql.all<{ id: string }>('SELECT id FROM templates WHERE user_id = $1', id);
  await removeTemplates(
    sql,
    gallery,
    templates.map(template => template.id),
  );
  await sql.run('DELETE FROM email_codes WHERE user_id = $1', id);
  await sql.run('DELETE FROM consents WHERE user_id = $1', id);
  if (events === 'deleted') await sql.run('DELETE FROM auth_events WHERE user_id = $1', id);
  else await sql.run(`${FORGET} WHERE user_id = $1`, id);
  await sql.run('DELETE FROM users WHERE id = $1', id);
  await tombstone(sql, random, gallery.appId, gallery.mode, 'user_deleted', at);
  return true;
}

export async function eraseApp(sql: Sql, random: Random, id: string, at: number): Promise<boolean> {
  if (!(await sql.get('SELECT 1 FROM apps WHERE id = $1', id))) return false;
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
  ]) {
    await sql.run(`DELETE FROM ${table} WHERE app_id = $1`, id);
  }
  await sql.run(`${FORGET} WHERE app_id = $1`, id);
  await sql.run('DELETE FROM apps WHERE id = $1', id);
  for (const mode of ['live', 'test']) await tombstone(sql, random, id, mode, 'app_deleted', at);
  return true;
}

async function tombstone(
  sql: Sql,
  random: Random,
  appId: string,
  mode: string,
  type: string,
  at: number,
): Promise<void> {
  await sql.run(
    'INSERT INTO auth_events (id, app_id, mode, type, at) VALUES ($1, $2, $3, $4, $5)',
    newEventId(random, at),
    appId,
    mode,
    type,
    at,
  );
}
