/**
 * Notes which two users a face could not tell apart, after the response, so that its time reveals nothing. Somebody may
 * have enrolled a face made to lie beside another one, which shuts its owner out. It counts for nobody's lockout;
 * operators see both users, and check both: whoever enrolled first may have added a face later. Held by
 * test/http/look-alikes.test.ts.
 */
import { DIMENSIONS, type GalleryKey, type SearchResult } from '../ports/matcher.ts';
import type { Deps } from './deps.ts';
import { distance } from './distance.ts';

/** The search does not say who the other user is, so the gallery is read again. Larger ones would take too long. */
const MOST_TEMPLATES = 50_000;
const PATIENCE_MS = 10_000;
const busy = new WeakSet<object>();

type Noting = Pick<Deps, 'store' | 'background' | 'clock'>;

export function noteLookAlikes(deps: Noting, gallery: GalleryKey, found: SearchResult): void {
  const { verdict, best, sequence, normalised } = found;
  // One at a time: whoever has such a face could otherwise keep the service busy.
  if (verdict !== 'ambiguous' || !best || sequence > MOST_TEMPLATES || busy.has(deps.background)) return;
  busy.add(deps.background);
  const done = () => busy.delete(deps.background);
  // The background reports what fails.
  deps.background
    .run(PATIENCE_MS, async signal => {
      const other = await nearestOther(deps, gallery, best.user, normalised, signal);
      if (other !== null) await deps.store.countLookAlikes(gallery, [best.user, other], deps.clock.now());
    })
    .then(done, done);
}

/** The number of the nearest user but one. Null: there is none any more, or there was no time. */
async function nearestOther(
  { store }: Noting,
  gallery: GalleryKey,
  nearest: number,
  probes: readonly Float32Array[],
  signal: AbortSignal,
): Promise<number | null> {
  let [other, least] = [null as number | null, Number.POSITIVE_INFINITY];
  const { pages } = await store.loadGallery(gallery, 0);
  for await (const { added } of pages) {
    if (signal.aborted) return null;
    for (let row = 0; row < added.count; row++) {
      const user = added.users[row] as number;
      if (user === nearest) continue;
      const vector = added.vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      for (const probe of probes) {
        const away = distance(probe, vector);
        if (away < least) [other, least] = [user, away];
      }
    }
    added.vectors.fill(0);
  }
  return other;
}
