/** The gallery sequence, and the changes since a sequence. Templates are sealed and opened here. */
import type { GalleryChanges, GalleryKey } from '../../../ports/matcher.ts';
import {
  type GalleryState,
  type NewTemplate,
  StoreUnavailable,
  type UsedGallery,
} from '../../../ports/store.ts';
import { eraseRows, type GalleryTemplate, templatesOf } from '../../../ports/template-rows.ts';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { countOf, insertRows } from '../many-rows.ts';
import { openTemplates, SEALED_TEMPLATE, type SealedTemplate, sealContext } from './sealed-templates.ts';

/** One row, because every request needs both, and they are cached together. */
export async function galleryState(sql: Sql, { appId, mode }: GalleryKey): Promise<GalleryState> {
  const row = await sql.get<GalleryState>(
    'SELECT sequence, encoder FROM galleries WHERE app_id = $1 AND mode = $2',
    appId,
    mode,
  );
  return row ?? { sequence: 0, encoder: null };
}

export async function gallerySequence(sql: Sql, gallery: GalleryKey): Promise<number> {
  return (await galleryState(sql, gallery)).sequence;
}

/** Creates the galleries of a new app. So an engine with several writers always has a row to lock. */
export async function insertGalleries(
  sql: Sql,
  appId: string,
  encoders: Readonly<Partial<Record<Mode, string | null>>> = {},
): Promise<void> {
  const rows = MODES.map(mode => [appId, mode, 0, encoders[mode] ?? null]);
  await insertRows(sql, 'galleries (app_id, mode, sequence, encoder)', rows);
}

export async function usedGalleries(sql: Sql, month: string): Promise<UsedGallery[]> {
  const rows = await sql.all<GalleryKey & { sequence: number }>(
    `SELECT galleries.app_id AS "appId", galleries.mode, galleries.sequence FROM galleries
     JOIN usage ON usage.app_id = galleries.app_id AND usage.mode = galleries.mode AND usage.month >= $1
     JOIN apps ON apps.id = galleries.app_id AND apps.importing = 0
     GROUP BY galleries.app_id, galleries.mode, galleries.sequence
     HAVING galleries.sequence > 0 AND SUM(usage.auths) > 0
     ORDER BY SUM(usage.auths) DESC, galleries.sequence DESC, galleries.app_id`,
    month,
  );
  return rows.map(({ sequence, ...gallery }) => ({ gallery, sequence }));
}

/**
 * Advances the sequence by `steps`. @returns the old sequence: the caller uses the numbers after it
 * @throws StoreUnavailable if the app is being erased
 */
async function moveSequence(sql: Sql, gallery: GalleryKey, steps: number): Promise<number> {
  const row = await sql.get<{ sequence: number }>(
    'UPDATE galleries SET sequence = sequence + $3 WHERE app_id = $1 AND mode = $2 RETURNING sequence',
    gallery.appId,
    gallery.mode,
    steps,
  );
  if (!row)
    throw new StoreUnavailable(new Error(`the app of ${gallery.mode} ${gallery.appId} is being erased`));
  return row.sequence - steps;
}

/** Adds templates of one user. */
export const addTemplates = (
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  userId: string,
  templates: readonly NewTemplate[],
  origin: OwnedTemplate['origin'],
  at: number,
) =>
  insertTemplates(
    sql,
    vault,
    gallery,
    templates.map(template => ({ ...template, userId, origin, at })),
  );

export interface OwnedTemplate extends NewTemplate {
  readonly userId: string;
  readonly origin: 'enrolled' | 'learned';
  readonly at: number;
}

export async function insertTemplates(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  templates: readonly OwnedTemplate[],
): Promise<void> {
  const { appId, mode } = gallery;
  let sequence = await moveSequence(sql, gallery, templates.length);
  const seal = await vault.sealer(sql, appId);
  await insertRows(
    sql,
    'templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)',
    templates.map(({ id, userId, origin, vector, at }) => [
      ...[id, appId, mode, userId, ++sequence, origin],
      seal(
        sealContext(gallery, { userId, id }),
        Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
      ),
      at,
    ]),
  );
}

/** Identifies a template: by id in a row, by sequence in a matcher. */
export type TemplateNames = Pick<SealedTemplate, 'id' | 'sequence'>;

/** Deletes templates, and records the removals for matchers that still have them. */
export async function removeTemplates(
  sql: Sql,
  gallery: GalleryKey,
  templates: readonly TemplateNames[],
  at: number,
): Promise<void> {
  let sequence = await moveSequence(sql, gallery, templates.length);
  for (const template of templates) {
    await sql.run(
      `INSERT INTO removed_templates (app_id, mode, sequence, template_sequence, removed_at)
       VALUES ($1, $2, $3, $4, $5)`,
      gallery.appId,
      gallery.mode,
      ++sequence,
      template.sequence,
      at,
    );
    await sql.run('DELETE FROM templates WHERE id = $1', template.id);
  }
}

/** The opened templates of a user's enrolment. Skips those that do not open. */
export async function enrolledTemplates(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  userId: string,
): Promise<GalleryTemplate[]> {
  return opening(vault.keys(sql, gallery.appId), async opener => {
    const sealed = await sql.all<SealedTemplate>(
      `SELECT ${SEALED_TEMPLATE} FROM templates
       WHERE app_id = $1 AND mode = $2 AND user_id = $3 AND origin = 'enrolled' ORDER BY sequence`,
      gallery.appId,
      gallery.mode,
      userId,
    );
    const { rows } = openTemplates(opener, gallery, sealed);
    const templates = templatesOf(rows);
    eraseRows(rows);
    return templates;
  });
}

/**
 * One page of changes. In this order, the reads are consistent without a transaction: a template that is removed
 * between the statements is either missing from the page or removed by a later page.
 */
export async function galleryChanges(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  since: number,
  limit: number,
): Promise<GalleryChanges> {
  return opening(vault.keys(sql, gallery.appId), async opener => {
    const end = await gallerySequence(sql, gallery);
    const sealed = await templatesBetween(sql, gallery, since, end, limit);
    const to = sealed.length < limit ? end : (sealed.at(-1) as SealedTemplate).sequence;
    const { removed, isBroken } = await removalsBetween(sql, gallery, since, to);
    const { rows, unreadable } = openTemplates(opener, gallery, sealed);
    return { from: since, to, removed, added: rows, unreadable, isBroken };
  });
}

/** Number of templates after `since` and up to `to`. */
export function countBetween(
  sql: Sql,
  { appId, mode }: GalleryKey,
  since: number,
  to: number,
): Promise<number> {
  const between = 'templates WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4';
  return countOf(sql, between, appId, mode, since, to);
}

/** Columns of a page. Looks up the first template of a user's enrolment where the page itself does not show it. */
export const PAGE = `${SEALED_TEMPLATE}, CASE WHEN origin = 'learned' OR sequence = $3 + 1 THEN
  (SELECT MIN(e.sequence) FROM templates AS e WHERE e.user_id = templates.user_id AND e.origin = 'enrolled')
  END AS first`;

/** In the order in which they were stored. */
export function templatesBetween(
  sql: Sql,
  { appId, mode }: GalleryKey,
  since: number,
  to: number,
  limit: number,
): Promise<SealedTemplate[]> {
  return sql.all<SealedTemplate>(
    `SELECT ${PAGE} FROM templates
     WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4 ORDER BY sequence LIMIT $5`,
    appId,
    mode,
    since,
    to,
    limit,
  );
}

/** The removals of a step. `isBroken`: some are no longer on record. A load from 0 needs none. */
export async function removalsBetween(
  sql: Sql,
  { appId, mode }: GalleryKey,
  since: number,
  to: number,
): Promise<{ removed: number[]; isBroken: boolean }> {
  if (since === 0) return { removed: [], isBroken: false };
  const rows = await sql.all<{ template_sequence: number }>(
    `SELECT template_sequence FROM removed_templates WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4`,
    appId,
    mode,
    since,
    to,
  );
  // Read after the rows, so that it covers everything that was pruned before they were read.
  const gallery = await sql.get<{ pruned_to: number }>(
    'SELECT pruned_to FROM galleries WHERE app_id = $1 AND mode = $2',
    appId,
    mode,
  );
  return { removed: rows.map(row => row.template_sequence), isBroken: (gallery?.pruned_to ?? 0) > since };
}

/** Deletes at most `limit` removals from before the moment. @returns how many */
export async function pruneRemovals(sql: Sql, before: number, limit: number): Promise<number> {
  const rows = await sql.all<{ app_id: string; mode: string; sequence: number }>(
    'SELECT app_id, mode, sequence FROM removed_templates WHERE removed_at < $1 ORDER BY removed_at LIMIT $2',
    before,
    limit,
  );
  for (const { app_id, mode, sequence } of rows) {
    await sql.run(
      'UPDATE galleries SET pruned_to = $3 WHERE app_id = $1 AND mode = $2 AND pruned_to < $3',
      app_id,
      mode,
      sequence,
    );
    await sql.run(
      'DELETE FROM removed_templates WHERE app_id = $1 AND mode = $2 AND sequence = $3',
      app_id,
      mode,
      sequence,
    );
  }
  return rows.length;
}
