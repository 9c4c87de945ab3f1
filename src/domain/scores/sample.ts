/**
 * Samples a gallery: one template from each of a few hundred users. It reads short pages that start at places spread
 * over the whole gallery, so a large gallery costs no more than a small one. The same gallery at the same sequence
 * gives the same sample. Templates are passed on and not kept. Held by test/domain/scores-watch.test.ts.
 */

import { type Draw, seededDraw, shuffle } from '../../calibration/draw.ts';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import { templateAt } from '../../ports/template-rows.ts';

const MOST_USERS = 300;
const PLACES = 64;
const PAGE = 16;
/** From one page, so that every place contributes. */
const USERS_OF_PAGE = 5;

export async function sampleUsers(store: Store, gallery: GalleryKey): Promise<Float32Array[]> {
  const { sequence: end } = await store.galleryState(gallery);
  const draw = seededDraw(end);
  const users = new Map<number, Float32Array>();
  if (end <= PLACES * PAGE) {
    await addPage(store, gallery, 0, PLACES * PAGE, users, Number.POSITIVE_INFINITY);
    return some([...users.values()], draw);
  }
  for (let place = 0; place < PLACES; place++) {
    const since = Math.floor((end * place) / PLACES) + draw(Math.floor(end / PLACES));
    await addPage(store, gallery, since, PAGE, users, USERS_OF_PAGE);
  }
  return some([...users.values()], draw);
}

/** Only this function knows the format in which the store returns templates. */
async function addPage(
  store: Store,
  gallery: GalleryKey,
  since: number,
  limit: number,
  users: Map<number, Float32Array>,
  most: number,
): Promise<void> {
  const { added } = await store.galleryChanges(gallery, since, limit);
  const full = users.size + most;
  for (let i = 0; i < added.count && users.size < full; i++) {
    const { user, vector } = templateAt(added, i);
    if (!users.has(user)) users.set(user, vector);
  }
}

function some(templates: readonly Float32Array[], draw: Draw): Float32Array[] {
  const order = Uint32Array.from(templates, (_, i) => i);
  shuffle(order, draw);
  return Array.from(order.subarray(0, MOST_USERS), i => templates[i] as Float32Array);
}
