/** Rows of users and events with their app and mode, and their conversion to records. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventRecord, Order, PlacedUser, UserPosition } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { type Opener, opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import type { EventQuery } from './event-query.ts';
import { NOT_IMPORTING } from './imports.ts';
import { type Client, openFields } from './personal.ts';
import { listed, USER, type UserRow, userPage } from './users.ts';

interface EventRow {
  id: string;
  app_id: string;
  mode: Mode;
  user_id: string | null;
  type: EventRecord['type'];
  at: number;
  sealed: Uint8Array | null;
}

/** A user's columns, with app, mode and number of templates. */
export const PLACED = `${USER}, app_id, mode, (SELECT COUNT(*) FROM templates WHERE templates.user_id = users.id) AS templates`;

type PlacedRow = UserRow & { app_id: string; mode: Mode; templates: number };

export async function placeUser(sql: Sql, vault: Vault, id: string): Promise<PlacedUser | null> {
  // Users of an app that is still being imported do not exist yet.
  const where = await sql.get<{ app_id: string }>(
    `SELECT app_id FROM users WHERE id = $1 AND ${NOT_IMPORTING}`,
    id,
  );
  if (!where) return null;
  return opening(vault.keys(sql, where.app_id), opener => placedUser(sql, opener, id));
}

/** A user whose app is complete. */
export async function placedUser(sql: Sql, opener: Opener, id: string): Promise<PlacedUser | null> {
  const row = await sql.get<PlacedRow>(`SELECT ${PLACED} FROM users WHERE id = $1`, id);
  return row ? placed(opener, row) : null;
}

export async function listUsers(
  sql: Sql,
  opener: Opener,
  gallery: GalleryKey,
  after: UserPosition | null,
  limit: number,
  order: Order,
): Promise<PlacedUser[]> {
  const page = await userPage<PlacedRow>(sql, PLACED, gallery, after, limit, order);
  return page.map(row => placed(opener, row));
}

function placed(opener: Opener, row: PlacedRow): PlacedUser {
  const gallery = { appId: row.app_id, mode: row.mode };
  return { gallery, user: listed(opener, gallery, row), templateCount: row.templates };
}

/** The events of a query, of whatever apps. What does not open is left out of its event. */
export async function events(sql: Sql, vault: Vault, { text, values }: EventQuery): Promise<EventRecord[]> {
  const rows = await sql.all<EventRow>(text, ...values);
  const byApp = Map.groupBy(rows, row => row.app_id);
  const records = new Map<string, EventRecord>();
  for (const [appId, own] of byApp)
    await opening(vault.keys(sql, appId), async opener => {
      for (const row of own) records.set(row.id, event(opener, row));
    });
  return rows.map(row => records.get(row.id) as EventRecord);
}

function event(opener: Opener, row: EventRow): EventRecord {
  const { id, user_id: userId, type, at, sealed } = row;
  const gallery = { appId: row.app_id, mode: row.mode };
  const client = sealed && openFields<Client>(opener, { of: 'event', gallery, id }, sealed);
  const [ip, userAgent, liveness] = client ?? [null, null, null];
  return { id, gallery, userId, type, at, ip, userAgent, liveness };
}
