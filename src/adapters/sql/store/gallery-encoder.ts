/** Which encoder made the templates of a gallery: stored with its sequence, and set by its first templates. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { GalleryState, OtherEncoder } from '../../../ports/store.ts';
import type { Sql } from '../driver.ts';

/** Null: templates of this encoder may be added to the gallery. */
export function otherEncoder({ encoder }: GalleryState, named: string | null): OtherEncoder | null {
  return encoder === null || named === null || named === encoder
    ? null
    : { outcome: 'other_encoder', remembered: encoder };
}

export async function hasTemplates(sql: Sql, { appId, mode }: GalleryKey): Promise<boolean> {
  const one = await sql.get('SELECT 1 FROM templates WHERE app_id = $1 AND mode = $2 LIMIT 1', appId, mode);
  return one !== undefined;
}

/** Called before an enrolment stores its templates: the first templates of a gallery set its encoder. */
export async function rememberFirstEncoder(
  sql: Sql,
  gallery: GalleryKey,
  state: GalleryState,
  named: string | null,
): Promise<void> {
  if (state.encoder !== null || named === null) return;
  if (!(await hasTemplates(sql, gallery))) await setEncoder(sql, gallery, named);
}

/** Does nothing if there is no such app. */
export async function setEncoder(
  sql: Sql,
  { appId, mode }: GalleryKey,
  encoder: string | null,
): Promise<void> {
  await sql.run('UPDATE galleries SET encoder = $3 WHERE app_id = $1 AND mode = $2', appId, mode, encoder);
}
