/** The gallery sequence, templates and what changed since; which encoder made them. */
import type { GalleryChanges, GalleryKey } from '../../../src/ports/matcher.ts';
import type { EncoderReset, EncoderStore, NewTemplate, OtherEncoder } from '../../../src/ports/store.ts';
import { type GalleryTemplate, packTemplates } from '../../../src/ports/template-rows.ts';
import { by, type Data, type Gallery, galleryOf, inGallery, type Sync, type Template } from './data.ts';
import { openFor, sealFor, templateContext } from './sealing.ts';

const AT_ONCE = 500;
const inOrder = by<{ sequence: number }>(row => row.sequence);

export function galleryState({ galleries }: Data, { appId, mode }: GalleryKey): Gallery {
  return galleries.get(appId, mode) ?? { appId, mode, sequence: 0, encoder: null, prunedTo: 0 };
}

export function templatesOf(data: Data, gallery: GalleryKey): Template[] {
  return data.templates.where(inGallery(gallery)).sort(inOrder);
}

export function otherEncoder(data: Data, gallery: GalleryKey, named: string | null): OtherEncoder | null {
  const { encoder } = galleryState(data, gallery);
  return encoder === null || named === null || named === encoder
    ? null
    : { outcome: 'other_encoder', remembered: encoder };
}

function setEncoder(data: Data, gallery: GalleryKey, encoder: string | null): void {
  if (data.apps.get(gallery.appId)) data.galleries.set({ ...galleryState(data, gallery), encoder });
}

export function rememberFirstEncoder(data: Data, gallery: GalleryKey, named: string | null): void {
  if (named === null || galleryState(data, gallery).encoder !== null) return;
  if (templatesOf(data, gallery).length === 0) setEncoder(data, gallery, named);
}

/** Answers the first of the new sequences. */
function moveSequence(data: Data, gallery: GalleryKey, steps: number): number {
  const state = galleryState(data, gallery);
  data.galleries.set({ ...state, sequence: state.sequence + steps });
  return state.sequence + 1;
}

export function addTemplates(
  data: Data,
  gallery: GalleryKey,
  userId: string,
  templates: readonly NewTemplate[],
  origin: Template['origin'],
  at: number,
): void {
  const first = moveSequence(data, gallery, templates.length);
  const user = data.templates.where(row => row.userId === userId)[0]?.user ?? first;
  templates.forEach(({ id, vector }, i) => {
    const row = { ...galleryOf(gallery), id, userId, user, sequence: first + i, origin, createdAt: at };
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    data.templates.insert({ ...row, sealed: sealFor(data, gallery.appId, templateContext(row), bytes) });
  });
}

export function removeTemplates(
  data: Data,
  gallery: GalleryKey,
  rows: readonly Template[],
  at: number,
): void {
  const first = moveSequence(data, gallery, rows.length);
  rows.forEach((row, i) => {
    const removal = { sequence: first + i, templateSequence: row.sequence, removedAt: at };
    data.removedTemplates.insert({ ...galleryOf(gallery), ...removal });
    data.templates.delete(row);
  });
}

export function opened(data: Data, row: Template): GalleryTemplate | null {
  const clear = openFor(data, row.appId, templateContext(row), row.sealed);
  if (!clear) return null;
  return { sequence: row.sequence, user: row.user, vector: new Float32Array(new Uint8Array(clear).buffer) };
}

export function galleryChanges(
  data: Data,
  gallery: GalleryKey,
  since: number,
  limit: number,
  end = galleryState(data, gallery).sequence,
): GalleryChanges {
  const rows = templatesOf(data, gallery)
    .filter(({ sequence }) => sequence > since && sequence <= end)
    .slice(0, limit);
  const to = rows.length < limit ? end : (rows.at(-1)?.sequence ?? end);
  const removals = data.removedTemplates
    .where(inGallery(gallery))
    .filter(({ sequence }) => since > 0 && sequence > since && sequence <= to)
    .sort(inOrder);
  return {
    from: since,
    to,
    removed: removals.map(row => row.templateSequence),
    added: packTemplates(rows.flatMap(row => opened(data, row) ?? [])),
    unreadable: rows.filter(row => !opened(data, row)).map(row => row.sequence),
    isBroken: since > 0 && galleryState(data, gallery).prunedTo > since,
  };
}

export function encoderVerbs(data: Data): Sync<Omit<EncoderStore, 'eraseTemplates'>> {
  return {
    encoderOf: gallery => galleryState(data, gallery).encoder,
    encoders: () =>
      data.galleries
        .where()
        .sort(
          by(
            row => row.appId,
            row => row.mode,
          ),
        )
        .flatMap(row => (row.encoder === null ? [] : [{ gallery: galleryOf(row), encoder: row.encoder }])),
    nameEncoder(gallery, encoder) {
      const other = otherEncoder(data, gallery, encoder);
      if (other && templatesOf(data, gallery).length > 0) return other;
      const { encoder: previous } = galleryState(data, gallery);
      setEncoder(data, gallery, encoder);
      return { outcome: 'named', previous };
    },
    resetEncoder(gallery, next) {
      const { encoder: previous } = galleryState(data, gallery);
      setEncoder(data, gallery, next);
      return { previous, erasedTemplates: 0 };
    },
  };
}

/** One batch; a number where there are more. */
export function eraseBatch(
  data: Data,
  gallery: GalleryKey,
  next: string | null,
  at: number,
): EncoderReset | number {
  const some = templatesOf(data, gallery).slice(0, AT_ONCE);
  if (some.length > 0) removeTemplates(data, gallery, some, at);
  if (some.length === AT_ONCE) return AT_ONCE;
  const { encoder: previous } = galleryState(data, gallery);
  setEncoder(data, gallery, next);
  return { previous, erasedTemplates: some.length };
}
