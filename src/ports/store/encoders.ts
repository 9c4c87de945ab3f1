/**
 * Which encoder made the templates of a gallery. Descriptors of two encoders cannot be compared, so a gallery remembers
 * the first encoder that an enrolment names (`enrol`, `addFirst`), and the verbs that add templates refuse any other.
 */
import type { GalleryKey } from '../matcher.ts';

/** Another encoder than the one that the gallery remembers: nothing was stored or counted. */
export interface OtherEncoder {
  readonly outcome: 'other_encoder';
  readonly remembered: string;
}

export interface GalleryEncoder {
  readonly gallery: GalleryKey;
  readonly encoder: string;
}

export interface EncoderReset {
  /** What was remembered; null: nothing. */
  readonly previous: string | null;
  readonly erasedTemplates: number;
}

export interface EncoderStore {
  /**
   * What the gallery remembers; null: no enrolment has named an encoder. From memory as long as nothing changes; a change
   * by another process counts with the next call.
   */
  encoderOf(gallery: GalleryKey): Promise<string | null>;
  /** All that galleries remember, by app and mode; without apps that are still being imported. Reads only. */
  encoders(): Promise<GalleryEncoder[]>;
  /** Forgets the encoder. Templates stay as they are. */
  forgetEncoder(gallery: GalleryKey): Promise<EncoderReset>;
  /**
   * Erases every template of the gallery (by new sequences) and then forgets the encoder. Templates go in small batches, so that
   * other writers get their turn; the batch that takes the last one also forgets the encoder, so that no template of
   * the old encoder outlives it. Interrupted, it remembers the encoder still: call again. Users, consents and events stay. Resolves
   * when the bytes are gone as after `deleteUser`. Rejects with StoreUnavailable also when the rows are gone but the log
   * could not be emptied: call again.
   */
  eraseTemplates(gallery: GalleryKey, at: number, tell?: (erased: number) => void): Promise<EncoderReset>;
}
