/** Users as other verbs find them. */
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import {
  FaceInQuestion,
  type OnBehalf,
  type UserOrder,
  type UserPosition,
  type UserRecord,
} from '../../../src/ports/store.ts';
import { by, type Data, inGallery, type User } from './data.ts';

export function userRecord({
  id,
  email,
  name,
  emailVerified,
  faceInQuestion,
  createdAt,
  lastSignInAt,
}: User): UserRecord {
  return { id, email, name, emailVerified, faceInQuestion, createdAt, lastSignInAt };
}

export function findUser({ users }: Data, gallery: GalleryKey, id: string): User | null {
  const user = users.get(id);
  return user && inGallery(gallery)(user) ? user : null;
}

export function refuseInQuestion({ users }: Data, id: string, { byFace }: OnBehalf = {}): void {
  if (byFace && users.get(id)?.faceInQuestion) throw new FaceInQuestion();
}

export function findByEmail({ users }: Data, { appId, mode }: GalleryKey, email: string): User | null {
  return users.find(appId, mode, email.toLowerCase()) ?? null;
}

export function findByNumber(data: Data, gallery: GalleryKey, number: number): User | null {
  const [template] = data.templates.where(row => inGallery(gallery)(row) && row.sequence === number);
  return template ? findUser(data, gallery, template.userId) : null;
}

export function userPage(
  { users }: Data,
  gallery: GalleryKey,
  after: UserPosition | null,
  limit: number,
  direction: UserOrder = 'oldest',
): User[] {
  const oldest = by<UserPosition>(
    user => user.createdAt,
    user => user.id,
  );
  const order: typeof oldest = direction === 'oldest' ? oldest : (a, b) => oldest(b, a);
  return users
    .where(inGallery(gallery))
    .sort(order)
    .filter(user => after === null || order(user, after) > 0)
    .slice(0, limit);
}
