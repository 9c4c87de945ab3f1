/** The operator's apps, which header and pages share, and the keys that this tab has just made. */
import type { Mode } from '../../../protocol/mode.ts';
import type { Answer } from '../../../protocol/portal/answers.ts';
import { get, post } from './api.ts';
import { store } from './store.ts';

type Whole = Answer<'portalApp'>;
/** With what only the list has, or only the app alone. */
export type App = Omit<Whole, 'limits'> & Partial<Whole & Answer<'listedApp'>>;
export type Key = Answer<'listedKey'>;
export type MadeKey = Answer<'madeKey'>['key'];

/** What keys are for. */
export const TYPES: readonly Key['type'][] = ['publishable', 'secret'];

export const allApps = store<readonly App[] | null>(null);

export async function loadApps(signal?: AbortSignal): Promise<readonly App[]> {
  const { apps } = await get<Answer<'appList'>>('apps', signal ? { signal } : {});
  allApps.set(apps);
  return apps;
}

/** One app, which then is also the one in the list. */
export async function loadApp(id: string, signal?: AbortSignal): Promise<App> {
  const { app } = await get<Answer<'appAnswer'>>(`apps/${encodeURIComponent(id)}`, signal ? { signal } : {});
  keepApp(app);
  return app;
}

export function keepApp(app: App): void {
  const all = allApps.get();
  if (all) allApps.set(all.map(one => (one.id === app.id ? { ...one, ...app } : one)));
}

/** In this tab's memory only: gone with a reload. */
export const freshKeys = store<Readonly<Record<string, Partial<Record<Key['type'], string>>>>>({});

/** Creates a key. A test key also fills in the quick start of this tab. */
export async function makeKey(appId: string, type: Key['type'], mode: Mode, label: string): Promise<MadeKey> {
  const body = { type, mode, ...(label ? { label } : {}) };
  return kept(appId, await post<Answer<'madeKey'>>(`apps/${appId}/keys`, body));
}

/** A new key in place of another one. A test key also fills in the quick start of this tab. */
export async function rollKey(appId: string, id: string, seconds: number): Promise<MadeKey> {
  const body = { ends_in_seconds: seconds };
  return kept(appId, await post<Answer<'madeKey'>>(`apps/${appId}/keys/${id}/roll`, body));
}

function kept(appId: string, { key }: Answer<'madeKey'>): MadeKey {
  const all = freshKeys.get();
  if (key.mode === 'test') freshKeys.set({ ...all, [appId]: { ...all[appId], [key.type]: key.key } });
  return key;
}
