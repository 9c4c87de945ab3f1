/** Rows of what waits for webhooks and of what came of it. */
import type { Delivery } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import type { OutboxType } from '../../../protocol/outbox.ts';
import type { Sql } from '../driver.ts';

/** Of a delivery: begins with the time. */
export const deliveryIdAt = (at: number, rest = '') => `${at.toString(36).padStart(9, '0')}${rest}`;

/** Null: all. */
export const typesOf = (events: readonly (OutboxType | '*')[]) =>
  events.includes('*') ? null : (events as readonly OutboxType[]);

/** @param first number of the first value */
export const ofTypes = (types: readonly string[] | null, first: number) =>
  types ? `AND type IN (${types.map((_, at) => `$${first + at}`).join(', ')})` : '';

/** @param how `once`: one that waits already stays as it is */
export const wait = (
  sql: Sql,
  webhookId: string,
  eventId: string,
  attempt: number,
  dueAt: number,
  how: 'again' | 'once',
) =>
  sql.run(
    `INSERT INTO webhook_waiting (webhook_id, event_id, attempt, due_at) VALUES ($1, $2, $3, $4) ON CONFLICT (webhook_id, event_id)
     DO ${how === 'once' ? 'NOTHING' : 'UPDATE SET attempt = excluded.attempt, due_at = excluded.due_at'}`,
    webhookId,
    eventId,
    attempt,
    dueAt,
  );

export async function forget(sql: Sql, webhookId: string, eventIds: readonly string[]): Promise<void> {
  for (const eventId of eventIds)
    await sql.run('DELETE FROM webhook_waiting WHERE webhook_id = $1 AND event_id = $2', webhookId, eventId);
}

export const note = (sql: Sql, random: Random, delivery: Delivery) =>
  sql.run(
    `INSERT INTO webhook_deliveries (webhook_id, id, event_id, type, attempt, at, status, error, duration_ms, next_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    delivery.webhookId,
    deliveryIdAt(delivery.at, random.bytes(6).toString('hex')),
    delivery.eventId,
    delivery.type,
    delivery.attempt,
    delivery.at,
    delivery.status,
    delivery.error,
    delivery.durationMs,
    delivery.nextAt,
  );
