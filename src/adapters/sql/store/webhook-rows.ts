/** Rows of webhooks, and what is sealed in them. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { DisabledReason, WebhookFields, WebhookRecord } from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import { type Opener, opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { NOT_IMPORTING } from './imports.ts';
import { openFields, sealFields, type WebhookContent } from './personal.ts';

interface WebhookRow {
  readonly id: string;
  readonly app_id: string;
  readonly mode: Mode;
  readonly created_at: number;
  readonly disabled_at: number | null;
  readonly disabled_reason: DisabledReason | null;
  readonly failing_since: number | null;
  readonly sent_to: number;
  readonly revision: number;
  readonly sealed: Uint8Array;
}

const ROW =
  'id, app_id, mode, created_at, disabled_at, disabled_reason, failing_since, sent_to, revision, sealed';
/** The number of the newest event of a webhook’s app and mode. */
export const NEWEST =
  'COALESCE((SELECT seq FROM outbox_heads h WHERE h.app_id = webhooks.app_id AND h.mode = webhooks.mode), 0)';

/** Oldest first. What does not open is left out. */
export async function webhooks(
  sql: Sql,
  vault: Pick<Vault, 'keys'>,
  by: { readonly gallery: GalleryKey } | { readonly id: string } | 'all',
): Promise<WebhookRecord[]> {
  const [where, values] =
    by === 'all'
      ? ['1 = 1', []]
      : 'id' in by
        ? ['id = $1', [by.id]]
        : ['app_id = $1 AND mode = $2', [by.gallery.appId, by.gallery.mode]];
  const rows = await sql.all<WebhookRow>(
    `SELECT ${ROW} FROM webhooks WHERE ${where} AND ${NOT_IMPORTING} ORDER BY created_at, id`,
    ...values,
  );
  const records = new Map<string, WebhookRecord>();
  for (const [appId, own] of Map.groupBy(rows, row => row.app_id))
    await opening(vault.keys(sql, appId), async opener => {
      for (const row of own) {
        const record = recordOf(opener, row);
        if (record) records.set(row.id, record);
      }
    });
  return rows.flatMap(({ id }) => records.get(id) ?? []);
}

function recordOf(opener: Opener, row: WebhookRow): WebhookRecord | null {
  const { id } = row;
  const gallery = { appId: row.app_id, mode: row.mode };
  const content = openFields<WebhookContent>(opener, { of: 'webhook', gallery, id }, row.sealed);
  if (!content) return null;
  const [url, events, description, secrets] = content;
  return {
    id,
    gallery,
    url,
    events,
    description,
    secrets: secrets.map(([secret, endsAt]) => ({ secret, endsAt })),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    sentTo: row.sent_to,
    revision: row.revision,
  };
}

export async function sealedWebhook(
  sql: Sql,
  vault: Pick<Vault, 'sealer'>,
  {
    id,
    gallery,
    url,
    events,
    description,
    secrets,
  }: WebhookFields & Pick<WebhookRecord, 'id' | 'gallery' | 'secrets'>,
): Promise<Buffer> {
  const seal = await vault.sealer(sql, gallery.appId);
  return sealFields(seal, { of: 'webhook', gallery, id }, [
    url,
    events,
    description,
    secrets.map(({ secret, endsAt }) => [secret, endsAt]),
  ]);
}
