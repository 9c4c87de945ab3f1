/** The gallery sequence, templates and what changed since; which encoder made them. */
import type { GalleryChanges, GalleryKey } from '../../../src/ports/matcher.ts';
import type { EncoderReset, EncoderStore, NewTemplate, OtherEncoder } from '../../../src/ports/store.ts';
import { type GalleryTemplate, packTemplates } from '../../../src/ports/template-rows.ts';
import { openFor, sealFor, templateContext } from './sealing.ts';
import { by, type Gallery, galleryOf, inGallery, type Sync, type Template, type World } from './world.ts';

const AT_ONCE = 500;
const inOrder = by<{ sequence: number }>(row => row.sequence);

export function galleryState({ galleries }: World, { appId, mode }: GalleryKey): Gallery {
  return galleries.get(appId, mode) ?? { appId, mode, sequence: 0, encoder: null, prunedTo: 0 };
}

export function templatesOf(world: World, gallery: GalleryKey): Template[] {
  return world.templates.where(inGallery(gallery)).sort(inOrder);
}

export function otherEncoder(world: World, gallery: GalleryKey, named: string | null): OtherEncoder | null {
  const { encoder } = galleryState(world, gallery);
  return encoder === null || named === null || named === encoder
    ? null
    : { outcome: 'other_encoder', remembered: encoder };
}

function setEncoder(world: World, gallery: GalleryKey, encoder: string | null): void {
  if (world.apps.get(gallery.appId)) world.galleries.set({ ...galleryState(world, gallery), encoder });
}

export function rememberFirstEncoder(world: World, gallery: GalleryKey, named: string | null): void {
  if (named === null || galleryState(world, gallery).encoder !== null) return;
  if (templatesOf(world, gallery).length === 0) setEncoder(world, gallery, named);
}

/** Answers the first of the new sequences. */
function moveSequence(world: World, gallery: GalleryKey, steps: number): number {
  const state = galleryState(world, gallery);
  world.galleries.set({ ...state, sequence: state.sequence + steps });
  return state.sequence + 1;
}

export function addTemplates(
  world: World,
  gallery: GalleryKey,
  userId: string,
  templates: readonly NewTemplate[],
  origin: Template['origin'],
  at: number,
): void {
  const first = moveSequence(world, gallery, templates.length);
  const user = world.templates.where(row => row.userId === userId)[0]?.user ?? first;
  templates.forEach(({ id, vector }, i) => {
    const row = { ...galleryOf(gallery), id, userId, user, sequence: first + i, origin, createdAt: at };
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    world.templates.insert({ ...row, sealed: sealFor(world, gallery.appId, templateContext(row), bytes) });
  });
}

export function removeTemplates(
  world: World,
  gallery: GalleryKey,
  rows: readonly Template[],
  at: number,
): void {
  const first = moveSequence(world, gallery, rows.length);
  rows.forEach((row, i) => {
    const removal = { sequence: first + i, templateSequence: row.sequence, removedAt: at };
    world.removedTemplates.insert({ ...galleryOf(gallery), ...removal });
    world.templates.delete(row);
  });
}

export function opened(world: World, row: Template): GalleryTemplate | null {
  const clear = openFor(world, row.appId, templateContext(row), row.sealed);
  if (!clear) return null;
  return { sequence: row.sequence, user: row.user, vector: new Float32Array(new Uint8Array(clear).buffer) };
}

export function galleryChanges(
  world: World,
  gallery: GalleryKey,
  since: number,
  limit: number,
  end = galleryState(world, gallery).sequence,
): GalleryChanges {
  const rows = templatesOf(world, gallery)
    .filter(({ sequence }) => sequence > since && sequence <= end)
    .slice(0, limit);
  const to = rows.length < limit ? end : (rows.at(-1)?.sequence ?? end);
  const removals = world.removedTemplates
    .where(inGallery(gallery))
    .filter(({ sequence }) => since > 0 && sequence > since && sequence <= to)
    .sort(inOrder);
  return {
    from: since,
    to,
    removed: removals.map(row => row.templateSequence),
    added: packTemplates(rows.flatMap(row => opened(world, row) ?? [])),
    unreadable: rows.filter(row => !opened(world, row)).map(row => row.sequence),
    isBroken: since > 0 && galleryState(world, gallery).prunedTo > since,
  };
}

export function encoderVerbs(world: World): Sync<Omit<EncoderStore, 'eraseTemplates'>> {
  return {
    encoderOf: gallery => galleryState(world, gallery).encoder,
    encoders: () =>
      world.galleries
        .where()
        .sort(
          by(
            row => row.appId,
            row => row.mode,
          ),
        )
        .flatMap(row => (row.encoder === null ? [] : [{ gallery: galleryOf(row), encoder: row.encoder }])),
    nameEncoder(gallery, encoder) {
      const other = otherEncoder(world, gallery, encoder);
      if (other && templatesOf(world, gallery).length > 0) return other;
      const { encoder: previous } = galleryState(world, gallery);
      setEncoder(world, gallery, encoder);
      return { outcome: 'named', previous };
    },
    resetEncoder(gallery, next) {
      const { encoder: previous } = galleryState(world, gallery);
      setEncoder(world, gallery, next);
      return { previous, erasedTemplates: 0 };
    },
  };
}

/** One batch; a number where there are more. */
export function eraseBatch(
  world: World,
  gallery: GalleryKey,
  next: string | null,
  at: number,
): EncoderReset | number {
  const some = templatesOf(world, gallery).slice(0, AT_ONCE);
  if (some.length > 0) removeTemplates(world, gallery, some, at);
  if (some.length === AT_ONCE) return AT_ONCE;
  const { encoder: previous } = galleryState(world, gallery);
  setEncoder(world, gallery, next);
  return { previous, erasedTemplates: some.length };
}
