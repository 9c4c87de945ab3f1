/** Users as other verbs find them. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import type { UserPosition, UserRecord } from '../../../src/ports/store.ts';
import { by, inGallery, type User, type World } from './world.ts';

export function userRecord({ id, email, name, emailVerified, createdAt, lastSignInAt }: User): UserRecord {
  return { id, email, name, emailVerified, createdAt, lastSignInAt };
}

export function findUser({ users }: World, gallery: GalleryKey, id: string): User | null {
  const user = users.get(id);
  return user && inGallery(gallery)(user) ? user : null;
}

export function findByEmail({ users }: World, { appId, mode }: GalleryKey, email: string): User | null {
  return users.find(appId, mode, email.toLowerCase()) ?? null;
}

export function findByNumber(world: World, gallery: GalleryKey, number: number): User | null {
  const [template] = world.templates.where(row => inGallery(gallery)(row) && row.sequence === number);
  return template ? findUser(world, gallery, template.userId) : null;
}

export function userPage(
  { users }: World,
  gallery: GalleryKey,
  after: UserPosition | null,
  limit: number,
): User[] {
  const order = by<UserPosition>(
    user => user.createdAt,
    user => user.id,
  );
  return users
    .where(inGallery(gallery))
    .sort(order)
    .filter(user => after === null || order(user, after) > 0)
    .slice(0, limit);
}
