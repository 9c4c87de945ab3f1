/**
 * Temporary test keys for the page `/try`. They exist only in memory and are not stored, not even as a hash. There is
 * no key if the page is off, and the key of a deleted app no longer works. Held by test/portal/try.test.ts.
 */
import { keyHash } from '../../domain/credentials.ts';
import type { AdminDeps } from '../../domain/deps.ts';
import { makeKey } from '../../domain/operating/keys.ts';
import type { Credential } from '../../ports/store.ts';

export interface GuestKeys {
  /** Whether the page is on. */
  readonly isOn: boolean;
  /** The credential of the key with this hash; null if it is not one of these keys. */
  find(hash: string): Promise<Credential | null>;
  /** The app's test key, the same until the process ends. Null if the page is off. */
  keyFor(appId: string): string | null;
}

export function createGuestKeys(deps: AdminDeps, isOn: boolean): GuestKeys {
  const keys = new Map<string, string>();
  const guests = new Map<string, { readonly appId: string; readonly id: string }>();

  return {
    isOn,
    async find(hash) {
      const guest = guests.get(hash);
      const app = guest && (await deps.store.findApp(guest.appId));
      return app ? { key: { id: guest.id, type: 'publishable', mode: 'test' }, app } : null;
    },
    keyFor(appId) {
      if (!isOn) return null;
      const known = keys.get(appId);
      if (known) return known;
      const { key, record } = makeKey(deps, appId, 'publishable', 'test');
      keys.set(appId, key);
      guests.set(keyHash(key), { appId, id: record.id });
      return key;
    },
  };
}
