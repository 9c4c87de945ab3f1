/**
 * What operators do with the encoder that an app and mode remember: look at it, forget it, and erase the templates that it
 * made. test/cli/app-encoder.test.ts holds it.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { EncoderReset } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { findApp } from './apps.ts';

export type { GalleryKey } from '../../ports/matcher.ts';

export interface GalleryCounts {
  readonly users: number;
  readonly templates: number;
}

export interface EncoderState extends GalleryCounts {
  readonly encoder: string | null;
}

/** What is left after a reset, with what was there before. */
export type ResetDone = EncoderReset & GalleryCounts;

/** @throws OperatingFault not_found */
export async function encoderState(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
): Promise<EncoderState> {
  await findApp({ store }, gallery.appId);
  return { encoder: await store.encoderOf(gallery), ...(await countsOf(store, gallery)) };
}

/** @throws OperatingFault not_found. @param erase the templates too */
export async function resetEncoder(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  gallery: GalleryKey,
  erase: boolean,
  tell?: (erased: number) => void,
): Promise<ResetDone> {
  await findApp({ store }, gallery.appId);
  const reset = await (erase
    ? store.eraseTemplates(gallery, clock.now(), tell)
    : store.forgetEncoder(gallery));
  return { ...reset, ...(await countsOf(store, gallery)) };
}

async function countsOf(
  store: Pick<AdminDeps['store'], 'census'>,
  { appId, mode }: GalleryKey,
): Promise<GalleryCounts> {
  const found = (await store.census(appId)).find(one => one.gallery.mode === mode);
  return { users: found?.users ?? 0, templates: found?.templates ?? 0 };
}
