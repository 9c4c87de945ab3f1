/** The gallery sequence and what changed since. Templates are sealed here and opened here. */
import {
  DIMENSIONS,
  type GalleryChanges,
  type GalleryKey,
  type GalleryTemplate,
} from '../../../ports/matcher.ts';
import type { Vault } from '../../secrets/vault.ts';
import type { Sql } from '../driver.ts';

export async function gallerySequence(sql: Sql, { appId, mode }: GalleryKey): Promise<number> {
  const row = await sql.get<{ sequence: number }>(
    'SELECT sequence FROM galleries WHERE app_id = $1 AND mode = $2',
    appId,
    mode,
  );
  return row?.sequence ?? 0;
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
  templates: readonly GalleryTemplate[],
  origin: 'enrolled' | 'learned',
  at: number,
): Promise<void> {
  let sequence = await moveSequence(sql, gallery, templates.length);
  for (const template of templates) {
    const sealed = vault.seal(gallery.appId, sealContext(gallery, template), bytesOf(template.vector));
    await sql.run(
      `INSERT INTO templates (id, app_id, mode, user_id, sequence, origin, sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      template.id,
      gallery.appId,
      gallery.mode,
      template.userId,
      ++sequence,
      origin,
      sealed,
      at,
    );
  }
}

/** Deletes templates, and names them for the matchers that still hold them. */
export async function removeTemplates(sql: Sql, gallery: GalleryKey, ids: readonly string[]): Promise<void> {
  let sequence = await moveSequence(sql, gallery, ids.length);
  for (const id of ids) {
    await sql.run(
      'INSERT INTO removed_templates (app_id, mode, sequence, template_id) VALUES ($1, $2, $3, $4)',
      gallery.appId,
      gallery.mode,
      ++sequence,
      id,
    );
    await sql.run('DELETE FROM templates WHERE id = $1', id);
  }
}

/** Opened templates of a user's enrolment. */
export async function enrolledTemplates(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  userId: string,
): Promise<Float32Array[]> {
  const rows = await sql.all<TemplateRow>(
    `SELECT id, user_id, sequence, sealed FROM templates
     WHERE app_id = $1 AND mode = $2 AND user_id = $3 AND origin = 'enrolled' ORDER BY sequence`,
    gallery.appId,
    gallery.mode,
    userId,
  );
  return rows.map(row => opened(vault, gallery, row));
}

interface TemplateRow {
  id: string;
  user_id: string;
  sequence: number;
  sealed: Uint8Array;
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
  const { appId, mode } = gallery;
  const end = await gallerySequence(sql, gallery);
  const rows = await sql.all<TemplateRow>(
    `SELECT id, user_id, sequence, sealed FROM templates
     WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4 ORDER BY sequence LIMIT $5`,
    appId,
    mode,
    since,
    end,
    limit,
  );
  const to = rows.length < limit ? end : (rows.at(-1) as TemplateRow).sequence;
  const removed = since === 0 ? [] : await removedBetween(sql, gallery, since, to);
  const added = rows.map(row => ({
    id: row.id,
    userId: row.user_id,
    vector: opened(vault, gallery, row),
  }));
  return { from: since, to, removed, added };
}

async function removedBetween(
  sql: Sql,
  { appId, mode }: GalleryKey,
  since: number,
  to: number,
): Promise<string[]> {
  const rows = await sql.all<{ template_id: string }>(
    `SELECT template_id FROM removed_templates WHERE app_id = $1 AND mode = $2 AND sequence > $3 AND sequence <= $4`,
    appId,
    mode,
    since,
    to,
  );
  return rows.map(row => row.template_id);
}

function opened(vault: Vault, gallery: GalleryKey, row: TemplateRow): Float32Array {
  const context = sealContext(gallery, { id: row.id, userId: row.user_id });
  return vectorOf(vault.open(gallery.appId, context, row.sealed));
}

function sealContext({ appId, mode }: GalleryKey, template: { userId: string; id: string }): string[] {
  return ['template', appId, mode, template.userId, template.id];
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Copies: the bytes may lie at an offset that no Float32Array can begin at. */
function vectorOf(bytes: Buffer): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  if (bytes.length !== vector.byteLength) throw new Error(`a template of ${bytes.length} bytes`);
  bytes.copy(new Uint8Array(vector.buffer));
  return vector;
}
