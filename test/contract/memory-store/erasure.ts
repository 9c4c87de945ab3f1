/** What goes with a user or an app, and what stays. */
import { createHash } from 'node:crypto';
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import { MODES } from '../../../src/protocol/mode.ts';
import { addEvent } from './counting.ts';
import { removeTemplates } from './galleries.ts';
import { findUser } from './users.ts';
import type { Event, World } from './world.ts';

function anonymise({ authEvents }: World, test: (event: Event) => boolean): void {
  const nobody = { userId: null, ip: null, userAgent: null, liveness: null };
  for (const event of authEvents.where(test)) authEvents.set({ ...event, ...nobody });
}

function record({ erasures }: World, id: string, at: number): void {
  const hash = createHash('sha256').update(id).digest('hex');
  if (!erasures.get(hash)) erasures.insert({ hash, erasedAt: at });
}

export function eraseUser(
  world: World,
  gallery: GalleryKey,
  id: string,
  at: number,
  events: 'anonymous' | 'deleted' = 'anonymous',
): boolean {
  if (!findUser(world, gallery, id)) return false;
  const isTheirs = (row: { userId: string | null }) => row.userId === id;
  removeTemplates(world, gallery, world.templates.where(isTheirs), at);
  world.emailCodes.deleteWhere(isTheirs);
  world.consents.deleteWhere(isTheirs);
  if (events === 'deleted') world.authEvents.deleteWhere(isTheirs);
  else anonymise(world, isTheirs);
  world.users.deleteWhere(user => user.id === id);
  addEvent(world, gallery, 'user_deleted', at);
  record(world, id, at);
  return true;
}

export function eraseApp(world: World, id: string, at: number): boolean {
  const app = world.apps.get(id);
  if (!app) return false;
  const isOfApp = (row: { appId: string }) => row.appId === id;
  const people = new Set(world.users.where(isOfApp).map(user => user.id));
  world.consents.deleteWhere(({ userId }) => people.has(userId));
  world.emailCodes.deleteWhere(isOfApp);
  world.templates.deleteWhere(isOfApp);
  world.removedTemplates.deleteWhere(isOfApp);
  world.users.deleteWhere(isOfApp);
  world.challenges.deleteWhere(isOfApp);
  world.windows.deleteWhere(isOfApp);
  world.galleries.deleteWhere(isOfApp);
  world.apiKeys.deleteWhere(isOfApp);
  world.distanceDays.deleteWhere(isOfApp);
  world.dataKeys.deleteWhere(key => key.owner === id);
  anonymise(world, isOfApp);
  world.apps.delete(app);
  for (const mode of MODES) addEvent(world, { appId: id, mode }, 'app_deleted', at);
  record(world, id, at);
  return true;
}
