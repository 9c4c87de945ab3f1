/**
 * The encoder of a gallery's templates, in SQL. It is stored with the gallery's sequence; enrolment records it.
 * Held by test/contract/encoders.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryKey } from '../../../ports/matcher.ts';
import type {
  EncoderReset,
  EncoderStore,
  GalleryState,
  OtherEncoder,
  Recording,
} from '../../../ports/store.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Sql } from '../driver.ts';
import { oweRebuild } from '../keys/meta.ts';
import { ofGallery } from '../scope.ts';
import { appendDone } from './audit.ts';
import { type StoreContext, writeAndForget } from './context.ts';
import { galleryState, removeTemplates, type TemplateNames } from './galleries.ts';
import { NOT_IMPORTING } from './imports.ts';

/** Templates deleted at once. */
const AT_ONCE = 500;
/** Longer than the retry interval of another process that waits to write. */
const PAUSE_MS = 10;

export function encoderStore(context: StoreContext): EncoderStore {
  const { driver, vault } = context;

  /** Erases some templates. @returns how many, or the result of the reset if none is left */
  const eraseSome = (
    gallery: GalleryKey,
    next: string | null,
    at: number,
    entry: Recording | undefined,
  ): Promise<EncoderReset | number> =>
    writeAndForget(context, ofGallery(gallery), async sql => {
      const some = await sql.all<TemplateNames>(
        'SELECT id, sequence FROM templates WHERE app_id = $1 AND mode = $2 ORDER BY sequence LIMIT $3',
        gallery.appId,
        gallery.mode,
        AT_ONCE,
      );
      if (some.length > 0) {
        await removeTemplates(sql, gallery, some, at);
        // In a large database, the next daily rebuild removes copies that the engine made.
        await oweRebuild(sql);
      }
      const { encoder } = await galleryState(sql, gallery);
      if (some.length < AT_ONCE) await setEncoder(sql, gallery, next);
      await appendDone(sql, vault, entry);
      if (some.length === AT_ONCE) return some.length;
      return { previous: encoder, erasedTemplates: some.length };
    });

  return {
    async encoders() {
      const rows = await driver.read.all<{ app_id: string; mode: Mode; encoder: string }>(
        `SELECT app_id, mode, encoder FROM galleries
         WHERE encoder IS NOT NULL AND ${NOT_IMPORTING} ORDER BY app_id, mode`,
      );
      return rows.map(({ app_id: appId, mode, encoder }) => ({ gallery: { appId, mode }, encoder }));
    },

    nameEncoder: (gallery, encoder, entry) =>
      writeAndForget(context, ofGallery(gallery), async sql => {
        const { encoder: previous } = await galleryState(sql, gallery);
        const isOther = previous !== null && previous !== encoder;
        if (isOther && (await hasTemplates(sql, gallery)))
          return { outcome: 'other_encoder', remembered: previous };
        await setEncoder(sql, gallery, encoder);
        await appendDone(sql, vault, entry);
        return { outcome: 'named', previous };
      }),

    async resetEncoder(gallery, next, erasing, entry) {
      if (!erasing)
        return writeAndForget(context, ofGallery(gallery), async sql => {
          const { encoder } = await galleryState(sql, gallery);
          await setEncoder(sql, gallery, next);
          await appendDone(sql, vault, entry);
          return { previous: encoder, erasedTemplates: 0 };
        });
      const { at, tell } = erasing;
      let erased = 0;
      for (;;) {
        const step = await eraseSome(gallery, next, at, erased === 0 ? entry : undefined);
        erased += typeof step === 'number' ? step : step.erasedTemplates;
        tell?.(erased);
        if (typeof step === 'number') {
          await delay(PAUSE_MS);
          continue;
        }
        // Also if nothing was left: an earlier call may have ended before the log was truncated.
        await driver.scrub(erased === 0);
        return { ...step, erasedTemplates: erased };
      }
    },
  };
}

/** Null: templates of this encoder may be added to the gallery. */
export function otherEncoder({ encoder }: GalleryState, named: string | null): OtherEncoder | null {
  return encoder === null || named === null || named === encoder
    ? null
    : { outcome: 'other_encoder', remembered: encoder };
}

async function hasTemplates(sql: Sql, { appId, mode }: GalleryKey): Promise<boolean> {
  const one = await sql.get('SELECT 1 FROM templates WHERE app_id = $1 AND mode = $2 LIMIT 1', appId, mode);
  return one !== undefined;
}

/** Called before an enrolment stores its templates: the first templates of a gallery set its encoder. */
export async function rememberFirstEncoder(
  sql: Sql,
  gallery: GalleryKey,
  state: GalleryState,
  named: string | null,
): Promise<void> {
  if (state.encoder !== null || named === null) return;
  if (!(await hasTemplates(sql, gallery))) await setEncoder(sql, gallery, named);
}

/** Does nothing if there is no such app. */
async function setEncoder(sql: Sql, { appId, mode }: GalleryKey, encoder: string | null): Promise<void> {
  await sql.run('UPDATE galleries SET encoder = $3 WHERE app_id = $1 AND mode = $2', appId, mode, encoder);
}
