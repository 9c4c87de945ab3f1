/** The gallery sequence and what changed since. Templates are sealed here and opened here. */
import type { GalleryChanges, GalleryKey } from '../../../ports/matcher.ts';
import type { NewTemplate, OtherEncoder, UsedGallery } from '../../../ports/store.ts';
import { eraseRows, type GalleryTemplate, templateAt } from '../../../ports/template-rows.ts';
import { opening } from '../../secrets/sealing.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { openTemplates, SEALED_TEMPLATE, type SealedTemplate, sealContext } from './sealed-templates.ts';

export interface GalleryState {
  readonly sequence: number;
  readonly encoder: string | null;
}

/** One row: both are asked for with every request, and are remembered together. */
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

/** Whether templates of this encoder must not come to those that the gallery has. */
export function otherEncoder({ encoder }: GalleryState, named: string | null): OtherEncoder | null {
  return encoder === null || named === null || named === encoder
    ? null
    : { outcome: 'other_encoder', remembered: encoder };
}

export async function hasTemplates(sql: Sql, { appId, mode }: GalleryKey): Promise<boolean> {
  const one = await sql.get('SELECT 1 FROM templates WHERE app_id = $1 AND mode = $2 LIMIT 1', appId, mode);
  return one !== undefined;
}

/** Before the templates of an enrolment are stored: the first ones of a gallery decide which encoder it remembers. */
export async function rememberFirstEncoder(
  sql: Sql,
  gallery: GalleryKey,
  state: GalleryState,
  named: string | null,
): Promise<void> {
  if (state.encoder !== null || named === null) return;
  if (!(await hasTemplates(sql, gallery))) await setEncoder(sql, gallery, named);
}

/** Also for a gallery that has had no template yet; nothing where there is no such app. */
export async function setEncoder(
  sql: Sql,
  { appId, mode }: GalleryKey,
  encoder: string | null,
): Promise<void> {
  await sql.run(
    `INSERT INTO galleries (app_id, mode, sequence, encoder)
     SELECT id, CAST($2 AS TEXT), 0, CAST($3 AS TEXT) FROM apps WHERE id = $1
     ON CONFLICT (app_id, mode) DO UPDATE SET encoder = $3`,
    appId,
    mode,
    encoder,
  );
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

/** Moves the sequence by `steps` and answers where it stood: the caller uses the numbers after it. */
export async function moveSequence(sql: Sql, gallery: GalleryKey, steps: number): Promise<number> {
  const row = await sql.get<{ sequence: number }>(
    `INSERT INTO galleries (app_id, mode, sequence) VALUES ($1, $2, $3)
     ON CONFLICT (app_id, mode) DO UPDATE SET sequence = galleries.sequence + $3 RETURNING sequence`,
    gallery.appId,
    gallery.mode,
    steps,
  );
  return (row as { sequence: number }).sequence - steps;
}

export async function addTemplates(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  userId: string,
  templates: readonly NewTemplate[],
  origin: 'enrolled' | 'learned',
  at: number,
): Promise<void> {
  let sequence = await moveSequence(sql, gallery, templates.length);
  const seal = await vault.sealer(sql, gallery.appId);
  for (const template of templates) {
    const sealed = seal(sealContext(gallery, { userId, id: template.id }), bytesOf(template.vector));
    await sql.run(
      `INSERT INTO templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      template.id,
      gallery.appId,
      gallery.mode,
      userId,
      ++sequence,
      origin,
      sealed,
      at,
    );
  }
}

/** What names a template: a row by id, and in a matcher by sequence. */
export type TemplateNames = Pick<SealedTemplate, 'id' | 'sequence'>;

/** Deletes templates, and tells the matchers that still hold them. */
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

/** Opened templates of a user's enrolment, without those that do not open. */
export async function enrolledTemplates(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  userId: string,
): Promise<GalleryTemplate[]> {
  return opening(vault.keys(sql, gallery.appId), async (ring, isLast) => {
    const sealed = await sql.all<SealedTemplate>(
      `SELECT ${SEALED_TEMPLATE} FROM templates
       WHERE app_id = $1 AND mode = $2 AND user_id = $3 AND origin = 'enrolled' ORDER BY sequence`,
      gallery.appId,
      gallery.mode,
      userId,
    );
    const { rows } = openTemplates(ring, gallery, sealed, isLast);
    const templates = Array.from({ length: rows.count }, (_, i) => templateAt(rows, i));
    eraseRows(rows);
    return templates;
  });
}

/**
 * One page of changes. Read in this order it is consistent without a transaction: a template removed between the
 * statements is either missing from the page or named by a later one.
 */
export async function galleryChanges(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  since: number,
  limit: number,
): Promise<GalleryChanges> {
  return opening(vault.keys(sql, gallery.appId), async (ring, isLast) => {
    const end = await gallerySequence(sql, gallery);
    const sealed = await templatesBetween(sql, gallery, since, end, limit);
    const to = sealed.length < limit ? end : (sealed.at(-1) as SealedTemplate).sequence;
    const { removed, isBroken } = await removalsBetween(sql, gallery, since, to);
    const { rows, unreadable } = openTemplates(ring, gallery, sealed, isLast);
    return { from: since, to, removed, added: rows, unreadable, isBroken };
  });
}

/** How many templates there are of what was stored after `since` and up to `to`. */
export async function countBetween(
  sql: Sql,
  { appId, mode }: GalleryKey,
  since: number,
  to: number,
): Promise<number> {
  const row = await sql.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM templates WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4',
    appId,
    mode,
    since,
    to,
  );
  return row?.n ?? 0;
}

/** Columns of a page: where it cannot tell by itself at which template a user's enrolment begins, it is looked up. */
export const PAGE = `${SEALED_TEMPLATE}, CASE WHEN origin = 'learned' OR sequence = $3 + 1 THEN
  (SELECT MIN(e.sequence) FROM templates AS e WHERE e.user_id = templates.user_id AND e.origin = 'enrolled')
  END AS first`;

/** In the order of storing. */
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

/**
 * What a step removes; `isBroken`: some of it is not known any more. From nothing on there is nobody to whom a removal would
 * say anything.
 */
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
  // Asked afterwards: what was forgotten before the rows were read is told by then.
  const gallery = await sql.get<{ pruned_to: number }>(
    'SELECT pruned_to FROM galleries WHERE app_id = $1 AND mode = $2',
    appId,
    mode,
  );
  return { removed: rows.map(row => row.template_sequence), isBroken: (gallery?.pruned_to ?? 0) > since };
}

/** Forgets at most `limit` removals of before the moment; answers how many. */
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

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
