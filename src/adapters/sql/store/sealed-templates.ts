/**
 * Opening of stored templates into packed rows, for the event loop and for the threads that read galleries alike. Rows
 * that are not as they were sealed are left out and named, so that one of them keeps nobody else from signing in; no opened
 * number is left behind, nor in what the cipher answered. test/domain/sealed-templates.test.ts holds it.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import {
  DIMENSIONS,
  emptyRows,
  eraseRows,
  firstRows,
  isUserNumber,
  type TemplateRows,
} from '../../../ports/template-rows.ts';
import { type KeyRing, openedOrNull } from '../../secrets/sealing.ts';

/** Columns of a template that opening takes, as a query names them. */
export const SEALED_TEMPLATE = 'id, user_id, sequence, sealed';

export interface SealedTemplate {
  readonly id: string;
  readonly user_id: string;
  /** Sequence at which the user's enrolment begins, where the row and the one before it do not show it. */
  readonly first?: number | null;
  readonly sequence: number;
  readonly sealed: Uint8Array;
}

/** What a sealed template is bound to. */
export function sealContext({ appId, mode }: GalleryKey, template: { userId: string; id: string }): string[] {
  return ['template', appId, mode, template.userId, template.id];
}

export interface OpenedTemplates {
  /** Those that open, in their order. */
  readonly rows: TemplateRows;
  /** Sequences of those that do not. */
  readonly unreadable: number[];
}

/**
 * A user's number is the sequence at which the enrolment begins: its templates are stored one after the other.
 * @param isLast whether a key that is not known counts as none
 * @throws UnknownKey, unless it does
 */
export function openTemplates(
  ring: KeyRing,
  gallery: GalleryKey,
  sealed: readonly SealedTemplate[],
  isLast: boolean,
): OpenedTemplates {
  const rows = emptyRows(sealed.length);
  const bytes = new Uint8Array(rows.vectors.buffer);
  const size = DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
  const unreadable: number[] = [];
  let last = { userId: '', user: 0 };
  let count = 0;
  try {
    for (const { id, user_id: userId, sequence, first, sealed: value } of sealed) {
      const user: number = first ?? (userId === last.userId ? last.user : sequence);
      last = { userId, user };
      const clear = openedOrNull(ring, sealContext(gallery, { id, userId }), value, isLast);
      if (clear?.length !== size || !isUserNumber(user)) {
        clear?.fill(0);
        unreadable.push(sequence);
        continue;
      }
      rows.sequences[count] = sequence;
      rows.users[count] = user;
      bytes.set(clear, count * size);
      clear.fill(0);
      count += 1;
    }
  } catch (error) {
    eraseRows(rows);
    throw error;
  }
  return { rows: count === sealed.length ? rows : firstRows(rows, count), unreadable };
}
