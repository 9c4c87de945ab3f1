/** What an app's server may do with the app's users, in the mode of its key. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { OnBehalf, PlacedUser, UserList, UserRecord } from '../ports/store.ts';
import type { DeletionReason } from '../protocol/outbox.ts';
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
  const page = await pageOfUsers(deps, gallery, limit, cursor ?? null);
  if (!page) throw new Refusal('invalid_request', `cursor: ${INVALID_CURSOR}`);
  return { users: page.users.map(({ user }) => user), nextCursor: page.nextCursor };
}

/** Null if the cursor is of another app or mode. */
export async function pageOfUsers(
  { store, secrets }: Pick<AdminDeps, 'store' | 'secrets'>,
  gallery: GalleryKey,
  limit: number,
  cursor: string | null,
  list: UserList = {},
): Promise<{ users: PlacedUser[]; nextCursor: string | null } | null> {
  const own = { purpose: 'users-cursor', of: `${gallery.appId}\0${gallery.mode}` };
  const position = cursor === null ? null : openCursor<[number, string]>(secrets, own, cursor);
  if (cursor !== null && !position) return null;
  const after = position && { createdAt: position[0], id: position[1] };
  // One more than requested, to see whether there is another page.
  const found = await store.listUsers(gallery, after, limit + 1, list);
  const users = found.slice(0, limit);
  const last = found.length > limit ? users.at(-1)?.user : undefined;
  return { users, nextCursor: last ? sealCursor(secrets, own, [last.createdAt, last.id]) : null };
}

/** @throws Refusal not_found */
export async function getUser({ store }: Deps, { gallery }: Caller, id: string): Promise<UserRecord> {
  const user = await store.findUser(gallery, { id });
  if (!user) throw noSuchUser();
  return user;
}

/** Erases the user everywhere, including the matcher's memory, before it returns. @throws Refusal not_found */
export async function deleteUser(
  deps: Pick<AdminDeps, 'store' | 'entry' | 'clock'> & { galleries: Pick<Deps['galleries'], 'refresh'> },
  { gallery }: Pick<Caller, 'gallery'>,
  id: string,
  terms: OnBehalf & { readonly reason: DeletionReason },
): Promise<void> {
  const deleted = await deps.store.deleteUsers([{ gallery, id }], deps.clock.now(), terms, deps.entry);
  await deps.galleries.refresh(gallery);
  if (!deleted) throw noSuchUser();
}

function noSuchUser(): Refusal {
  return new Refusal('not_found', 'There is no such user in this app.');
}

/** The error for an invalid cursor. The field's name comes before it. */
export const INVALID_CURSOR = 'is not the next_cursor of a page of this app and mode';
