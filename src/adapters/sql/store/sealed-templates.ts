/**
 * Opening of stored templates into packed rows, for the event loop and for the threads that read galleries alike.
 * Refuses rows that are not as they were sealed, all of them with the first; no opened number is left behind then, nor
 * in what the cipher answered. test/domain/sealed-templates.test.ts holds it.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import { DIMENSIONS, emptyRows, eraseRows, putId, type TemplateRows } from '../../../ports/template-rows.ts';
import { type KeyRing, openSealed } from '../../secrets/sealing.ts';

/** Columns of a template that opening takes, as a query names them. */
export const SEALED_TEMPLATE = 'id, user_id, sequence, sealed';

export interface SealedTemplate {
  readonly id: string;
  readonly user_id: string;
  readonly sequence: number;
  readonly sealed: Uint8Array;
}

/** What a sealed template is bound to. */
export function sealContext({ appId, mode }: GalleryKey, template: { userId: string; id: string }): string[] {
  return ['template', appId, mode, template.userId, template.id];
}

/** @throws UnknownKey; Error when one of them does not open */
export function openTemplates(
  ring: KeyRing,
  gallery: GalleryKey,
  sealed: readonly SealedTemplate[],
): TemplateRows {
  const rows = emptyRows(sealed.length);
  const bytes = new Uint8Array(rows.vectors.buffer);
  const size = DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
  try {
    for (const [i, row] of sealed.entries()) {
      putId(rows.ids, i, row.id);
      putId(rows.userIds, i, row.user_id);
      const clear = openSealed(ring, sealContext(gallery, { id: row.id, userId: row.user_id }), row.sealed);
      if (clear.length !== size) throw new Error(`a template of ${clear.length} bytes`);
      bytes.set(clear, i * size);
      clear.fill(0);
    }
  } catch (error) {
    eraseRows(rows);
    throw error;
  }
  return rows;
}
