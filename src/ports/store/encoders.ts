/**
 * The encoder that made the templates of a gallery. Descriptors of two encoders cannot be compared, so a gallery
 * remembers one, and the verbs that add templates refuse any other. An operator names it, or else the enrollment with
 * the gallery's first templates does (`enrol`, `addTemplates`). If there already are templates, only an operator may
 * name it: anyone with a publishable key can enroll, and could otherwise lock out all enrolled users.
 */
import type { GalleryKey } from '../matcher.ts';
import type { Recording } from './audit.ts';

/** The gallery remembers another encoder. Nothing was stored or counted. */
export interface OtherEncoder {
  readonly outcome: 'other_encoder';
  readonly remembered: string;
}

export interface GalleryEncoder {
  readonly gallery: GalleryKey;
  readonly encoder: string;
}

export interface EncoderNamed {
  readonly outcome: 'named';
  /** The encoder remembered before; null: none. */
  readonly previous: string | null;
}

export interface EncoderReset {
  /** The encoder remembered before; null: none. */
  readonly previous: string | null;
  readonly erasedTemplates: number;
}

export interface EncoderStore {
  /** The encoders of all galleries, by app and mode, except apps that are still being imported. Reads only. */
  encoders(): Promise<GalleryEncoder[]>;
  /**
   * Remembers an encoder, unless there are templates and another one is remembered. Does nothing if there is no such
   * app.
   */
  nameEncoder(gallery: GalleryKey, encoder: string, entry?: Recording): Promise<EncoderNamed | OtherEncoder>;
  /**
   * Remembers `next`, or nothing if it is null, whatever was remembered before. Users, consents and events stay.
   * @param erasing also erases every template of the gallery (with new sequences), in small batches, so that other
   *   writers get their turn. The last batch also changes the encoder, so no template of the old encoder outlives it.
   *   If interrupted, the gallery still remembers the old encoder: call again. Default: templates stay
   */
  resetEncoder(
    gallery: GalleryKey,
    next: string | null,
    erasing?: { readonly at: number; readonly tell?: ((erased: number) => void) | undefined },
    entry?: Recording,
  ): Promise<EncoderReset>;
}
