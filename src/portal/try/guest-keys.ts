/**
 * Publishable keys for the page to try the service, in memory only: they are never stored, not even as a hash, so they are
 * gone when the process ends, however it ends. Refuses to make a live key, or any key where the page is switched off; an
 * app that is deleted takes its key along. Held by test/http/try.test.ts.
 */
import { keyHash } from '../../domain/credentials.ts';
import type { AdminDeps } from '../../domain/deps.ts';
import { makeKey } from '../../domain/operating/keys.ts';
import type { Store } from '../../ports/store.ts';

export interface GuestKeys {
  /** Whether the page is on. */
  readonly isOn: boolean;
  /** As given, but its store knows these keys beside its own. */
  readonly deps: AdminDeps;
  /** The app's test key, the same until the process ends; null where the page is off. */
  keyFor(appId: string): string | null;
}

export function createGuestKeys(deps: AdminDeps, isOn: boolean): GuestKeys {
  const { store } = deps;
  const keys = new Map<string, string>();
  const credentials = new Map<string, { readonly appId: string; readonly id: string }>();
  if (!isOn) return { isOn, deps, keyFor: () => null };

  const findCredential: Store['findCredential'] = async hash => {
    const guest = credentials.get(hash);
    if (!guest) return store.findCredential(hash);
    const app = await store.findApp(guest.appId);
    return app && { key: { id: guest.id, type: 'publishable', mode: 'test' }, app };
  };

  return {
    isOn,
    deps: { ...deps, store: { ...store, findCredential } },
    keyFor(appId) {
      const known = keys.get(appId);
      if (known) return known;
      const { key, record } = makeKey(deps, appId, 'publishable', 'test');
      keys.set(appId, key);
      credentials.set(keyHash(key), { appId, id: record.id });
      return key;
    },
  };
}
