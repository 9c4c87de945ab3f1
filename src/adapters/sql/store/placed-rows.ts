/** Rows of users and events with their app and mode, and their conversion to records. */
import type { EventRecord, PlacedUser } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Sql } from '../driver.ts';
import { NOT_IMPORTING } from './imports.ts';
import { USER, type UserRow, user } from './users.ts';

export interface EventRow {
  id: string;
  app_id: string;
  mode: Mode;
  user_id: string | null;
  type: EventRecord['type'];
  at: number;
  ip: string | null;
  user_agent: string | null;
  liveness: string | null;
}

/** A user's columns, with app, mode and number of templates. */
export const PLACED = `${USER}, app_id, mode, (SELECT COUNT(*) FROM templates WHERE templates.user_id = users.id) AS templates`;

export type PlacedRow = UserRow & { app_id: string; mode: Mode; templates: number };

export async function placeUser(sql: Sql, id: string): Promise<PlacedUser | null> {
  // Users of an app that is still being imported do not exist yet.
  const row = await sql.get<PlacedRow>(`SELECT ${PLACED} FROM users WHERE id = $1 AND ${NOT_IMPORTING}`, id);
  return row ? placed(row) : null;
}

export function placed(row: PlacedRow): PlacedUser {
  return {
    gallery: { appId: row.app_id, mode: row.mode },
    user: user(row),
    templateCount: row.templates,
  };
}

export function event(row: EventRow): EventRecord {
  return {
    id: row.id,
    gallery: { appId: row.app_id, mode: row.mode },
    userId: row.user_id,
    type: row.type,
    at: row.at,
    ip: row.ip,
    userAgent: row.user_agent,
    liveness: row.liveness === null ? null : JSON.parse(row.liveness),
  };
}
