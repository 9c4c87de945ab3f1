/**
 * Which encoder made the templates of a gallery. Descriptors of two encoders cannot be compared, so a gallery remembers
 * one, and the verbs that add templates refuse any other. An operator names it, or else the enrolment that brings the
 * gallery's first templates does (`enrol`, `addFirst`). Where there are templates already, only an operator may: anybody
 * with a publishable key can enrol, and could otherwise lock out everybody who is enrolled.
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

export interface EncoderNamed {
  readonly outcome: 'named';
  /** What was remembered; null: nothing. */
  readonly previous: string | null;
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
  /** Remembers an encoder, unless there are templates and another one is remembered. Nothing where there is no such app. */
  nameEncoder(gallery: GalleryKey, encoder: string): Promise<EncoderNamed | OtherEncoder>;
  /** Remembers `next` from now on, or nothing (null), whatever was remembered. Templates stay as they are. */
  resetEncoder(gallery: GalleryKey, next: string | null): Promise<EncoderReset>;
  /**
   * Erases every template of the gallery (by new sequences) and then remembers `next`, or nothing (null). Templates go in small batches, so that
   * other writers get their turn; the batch that takes the last one also changes the encoder, so that no template of
   * the old encoder outlives it. If it is interrupted, the gallery still remembers the encoder: call again. Users, consents
   * and events stay.
   */
  eraseTemplates(
    gallery: GalleryKey,
    next: string | null,
    at: number,
    tell?: (erased: number) => void,
  ): Promise<EncoderReset>;
}
