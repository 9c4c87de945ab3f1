/** What an app's server may do with the app's users, in the mode of its key. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { OnBehalf, UserPosition, UserRecord } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import { openCursor, sealCursor } from './cursors.ts';
import type { AdminDeps, Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

interface UsersPage {
  readonly users: readonly UserRecord[];
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Ordered by creation time, then id. @throws Refusal invalid_request if the cursor is from another app or mode */
export async function listUsers(
  deps: Deps,
  { gallery }: Caller,
  limit: number,
  cursor: string | undefined,
): Promise<UsersPage> {
  const after = cursor === undefined ? null : readCursor(deps, gallery, cursor);
  if (cursor !== undefined && !after) throw new Refusal('invalid_request', `cursor: ${INVALID_CURSOR}`);
  // One more than requested, to see whether there is another page.
  const found = await deps.store.listUsers(gallery, after, limit + 1);
  const users = found.slice(0, limit).map(({ user }) => user);
  const last = users.at(-1);
  return { users, nextCursor: found.length > limit && last ? writeCursor(deps, gallery, last) : null };
}

/** @throws Refusal not_found */
export async function getUser({ store }: Deps, { gallery }: Caller, id: string): Promise<UserRecord> {
  const user = await store.findUser(gallery, { id });
  if (!user) throw noSuchUser();
  return user;
}

/** Erases the user everywhere, including the matcher's memory, before it returns. @throws Refusal not_found */
export async function deleteUser(
  {
    store,
    clock,
    galleries,
  }: Pick<AdminDeps, 'store' | 'clock'> & { galleries: Pick<Deps['galleries'], 'refresh'> },
  { gallery }: Pick<Caller, 'gallery'>,
  id: string,
  by?: OnBehalf,
): Promise<void> {
  const deleted = await store.deleteUsers([{ gallery, id }], clock.now(), by);
  await galleries.refresh(gallery);
  if (!deleted) throw noSuchUser();
}

function noSuchUser(): Refusal {
  return new Refusal('not_found', 'There is no such user in this app.');
}

/** Valid for one app and mode only. */
export function writeCursor(
  { secrets }: Pick<AdminDeps, 'secrets'>,
  gallery: GalleryKey,
  { createdAt, id }: UserPosition,
): string {
  return sealCursor(secrets, listOf(gallery), [createdAt, id]);
}

/** The error for an invalid cursor. The field's name comes before it. */
export const INVALID_CURSOR = 'is not the next_cursor of a page of this app and mode';

/** Null for a cursor of another app or mode. */
export function readCursor(
  { secrets }: Pick<AdminDeps, 'secrets'>,
  gallery: GalleryKey,
  cursor: string,
): UserPosition | null {
  const position = openCursor<[number, string]>(secrets, listOf(gallery), cursor);
  return position && { createdAt: position[0], id: position[1] };
}

function listOf({ appId, mode }: GalleryKey) {
  return { purpose: 'users-cursor', of: `${appId}\0${mode}` };
}
