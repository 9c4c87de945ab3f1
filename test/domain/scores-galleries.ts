/** Galleries in memory, and a watch over their scores that keeps what it warned of. */
import { createScoreWatch, type Finding, type Reason } from '../../src/domain/scores/watch.ts';
import type { GalleryKey, Matcher } from '../../src/ports/matcher.ts';
import type { Store } from '../../src/ports/store.ts';
import { packTemplates } from '../../src/ports/template-rows.ts';
import { random, vectors } from '../matcher/data.ts';

export const key = (appId: string): GalleryKey => ({
  appId,
  mode: appId.startsWith('test') ? 'test' : 'live',
});

/** Templates of one gallery after another; every user has as many in a row. */
export class Harness {
  readonly galleries = new Map<string, { user: number; vector: Float32Array }[]>();
  readonly reads: { since: number; limit: number }[] = [];
  readonly reported: [string, Reason][] = [];
  counts = 0;
  encoder: string | null = null;

  fill(appId: string, users: number, each = 1, mean = 0): void {
    const all = vectors(random(users), users * each, mean);
    this.galleries.set(
      appId,
      all.map((vector, n) => ({ user: 1 + Math.floor(n / each), vector })),
    );
  }

  readonly store = {
    countUsers: async ({ appId }: GalleryKey) => {
      this.counts++;
      return new Set(this.galleries.get(appId)?.map(({ user }) => user)).size;
    },
    galleryState: async ({ appId }: GalleryKey) => ({
      sequence: this.galleries.get(appId)?.length ?? 0,
      encoder: this.encoder,
    }),
    galleryChanges: async ({ appId }: GalleryKey, since: number, limit: number) => {
      this.reads.push({ since, limit });
      const rows = (this.galleries.get(appId) ?? []).slice(since, since + limit);
      const added = packTemplates(rows.map((row, i) => ({ sequence: since + i + 1, ...row })));
      return { from: since, to: since + rows.length, removed: [], added };
    },
  } as unknown as Store;

  readonly matcher = {
    stats: () => ({
      bytes: 0,
      galleries: [...this.galleries].map(([appId, { length }]) => ({
        key: key(appId),
        templates: length,
        bytes: 0,
      })),
    }),
  } as unknown as Matcher;

  watch() {
    return createScoreWatch(this.store, this.matcher, 0.35, ({ gallery }: Finding, reason) =>
      this.reported.push([gallery.appId, reason]),
    );
  }
}
