/** Apps and keys. */
import type { AppRecord, AppStore, KeyRecord, NewKey } from '../../../src/ports/store.ts';
import { type ApiKey, by, type Data, type Sync } from './data.ts';
import { eraseApp } from './erasure.ts';

const oldest = by<{ createdAt: number; id: string }>(
  row => row.createdAt,
  row => row.id,
);

export function appVerbs(data: Data): Sync<AppStore> {
  const { apps, apiKeys } = data;
  const insertApp = (app: AppRecord) => {
    apps.insert(app);
    const before = data.hadApp;
    data.hadApp = true;
    data.undo.add(() => {
      data.hadApp = before;
    });
  };
  const insertKey = (key: NewKey) =>
    apiKeys.insert({ ...key, revokedAt: null, lastUsedAt: null, endsAt: null });
  const record = ({ hash: _, ...key }: ApiKey): KeyRecord => key;

  return {
    createApp: insertApp,
    createFirstApp(app, keys) {
      if (data.hadApp) return false;
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
    deleteApp: (id, at) => eraseApp(data, id, at),

    createKey(key, maximum) {
      if (!apps.get(key.appId)) return 'no_such_app';
      const isActive = (row: ApiKey) =>
        row.appId === key.appId && row.mode === key.mode && row.revokedAt === null && row.endsAt === null;
      if (apiKeys.where(isActive).length >= maximum) return 'too_many';
      insertKey(key);
      return 'created';
    },
    listKeys(appId) {
      if (!apps.get(appId)) return null;
      const keys = apiKeys.where(key => key.appId === appId).sort(oldest);
      return keys.map(record);
    },
    rollKey(id, successor, endsAt, now) {
      const { appId, type, mode } = successor;
      const key = apiKeys.get(id);
      const isSame = key?.appId === appId && key.type === type && key.mode === mode;
      if (!isSame || key.revokedAt !== null || (key.endsAt !== null && key.endsAt <= now)) return null;
      const old = { ...key, endsAt: Math.min(endsAt, key.endsAt ?? endsAt) };
      apiKeys.set(old);
      insertKey(successor);
      return record(old);
    },
    labelKey(id, label) {
      const key = apiKeys.get(id);
      if (!key) return null;
      apiKeys.set({ ...key, label });
      return record({ ...key, label });
    },
    findKey(id) {
      const key = apiKeys.get(id);
      return key ? record(key) : null;
    },
    noteKeyUses(uses) {
      for (const [id, at] of uses) {
        const key = apiKeys.get(id);
        if (key && (key.lastUsedAt ?? 0) < at) apiKeys.set({ ...key, lastUsedAt: at });
      }
    },
    revokeKey(id, at) {
      const key = apiKeys.get(id);
      if (key?.revokedAt === null) apiKeys.set({ ...key, revokedAt: at });
      return key !== undefined;
    },
    findCredential(hash) {
      const key = apiKeys.find(hash);
      const app = key?.revokedAt === null && apps.get(key.appId);
      return key && app
        ? { key: { id: key.id, type: key.type, mode: key.mode, endsAt: key.endsAt }, app }
        : null;
    },
  };
}
