/**
 * What came of webhooks, in SQL: attempts, and what is tried again. Whoever records holds the row of the webhook, so
 * nothing is added to one that was deleted or disabled. Held by test/contract/webhooks.ts.
 */
import {
  type Delivery,
  typesOf,
  type Waiting,
  type WebhookNews,
  type WebhookProgress,
  type WebhookStore,
} from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import type { Transaction } from '../driver.ts';
import { ROWS } from '../scope.ts';
import { appendDone } from './audit.ts';
import type { StoreContext } from './context.ts';
import { forget, note, wait } from './delivery-rows.ts';
import { NOT_IMPORTING } from './imports.ts';
import { eventTime } from './outbox.ts';
import { type OutboxRow, ofTypes, openedEvents } from './outbox-reading.ts';
import { NEWEST, webhooks } from './webhook-rows.ts';

/** Counting more would hold up others. */
const MOST_COUNTED = 10_000;
interface DeliveryRow {
  readonly event_id: string;
  readonly type: Delivery['type'];
  readonly attempt: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: Delivery['error'];
  readonly duration_ms: number | null;
  readonly next_at: number | null;
}

type Attempts = Parameters<WebhookStore['recordDeliveries']>[0];

export const deliveryStore = (context: StoreContext) => {
  const { driver, vault, random } = context;
  const { read } = driver;
  return {
    webhookNews: () =>
      read.all<WebhookNews>(
        `SELECT id, revision, ${NEWEST} AS newest,
           (SELECT MIN(due_at) FROM webhook_waiting WHERE webhook_id = webhooks.id) AS "dueAt"
         FROM webhooks WHERE disabled_at IS NULL AND ${NOT_IMPORTING}`,
      ),

    async dueWebhookEvents({ id, gallery }, now, limit) {
      const rows = await read.all<Partial<OutboxRow> & { event_id: string; attempt: number }>(
        `SELECT w.event_id, w.attempt, o.id, o.seq, o.type, o.at, o.user_id, o.revokes_until, o.sealed FROM webhook_waiting w
           LEFT JOIN outbox o ON o.id = w.event_id AND o.app_id = $2 AND o.mode = $3
         WHERE w.webhook_id = $1 AND w.due_at <= $4 ORDER BY w.due_at, w.event_id LIMIT $5`,
        ...[id, gallery.appId, gallery.mode, now, limit],
      );
      const kept = rows.filter((row): row is OutboxRow & typeof row => row.id !== null);
      const events = new Map(
        (await openedEvents(vault, read, gallery, kept)).map(event => [event.id, event]),
      );
      const gone = rows.filter(({ event_id }) => !events.has(event_id));
      if (gone.length > 0)
        await driver.write(ROWS, sql =>
          forget(
            sql,
            id,
            gone.map(({ event_id }) => event_id),
          ),
        );
      return rows.flatMap(({ event_id, attempt }): Waiting[] => {
        const event = events.get(event_id);
        return event ? [{ event, attempt }] : [];
      });
    },

    async recordDeliveries(attempts, progress, at) {
      const ids = new Set([...attempts.map(({ webhookId }) => webhookId), ...progress.keys()]);
      const byWebhook = Map.groupBy(attempts, ({ webhookId }) => webhookId);
      await driver.write(ROWS, async sql => {
        // In one order, so that two nodes do not wait for each other.
        for (const id of [...ids].sort())
          await record(sql, random, id, byWebhook.get(id) ?? [], progress.get(id), at);
      });
    },

    async listDeliveries(id, limit, failed = false) {
      const rows = await read.all<DeliveryRow>(
        `SELECT event_id, type, attempt, at, status, error, duration_ms, next_at FROM webhook_deliveries
         WHERE webhook_id = $1 ${failed ? 'AND error IS NOT NULL' : ''} ORDER BY id DESC LIMIT $2`,
        id,
        limit,
      );
      return rows.map(row => ({
        webhookId: id,
        eventId: row.event_id,
        type: row.type,
        attempt: row.attempt,
        at: row.at,
        status: row.status,
        error: row.error,
        durationMs: row.duration_ms,
        nextAt: row.next_at,
      }));
    },

    replayWebhook: (id, which, at, entry) =>
      driver.write(ROWS, async sql => {
        const row = await sql.get(
          'SELECT 1 FROM webhooks WHERE id = $1 AND disabled_at IS NULL FOR UPDATE',
          id,
        );
        const [webhook] = row ? await webhooks(sql, vault, { id }) : [];
        if (!webhook) return 0;
        const { gallery, sentTo } = webhook;
        const [some, value] = 'since' in which ? ['at >= $3', which.since] : ['id = $3', which.eventId];
        const types = 'since' in which ? typesOf(webhook.events) : undefined;
        const own = `FROM outbox WHERE app_id = $1 AND mode = $2 AND ${some} ${ofTypes(types, 4)}`;
        const values = [gallery.appId, gallery.mode, value, ...(types ?? [])];
        const found = await sql.all<{ id: string; seq: number }>(`SELECT id, seq ${own}`, ...values);
        for (const event of found)
          if (event.seq <= sentTo) await wait(sql.unwatched, id, event.id, 0, at, 'again');
        if (found.length > 0 || 'since' in which) await appendDone(sql, vault, entry);
        return found.length;
      }),

    async webhookFigures(all) {
      let waiting = 0;
      let oldestAt = Number.POSITIVE_INFINITY;
      const counted = (n: number, at: number | null) => {
        waiting += n;
        oldestAt = Math.min(oldestAt, at ?? Number.POSITIVE_INFINITY);
      };
      for (const { id, gallery, events, sentTo, disabledAt } of all) {
        if (disabledAt !== null) continue;
        const again = await read.get<{ n: number; first: string | null }>(
          'SELECT COUNT(*) AS n, MIN(event_id) AS first FROM webhook_waiting WHERE webhook_id = $1',
          id,
        );
        counted(again?.n ?? 0, again?.first ? eventTime(again.first) : null);
        const types = typesOf(events);
        const first = await read.get<{ n: number; at: number | null }>(
          `SELECT COUNT(*) AS n, MIN(at) AS at FROM (SELECT at FROM outbox
             WHERE app_id = $1 AND mode = $2 AND seq > $3 ${ofTypes(types, 4)} ORDER BY seq LIMIT ${MOST_COUNTED}) AS own`,
          ...[gallery.appId, gallery.mode, sentTo, ...(types ?? [])],
        );
        counted(first?.n ?? 0, first?.at ?? null);
      }
      return { waiting, oldestAt: Number.isFinite(oldestAt) ? oldestAt : null };
    },
  } satisfies Partial<WebhookStore>;
};

async function record(
  sql: Transaction,
  random: Random,
  id: string,
  attempts: Attempts,
  progress: WebhookProgress | undefined,
  at: number,
): Promise<void> {
  const { since, isReset } = failing(attempts);
  const row = (
    await sql.all<{ disabled_at: number | null }>(
      `UPDATE webhooks SET sent_to = CASE WHEN sent_to < $1 THEN $1 ELSE sent_to END,
         failing_since = CASE WHEN $2 = 1 THEN CAST($3 AS BIGINT) ELSE COALESCE(failing_since, CAST($3 AS BIGINT)) END
       WHERE id = $4 RETURNING disabled_at`,
      progress?.sentTo ?? 0,
      isReset ? 1 : 0,
      since,
      id,
    )
  )[0];
  if (!row) return;
  const isDisabled = row.disabled_at !== null;
  const { unwatched } = sql;
  await Promise.all(
    attempts.flatMap(attempt => {
      const { eventId, waited, nextAt } = attempt;
      const isAgain = nextAt !== null && !isDisabled;
      const noted = note(unwatched, random, isAgain ? attempt : { ...attempt, nextAt: null });
      if (isAgain) return [noted, wait(unwatched, id, eventId, attempt.attempt, nextAt, 'again')];
      return waited ? [noted, forget(unwatched, id, [eventId])] : [noted];
    }),
  );
  if (isDisabled) return;
  await Promise.all((progress?.parked ?? []).map(eventId => wait(unwatched, id, eventId, 0, at, 'once')));
}

/** Since when these attempts fail, and whether one of them was good. Tests and what was dropped do not count. */
function failing(attempts: Attempts): { readonly since: number | null; readonly isReset: boolean } {
  const made = attempts.filter(({ type, attempt }) => type !== 'webhook.test' && attempt > 0);
  const good = made.findLastIndex(({ error }) => error === null);
  return { since: made[good + 1]?.at ?? null, isReset: good >= 0 };
}
