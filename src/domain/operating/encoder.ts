/**
 * What operators can do with the encoder of an app and mode: show it, set it, reset it, and erase the templates it
 * made. Held by test/cli/app-encoder.long.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { EncoderNamed, EncoderReset, OtherEncoder } from '../../ports/store.ts';
import { ENCODER_RULE, isEncoder } from '../../protocol/fields.ts';
import type { AdminDeps } from '../deps.ts';
import { findApp } from './apps.ts';
import { invalid } from './fault.ts';

export type { GalleryKey } from '../../ports/matcher.ts';

interface GalleryCounts {
  readonly users: number;
  readonly templates: number;
}

export interface EncoderState extends GalleryCounts {
  readonly encoder: string | null;
}

/** What is left after a reset, and what was there before. */
export type ResetDone = EncoderReset & GalleryCounts;

/** @throws OperatingFault not_found */
export async function encoderState(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
): Promise<EncoderState> {
  await findApp({ store }, gallery.appId);
  return { encoder: (await store.galleryState(gallery)).encoder, ...(await countsOf(store, gallery)) };
}

/** @throws OperatingFault invalid_request (encoder), not_found */
export async function nameEncoder(
  { store, entry }: Pick<AdminDeps, 'store' | 'entry'>,
  gallery: GalleryKey,
  encoder: string,
): Promise<(EncoderNamed | OtherEncoder) & GalleryCounts> {
  const checked = checkedEncoder(encoder);
  await findApp({ store }, gallery.appId);
  const named = await store.nameEncoder(gallery, checked, entry);
  return { ...named, ...(await countsOf(store, gallery)) };
}

/**
 * @param next the new encoder; null: none
 * @param erase also erases the templates
 * @throws OperatingFault invalid_request (encoder), not_found
 */
export async function resetEncoder(
  { store, entry, clock }: Pick<AdminDeps, 'store' | 'entry' | 'clock'>,
  gallery: GalleryKey,
  next: string | null,
  erase: boolean,
  onProgress?: (erased: number) => void,
): Promise<ResetDone> {
  const checked = next === null ? null : checkedEncoder(next);
  await findApp({ store }, gallery.appId);
  const erasing = erase ? { at: clock.now(), tell: onProgress } : undefined;
  const reset = await store.resetEncoder(gallery, checked, erasing, entry);
  return { ...reset, ...(await countsOf(store, gallery)) };
}

function checkedEncoder(given: string): string {
  if (!isEncoder(given)) throw invalid('encoder', ENCODER_RULE);
  return given;
}

async function countsOf(
  store: Pick<AdminDeps['store'], 'census'>,
  { appId, mode }: GalleryKey,
): Promise<GalleryCounts> {
  const found = (await store.census(appId)).find(one => one.gallery.mode === mode);
  return { users: found?.users ?? 0, templates: found?.templates ?? 0 };
}
