/**
 * Webhooks in SQL: what operators set. What comes of it is in deliveries.ts. Held by test/contract/webhooks.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { WebhookStore } from '../../../ports/store.ts';
import type { Driver, Sql } from '../driver.ts';
import { countOf, deleteInParts } from '../many-rows.ts';
import { ofGallery, ROWS, type Scope } from '../scope.ts';
import { appendDone } from './audit.ts';
import type { StoreContext } from './context.ts';
import { dropWaiting } from './dropped-events.ts';
import { NEWEST, sealedWebhook, webhooks } from './webhook-rows.ts';

/** What belongs to a webhook: its tables, each with its key. */
const PARTS = [
  ['webhook_waiting', 'webhook_id, event_id'],
  ['webhook_deliveries', 'webhook_id, id'],
] as const;

export const webhookStore = (context: StoreContext) => {
  const { driver, vault } = context;

  /** In the scope of its app and mode, as whoever replaces the app's key. */
  async function withPlace<Answer>(id: string, work: (sql: Sql) => Promise<Answer>) {
    const gallery = await driver.read.get<GalleryKey>(
      'SELECT app_id AS "appId", mode FROM webhooks WHERE id = $1',
      id,
    );
    return gallery ? driver.write(ofGallery(gallery), work) : null;
  }

  return {
    createWebhook: (webhook, maximum, entry) =>
      driver.write(ofGallery(webhook.gallery), async sql => {
        const { id, gallery, createdAt } = webhook;
        const { appId, mode } = gallery;
        if (!(await sql.get('SELECT 1 FROM apps WHERE id = $1 AND importing = 0', appId)))
          return 'no_such_app';
        if ((await countOf(sql, 'webhooks WHERE app_id = $1 AND mode = $2', appId, mode)) >= maximum)
          return 'too_many';
        await sql.run(
          `INSERT INTO webhooks (id, created_at, revision, sealed, app_id, mode, sent_to) VALUES ($1, $2, 1, $3, $4, $5,
             COALESCE((SELECT seq FROM outbox_heads WHERE app_id = $4 AND mode = $5), 0))`,
          id,
          createdAt,
          await sealedWebhook(sql, vault, webhook),
          appId,
          mode,
        );
        await appendDone(sql, vault, entry);
        return 'created';
      }),

    listWebhooks: by => webhooks(driver.read, vault, by),

    async updateWebhook(id, { enabled, secrets = kept => kept, ...change }, entry) {
      // What could not be dropped when it was disabled.
      if (enabled) await dropWaiting(context, id);
      return withPlace(id, async sql => {
        const [before] = await webhooks(sql, vault, { id });
        if (!before) return null;
        await sql.run(
          'UPDATE webhooks SET sealed = $1, revision = revision + 1 WHERE id = $2',
          await sealedWebhook(sql, vault, { ...before, ...change, secrets: secrets(before.secrets) }),
          id,
        );
        if (enabled)
          await sql.run(
            `UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, drop_from = NULL,
               sent_to = ${NEWEST}
             WHERE id = $1 AND disabled_at IS NOT NULL`,
            id,
          );
        await appendDone(sql, vault, entry);
        return (await webhooks(sql, vault, { id }))[0] ?? null;
      });
    },

    async disableWebhook(id, reason, at, entry) {
      const isThere = await driver.write(ROWS, async sql => {
        const changed = await sql.run(
          `UPDATE webhooks SET disabled_at = $1, disabled_reason = $2, revision = revision + 1, drop_from = sent_to,
             sent_to = ${NEWEST}
           WHERE id = $3 AND disabled_at IS NULL`,
          at,
          reason,
          id,
        );
        if (changed === 0 && !(await sql.get('SELECT 1 FROM webhooks WHERE id = $1', id))) return false;
        await appendDone(sql, vault, entry);
        return true;
      });
      if (!isThere) return null;
      await dropWaiting(context, id);
      return (await webhooks(driver.read, vault, { id }))[0] ?? null;
    },

    async deleteWebhook(id, entry) {
      const isDeleted = await driver.write(ROWS, async sql => {
        if ((await sql.run('DELETE FROM webhooks WHERE id = $1', id)) === 0) return false;
        await appendDone(sql, vault, entry);
        return true;
      });
      if (isDeleted) await removeParts(driver, ROWS, id);
      return isDeleted;
    },
  } satisfies Partial<WebhookStore>;
};

/** The deliveries of an app's webhooks, and what waits, a part at a time. */
export async function emptyWebhooks(driver: Driver, scope: Scope, appId: string): Promise<void> {
  const ids = await driver.read.all<{ id: string }>('SELECT id FROM webhooks WHERE app_id = $1', appId);
  for (const { id } of ids) await removeParts(driver, scope, id);
}

async function removeParts(driver: Driver, scope: Scope, id: string): Promise<void> {
  for (const [table, key] of PARTS) await deleteInParts(driver, scope, table, key, 'webhook_id = $1', id);
}

/** The webhooks of an app, in the transaction of its deletion, with what was recorded until now. */
export async function removeWebhooks(sql: Sql, appId: string): Promise<void> {
  const own = 'SELECT id FROM webhooks WHERE app_id = $1';
  // Whoever records a delivery holds the row.
  await sql.all(`${own} FOR UPDATE`, appId);
  for (const [table] of PARTS) await sql.run(`DELETE FROM ${table} WHERE webhook_id IN (${own})`, appId);
  await sql.run('DELETE FROM webhooks WHERE app_id = $1', appId);
}
