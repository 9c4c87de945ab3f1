/** What an app's server may do with the app's users, in the mode of its key. */
import { timingSafeEqual } from 'node:crypto';
import type { GalleryKey } from '../ports/matcher.ts';
import type { UserPosition, UserRecord } from '../ports/store.ts';
import type { Caller } from './caller.ts';
import type { AdminDeps, Deps } from './deps.ts';
import { Refusal } from './refusal.ts';

export interface UsersPage {
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
  const users = found.slice(0, limit);
  const last = users.at(-1);
  return { users, nextCursor: found.length > limit && last ? writeCursor(deps, gallery, last) : null };
}

/** @throws Refusal not_found */
export async function getUser({ store }: Deps, { gallery }: Caller, id: string): Promise<UserRecord> {
  const user = await store.findUser(gallery, id);
  if (!user) throw noSuchUser();
  return user;
}

/** Erases the user everywhere, including the matcher's memory, before it returns. @throws Refusal not_found */
export async function deleteUser(
  { store, clock, galleries }: Deps,
  { gallery }: Caller,
  id: string,
): Promise<void> {
  const deleted = await store.deleteUser(gallery, id, clock.now());
  await galleries.refresh(gallery);
  if (!deleted) throw noSuchUser();
}

function noSuchUser(): Refusal {
  return new Refusal('not_found', 'There is no such user in this app.');
}

/**
 * Opaque to callers, and valid for one app and mode only: its second half is a keyed hash of app, mode and position.
 */
export function writeCursor(
  deps: Pick<AdminDeps, 'secrets'>,
  gallery: GalleryKey,
  { createdAt, id }: UserPosition,
): string {
  const position = Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
  return `${position}.${sealOf(deps, gallery, position)}`;
}

/** The error for an invalid cursor. The field's name comes before it. */
export const INVALID_CURSOR = 'is not the next_cursor of a page of this app and mode';

/** Null for a cursor of another app or mode. */
export function readCursor(
  deps: Pick<AdminDeps, 'secrets'>,
  gallery: GalleryKey,
  cursor: string,
): UserPosition | null {
  const [position = '', seal = ''] = cursor.split('.');
  const wanted = Buffer.from(sealOf(deps, gallery, position));
  const given = Buffer.from(seal);
  if (cursor !== `${position}.${seal}` || given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return null;
  const [createdAt, id] = JSON.parse(Buffer.from(position, 'base64url').toString());
  return { createdAt, id };
}

function sealOf(
  { secrets }: Pick<AdminDeps, 'secrets'>,
  { appId, mode }: GalleryKey,
  position: string,
): string {
  return secrets.hash('users-cursor', `${appId}\0${mode}\0${position}`);
}
