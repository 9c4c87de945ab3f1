/** What goes with a user or an app, and what stays. */
import { createHash } from 'node:crypto';
import type { GalleryKey } from '../../../src/ports/matcher.ts';
import { MODES } from '../../../src/protocol/mode.ts';
import { addEvent } from './counting.ts';
import type { Data, Event } from './data.ts';
import { removeTemplates } from './galleries.ts';
import { findUser } from './users.ts';

function anonymise({ authEvents }: Data, test: (event: Event) => boolean): void {
  const erased = { userId: null, ip: null, userAgent: null, liveness: null };
  for (const event of authEvents.where(test)) authEvents.set({ ...event, ...erased });
}

function record({ erasures }: Data, id: string, at: number): void {
  const hash = createHash('sha256').update(id).digest('hex');
  if (!erasures.get(hash)) erasures.insert({ hash, erasedAt: at });
}

export function eraseUser(
  data: Data,
  gallery: GalleryKey,
  id: string,
  at: number,
  events: 'anonymous' | 'deleted' = 'anonymous',
): boolean {
  if (!findUser(data, gallery, id)) return false;
  const isTheirs = (row: { userId: string | null }) => row.userId === id;
  removeTemplates(data, gallery, data.templates.where(isTheirs), at);
  data.emailCodes.deleteWhere(isTheirs);
  data.consents.deleteWhere(isTheirs);
  data.knownNetworks.deleteWhere(isTheirs);
  data.lookAlikes.deleteWhere(row => row.youngerId === id || row.olderId === id);
  if (events === 'deleted') data.authEvents.deleteWhere(isTheirs);
  else anonymise(data, isTheirs);
  data.users.deleteWhere(user => user.id === id);
  addEvent(data, gallery, 'user_deleted', at);
  record(data, id, at);
  return true;
}

export function eraseApp(data: Data, id: string, at: number): boolean {
  const app = data.apps.get(id);
  if (!app) return false;
  const isOfApp = (row: { appId: string }) => row.appId === id;
  const people = new Set(data.users.where(isOfApp).map(user => user.id));
  data.consents.deleteWhere(({ userId }) => people.has(userId));
  data.emailCodes.deleteWhere(isOfApp);
  data.knownNetworks.deleteWhere(isOfApp);
  data.lookAlikes.deleteWhere(isOfApp);
  data.templates.deleteWhere(isOfApp);
  data.removedTemplates.deleteWhere(isOfApp);
  data.users.deleteWhere(isOfApp);
  data.challenges.deleteWhere(isOfApp);
  data.windows.deleteWhere(isOfApp);
  data.galleries.deleteWhere(isOfApp);
  data.apiKeys.deleteWhere(isOfApp);
  data.distanceDays.deleteWhere(isOfApp);
  data.dataKeys.deleteWhere(key => key.owner === id);
  anonymise(data, isOfApp);
  data.apps.delete(app);
  for (const mode of MODES) addEvent(data, { appId: id, mode }, 'app_deleted', at);
  record(data, id, at);
  return true;
}
