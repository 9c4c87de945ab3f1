/** What an integrator's server may do with the users of its app, in its key's mode. */
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

/** By creation time, then id. @throws Refusal invalid_request for a cursor that is not of this app and mode */
export async function listUsers(
  deps: Deps,
  { gallery }: Caller,
  limit: number,
  cursor: string | undefined,
): Promise<UsersPage> {
  const after = cursor === undefined ? null : readCursor(deps, gallery, cursor);
  if (cursor !== undefined && !after) throw new Refusal('invalid_request', `cursor: ${NO_CURSOR}`);
  // One more than asked for tells whether there is another page.
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

/** Erases the user everywhere, the matcher's memory included, before it answers. @throws Refusal not_found */
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

/** Opaque to callers, and good for one app and mode only: its second half is a keyed hash of all three. */
export function writeCursor(
  deps: Pick<AdminDeps, 'secrets'>,
  gallery: GalleryKey,
  { createdAt, id }: UserPosition,
): string {
  const position = Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
  return `${position}.${sealOf(deps, gallery, position)}`;
}

/** What is wrong with a cursor that does not open; the name of the field comes before it. */
export const NO_CURSOR = 'is not the next_cursor of a page of this app and mode';

/** Null for a cursor that is not of this app and mode. */
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
