/**
 * Opens stored templates into packed rows, in the event loop and in the threads that read galleries. Altered rows are
 * skipped and reported, so that one of them does not keep other users from signing in. Decrypted numbers are erased
 * everywhere else, including the cipher's output. Held by test/secrets/sealed-templates.test.ts.
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
import { type Opener, openedOrNull } from '../../secrets/sealing.ts';

/** The columns that opening a template needs. */
export const SEALED_TEMPLATE = 'id, user_id, sequence, sealed';

export interface SealedTemplate {
  readonly id: string;
  readonly user_id: string;
  /** Sequence of the user's first enrolled template, if this row and the one before do not show it. */
  readonly first?: number | null;
  readonly sequence: number;
  readonly sealed: Uint8Array;
}

/** The context that a sealed template is bound to. */
export function sealContext({ appId, mode }: GalleryKey, template: { userId: string; id: string }): string[] {
  return ['template', appId, mode, template.userId, template.id];
}

interface OpenedTemplates {
  /** The templates that open, in order. */
  readonly rows: TemplateRows;
  /** Sequences of the templates that do not open. */
  readonly unreadable: number[];
}

/**
 * A user's number is the sequence of the first template of the enrolment, whose templates are stored in a row.
 * @throws UnknownKey, unless isLast
 */
export function openTemplates(
  opener: Opener,
  gallery: GalleryKey,
  sealed: readonly SealedTemplate[],
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
      const clear = openedOrNull(opener, sealContext(gallery, { id, userId }), value);
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
