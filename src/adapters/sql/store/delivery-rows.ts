/** Rows of what waits for webhooks and of what came of it. */
import type { Delivery } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { sortable } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';

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
    // Begins with the time.
    `${sortable(delivery.at)}${random.bytes(6).toString('hex')}`,
    delivery.eventId,
    delivery.type,
    delivery.attempt,
    delivery.at,
    delivery.status,
    delivery.error,
    delivery.durationMs,
    delivery.nextAt,
  );
