/**
 * Drops what waits for a webhook that was disabled, notes it in the deliveries, and prunes them. Held by
 * test/contract/webhooks.ts.
 */
import { typesOf } from '../../../ports/store.ts';
import type { OutboxType } from '../../../protocol/outbox.ts';
import { sortable } from '../../../protocol/time.ts';
import { ROWS } from '../scope.ts';
import type { StoreContext } from './context.ts';
import { note } from './delivery-rows.ts';
import { webhooks } from './webhook-rows.ts';

const PART = 500;
/** Greater than every id. */
const BEYOND_IDS = '~';
const DROPPED = { attempt: 0, status: null, error: 'disabled', durationMs: null, nextAt: null } as const;

/** Drops what waits for a disabled webhook, a part at a time. */
export async function dropWaiting(context: StoreContext, id: string): Promise<void> {
  while (await dropPart(context, id));
}

/** @returns whether there may be more */
const dropPart = ({ driver, vault, random }: StoreContext, id: string): Promise<boolean> =>
  driver.write(ROWS, async sql => {
    const row = await sql.get<{ disabled_at: number; drop_from: number | null; sent_to: number }>(
      'SELECT disabled_at, drop_from, sent_to FROM webhooks WHERE id = $1 AND disabled_at IS NOT NULL FOR UPDATE',
      id,
    );
    if (!row) return false;
    const drop = (events: readonly { readonly id: string; readonly type: OutboxType }[]) =>
      Promise.all(
        events.map(event =>
          note(sql.unwatched, random, {
            ...{ webhookId: id, eventId: event.id, type: event.type, at: row.disabled_at },
            ...DROPPED,
          }),
        ),
      );
    const waiting = await sql.all<{ id: string; type: OutboxType | null }>(
      `SELECT w.event_id AS id, o.type FROM webhook_waiting w LEFT JOIN outbox o ON o.id = w.event_id
       WHERE w.webhook_id = $1 ORDER BY w.event_id LIMIT ${PART}`,
      id,
    );
    const last = waiting.at(-1);
    if (last) {
      // Not of people who were erased meanwhile.
      await drop(
        waiting.filter((event): event is typeof event & { type: OutboxType } => event.type !== null),
      );
      await sql.run('DELETE FROM webhook_waiting WHERE webhook_id = $1 AND event_id <= $2', id, last.id);
      return true;
    }
    if (row.drop_from === null) return false;
    const [webhook] = await webhooks(sql, vault, { id });
    // One that does not open is known to nobody.
    const { appId = '', mode = '' } = webhook?.gallery ?? {};
    const events = await sql.all<{ id: string; type: OutboxType; seq: number }>(
      `SELECT id, type, seq FROM outbox WHERE app_id = $1 AND mode = $2 AND seq > $3 AND seq <= $4 ORDER BY seq LIMIT ${PART}`,
      ...[appId, mode, row.drop_from, row.sent_to],
    );
    const types = typesOf(webhook?.events ?? []);
    await drop(events.filter(({ type }) => types?.includes(type) ?? true));
    const next = events.length === PART ? (events.at(-1)?.seq ?? null) : null;
    await sql.run('UPDATE webhooks SET drop_from = $1 WHERE id = $2', next, id);
    return next !== null;
  });

/** Deliveries from before a moment, and what was left when a webhook was deleted or disabled. */
export async function pruneDeliveries(context: StoreContext, before: number, limit: number): Promise<number> {
  const { driver } = context;
  const left = await driver.read.all<{ id: string }>(
    `SELECT id FROM webhooks WHERE disabled_at IS NOT NULL AND (drop_from IS NOT NULL
       OR EXISTS (SELECT 1 FROM webhook_waiting WHERE webhook_id = webhooks.id))`,
  );
  for (const { id } of left) await dropWaiting(context, id);
  let deleted = 0;
  for (const [table, key, kept] of [
    ['webhook_deliveries', 'id', sortable(Math.max(0, before))],
    ['webhook_waiting', 'event_id', ''],
  ] as const)
    for (let id = ''; deleted < limit; ) {
      const next = await driver.read.get<{ webhook_id: string; known: number }>(
        `SELECT webhook_id, (SELECT COUNT(*) FROM webhooks WHERE id = webhook_id) AS known FROM ${table}
         WHERE webhook_id > $1 ORDER BY webhook_id LIMIT 1`,
        id,
      );
      if (!next) break;
      id = next.webhook_id;
      deleted += await driver.write(ROWS, sql =>
        sql.run(
          `DELETE FROM ${table} WHERE webhook_id = $1 AND ${key} IN
             (SELECT ${key} FROM ${table} WHERE webhook_id = $1 AND ${key} < $2 ORDER BY ${key} LIMIT $3)`,
          ...[id, next.known > 0 ? kept : BEYOND_IDS, limit - deleted],
        ),
      );
    }
  return deleted;
}
