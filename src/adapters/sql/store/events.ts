/** Auth events: what happened, when and to whom, for the audit trail; and how many there were on each day. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventOrigin, EventType } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { dayOf } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';

/** Ids begin with the time, so that new rows are added at the end of the index. */
export function newEventId(random: Random, at: number): string {
  return `evt_${at.toString(36).padStart(9, '0')}${random.bytes(12).toString('base64url')}`;
}

export async function addEvent(
  sql: Sql,
  random: Random,
  gallery: GalleryKey,
  event: { type: EventType; at: number; userId: string | null; origin: EventOrigin },
): Promise<void> {
  const { ip, userAgent, liveness } = event.origin;
  await sql.run(
    `INSERT INTO auth_events (id, app_id, mode, user_id, type, at, ip, user_agent, liveness)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    newEventId(random, event.at),
    gallery.appId,
    gallery.mode,
    event.userId,
    event.type,
    event.at,
    ip,
    userAgent,
    liveness === undefined ? null : JSON.stringify(liveness),
  );
  await countEvent(sql, gallery, event.type, event.at);
}

/** Counts an event on its day. Whoever writes an event calls this in the same transaction. */
export async function countEvent(
  sql: Sql,
  { appId, mode }: GalleryKey,
  type: EventType,
  at: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO event_days (app_id, mode, day, type, count) VALUES ($1, $2, $3, $4, 1)
     ON CONFLICT (app_id, mode, day, type) DO UPDATE SET count = event_days.count + 1`,
    appId,
    mode,
    dayOf(at),
    type,
  );
}
