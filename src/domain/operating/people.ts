/** What operators do with people: find them, look at them, erase them. */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { PlacedUser } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { readCursor, writeCursor } from '../users.ts';

export interface PeoplePage {
  readonly people: readonly PlacedUser[];
  /** For the next page, as in the API; null on the last one. */
  readonly nextCursor: string | null;
}

/** By creation time, then id. @throws Refusal invalid_request for a cursor that is not of this app and mode */
export async function listPeople(
  deps: AdminDeps,
  gallery: GalleryKey,
  limit: number,
  cursor: string | null,
): Promise<PeoplePage> {
  const after = cursor === null ? null : readCursor(deps, gallery, cursor);
  // One more than asked for tells whether there is another page.
  const found = await deps.store.listPlacedUsers(gallery, after, limit + 1);
  const people = found.slice(0, limit);
  const last = people.at(-1)?.user;
  return { people, nextCursor: found.length > limit && last ? writeCursor(deps, gallery, last) : null };
}

/** Whoever has the address in the gallery, without regard to case. */
export async function findByEmail(
  { store }: AdminDeps,
  gallery: GalleryKey,
  email: string,
): Promise<PlacedUser | null> {
  const user = await store.findUserByEmail(gallery, email);
  return user && (await store.placeUser(user.id));
}

/** Erases as the API does; a running server forgets the templates within a second. False when there is no such user. */
export async function erasePerson({ store, clock }: AdminDeps, id: string): Promise<boolean> {
  const placed = await store.placeUser(id);
  return placed !== null && store.deleteUser(placed.gallery, id, clock.now());
}
