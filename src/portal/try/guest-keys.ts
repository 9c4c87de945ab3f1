/**
 * Test keys for the page `/try`. They are derived from the master secret and stored nowhere, so a page that is still
 * open keeps working after a restart. There is no key if the page is off, and the key of a deleted app no longer works.
 * Held by test/portal/try.test.ts.
 */
import { keyHash } from '../../domain/credentials.ts';
import type { AdminDeps } from '../../domain/deps.ts';
import { makeKey } from '../../domain/operating/keys.ts';
import type { Credential } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';

export interface GuestKeys {
  /** Whether the page is on. */
  readonly isOn: boolean;
  /** The credential of the key with this hash; null if it is not one of these keys. */
  find(hash: string): Promise<Credential | null>;
  /** The app's test key, always the same. Null if the page is off. */
  keyFor(appId: string): string | null;
}

export function createGuestKeys(deps: AdminDeps, isOn: boolean): GuestKeys {
  const keys = new Map<string, string>();
  const guests = new Map<string, { readonly appId: string; readonly id: string }>();
  let isListed: Promise<void> | null = null;

  function keyFor(appId: string): string {
    const known = keys.get(appId);
    if (known) return known;
    const derived = { ...deps, random: randomOf(appId) };
    const { key, record } = makeKey(derived, appId, 'publishable', 'test');
    keys.set(appId, key);
    guests.set(keyHash(key), { appId, id: record.id });
    return key;
  }

  /** What looks random to everybody without the master secret, and is the same after a restart. */
  function randomOf(appId: string): Random {
    let block = 0;
    return {
      bytes(length) {
        const blocks: Buffer[] = [];
        for (let size = 0; size < length; size += 32)
          blocks.push(Buffer.from(deps.secrets.hash('guest-key', `${appId}\0${block++}`), 'base64url'));
        return Buffer.concat(blocks).subarray(0, length);
      },
    };
  }

  /** Once: the keys of the apps that were there before this process. */
  async function list(): Promise<void> {
    for (const { id } of await deps.store.listApps()) keyFor(id);
  }

  return {
    isOn,
    async find(hash) {
      if (!isOn) return null;
      isListed ??= list().catch(error => {
        isListed = null;
        throw error;
      });
      await isListed;
      const guest = guests.get(hash);
      const app = guest && (await deps.store.findApp(guest.appId));
      return app ? { key: { id: guest.id, type: 'publishable', mode: 'test', endsAt: null }, app } : null;
    },
    keyFor: appId => (isOn ? keyFor(appId) : null),
  };
}
