/** How operators find, show and delete users. Held by test/portal/internal/people.test.ts. */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { PlacedUser, UserList } from '../../ports/store.ts';
import type { AdminDeps } from '../deps.ts';
import { INVALID_CURSOR, pageOfUsers } from '../users.ts';
import { findApp } from './apps.ts';
import { invalid, noSuch } from './fault.ts';

export type { PlacedUser } from '../../ports/store.ts';

export interface PeoplePage {
  readonly people: readonly PlacedUser[];
  /** For the next page, as in the API; null on the last one. */
  readonly nextCursor: string | null;
}

/** @throws OperatingFault */
export async function listPeople(
  deps: AdminDeps,
  gallery: GalleryKey,
  limit: number,
  cursor: string | null,
  list: UserList = {},
): Promise<PeoplePage> {
  await findApp(deps, gallery.appId);
  const page = await pageOfUsers(deps, gallery, limit, cursor, list);
  if (!page) throw invalid('cursor', INVALID_CURSOR);
  return { people: page.users, nextCursor: page.nextCursor };
}

/** The user with this address in the gallery; case does not matter. @throws OperatingFault not_found: no such app */
export async function findByEmail(
  { store }: Pick<AdminDeps, 'store'>,
  gallery: GalleryKey,
  email: string,
): Promise<PlacedUser | null> {
  await findApp({ store }, gallery.appId);
  const user = await store.findUser(gallery, { email });
  return user && (await store.placeUser(user.id));
}

/** Finds a user in any app and mode. @throws OperatingFault not_found */
export async function findPerson({ store }: Pick<AdminDeps, 'store'>, id: string): Promise<PlacedUser> {
  const placed = await store.placeUser(id);
  if (!placed) throw noSuch('user', id);
  return placed;
}
