/**
 * What operators do with the encoder that an app and mode remember: look at it, name it, reset it, and erase the templates
 * that it made. test/cli/app-encoder.test.ts holds it.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { EncoderNamed, EncoderReset, OtherEncoder } from '../../ports/store.ts';
import { ENCODER_RULE, isEncoder } from '../../protocol/fields.ts';
import type { AdminDeps } from '../deps.ts';
import { WrongInput } from '../wrong-input.ts';

export interface GalleryCounts {
  readonly users: number;
  readonly templates: number;
}

export interface EncoderState extends GalleryCounts {
  readonly encoder: string | null;
}

/** What is left after a reset, with what was there before. */
export type ResetDone = EncoderReset & GalleryCounts;

/** Null when there is no such app. */
export async function encoderState(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
): Promise<EncoderState | null> {
  if (!(await store.findApp(gallery.appId))) return null;
  return { encoder: await store.encoderOf(gallery), ...(await countsOf(store, gallery)) };
}

/** Null when there is no such app. @throws WrongInput */
export async function nameEncoder(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
  encoder: string,
): Promise<((EncoderNamed | OtherEncoder) & GalleryCounts) | null> {
  const checked = checkedEncoder(encoder);
  if (!(await store.findApp(gallery.appId))) return null;
  const named = await store.nameEncoder(gallery, checked);
  return { ...named, ...(await countsOf(store, gallery)) };
}

/** Null when there is no such app. @param next remembered from then on @param erase the templates too @throws WrongInput */
export async function resetEncoder(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  gallery: GalleryKey,
  next: string | null,
  erase: boolean,
  tell?: (erased: number) => void,
): Promise<ResetDone | null> {
  const checked = next === null ? null : checkedEncoder(next);
  if (!(await store.findApp(gallery.appId))) return null;
  const reset = await (erase
    ? store.eraseTemplates(gallery, checked, clock.now(), tell)
    : store.resetEncoder(gallery, checked));
  return { ...reset, ...(await countsOf(store, gallery)) };
}

function checkedEncoder(given: string): string {
  if (!isEncoder(given)) throw new WrongInput(`--encoder ${ENCODER_RULE}`);
  return given;
}

async function countsOf(
  store: Pick<AdminDeps['store'], 'census'>,
  { appId, mode }: GalleryKey,
): Promise<GalleryCounts> {
  const found = (await store.census(appId)).find(one => one.gallery.mode === mode);
  return { users: found?.users ?? 0, templates: found?.templates ?? 0 };
}
