/** Apps and keys. */
import type { AppRecord, AppStore, NewKey } from '../../../src/ports/store.ts';
import { eraseApp } from './erasure.ts';
import { by, type Sync, type World } from './world.ts';

const oldest = by<{ createdAt: number; id: string }>(
  row => row.createdAt,
  row => row.id,
);

export function appVerbs(world: World): Sync<AppStore> {
  const { apps, apiKeys } = world;
  const insertApp = (app: AppRecord) => {
    apps.insert(app);
    const before = world.hadApp;
    world.hadApp = true;
    world.undo.add(() => {
      world.hadApp = before;
    });
  };
  const insertKey = (key: NewKey) => apiKeys.insert({ ...key, revokedAt: null });

  return {
    createApp: insertApp,
    createFirstApp(app, keys) {
      if (world.hadApp) return false;
      insertApp(app);
      keys.forEach(insertKey);
      return true;
    },
    listApps: () => apps.where().sort(oldest),
    firstPartyOrigins: () => new Set(apps.where(app => app.firstParty).flatMap(app => app.allowedOrigins)),
    findApp: id => apps.get(id) ?? null,
    updateApp(id, change) {
      const before = apps.get(id);
      if (!before) return null;
      const after = { ...before, ...(typeof change === 'function' ? change(before) : change) };
      apps.set(after);
      return after;
    },
    deleteApp: (id, at) => eraseApp(world, id, at),

    createKey(key, maximum) {
      if (!apps.get(key.appId)) return 'no_such_app';
      const isActive = (row: { appId: string; mode: string; revokedAt: number | null }) =>
        row.appId === key.appId && row.mode === key.mode && row.revokedAt === null;
      if (apiKeys.where(isActive).length >= maximum) return 'too_many';
      insertKey(key);
      return 'created';
    },
    listKeys(appId) {
      if (!apps.get(appId)) return null;
      const keys = apiKeys.where(key => key.appId === appId).sort(oldest);
      return keys.map(({ hash: _, ...key }) => key);
    },
    revokeKey(id, at) {
      const key = apiKeys.get(id);
      if (key) apiKeys.set({ ...key, revokedAt: key.revokedAt ?? at });
      return key !== undefined;
    },
    findCredential(hash) {
      const key = apiKeys.find(hash);
      const app = key?.revokedAt === null && apps.get(key.appId);
      return key && app ? { key: { id: key.id, type: key.type, mode: key.mode }, app } : null;
    },
  };
}
