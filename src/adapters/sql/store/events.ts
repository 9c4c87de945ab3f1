/** Auth events: what happened, when and to whom, for the audit trail; and how many there were on each day. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { EventOrigin, EventType } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { dayOf, sortable } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { insertRows } from '../many-rows.ts';
import { type Client, clientOf, sealFields } from './personal.ts';

/** Ids begin with the time, so that new rows are added at the end of the index. */
export function newEventId(random: Random, at: number): string {
  return `evt_${sortable(at)}${random.bytes(12).toString('base64url')}`;
}

const SUM_EVENTS =
  'ON CONFLICT (app_id, mode, day, type) DO UPDATE SET count = event_days.count + excluded.count';

/** What events need from the store. */
export interface EventTools {
  readonly vault: Pick<Vault, 'sealerOrNull'>;
  readonly random: Random;
}

/** The same, asked for together with what comes before the event. */
export async function toolsOfEvent(
  sql: Sql,
  { vault, random }: EventTools,
  { appId }: GalleryKey,
): Promise<EventTools> {
  const seal = await vault.sealerOrNull(sql, appId);
  return { random, vault: { sealerOrNull: async () => seal } };
}

interface NewEvent {
  readonly type: EventType;
  readonly at: number;
  readonly userId: string | null;
}

export const addEvent = (
  sql: Sql,
  tools: EventTools,
  gallery: GalleryKey,
  { origin, ...event }: NewEvent & { readonly origin: EventOrigin },
) => insertEvent(sql, tools, gallery, event, clientOf(origin));

/** @param client null: it was erased. It is lost too if the app's key was altered: sign-ins go on. */
export async function insertEvent(
  sql: Sql,
  { vault, random }: EventTools,
  gallery: GalleryKey,
  { type, at, userId }: NewEvent,
  client: Client | null,
): Promise<void> {
  const id = newEventId(random, at);
  const seal = client && (await vault.sealerOrNull(sql, gallery.appId));
  await sql.run(
    `INSERT INTO auth_events (id, app_id, mode, user_id, type, at, sealed)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    id,
    gallery.appId,
    gallery.mode,
    userId,
    type,
    at,
    client && seal && sealFields(seal, { of: 'event', gallery, id }, client),
  );
  await sql.run(
    `INSERT INTO event_days (app_id, mode, day, type, count) VALUES ($1, $2, $3, $4, 1) ${SUM_EVENTS}`,
    gallery.appId,
    gallery.mode,
    dayOf(at),
    type,
  );
}

/** Counts many events on their days, in the transaction of the events. */
export async function countEvents(
  sql: Sql,
  appId: string,
  events: readonly { mode: Mode; type: EventType; at: number }[],
): Promise<void> {
  const days = Map.groupBy(events, ({ mode, at, type }) => JSON.stringify([mode, dayOf(at), type]));
  await insertRows(
    sql,
    'event_days (app_id, mode, day, type, count)',
    [...days].map(([day, { length }]) => [appId, ...JSON.parse(day), length]),
    SUM_EVENTS,
  );
}
