/**
 * The key that signs, and the keys that verify. The store is asked every time, so a rotation takes effect at once on
 * every node. Cached are the opened and imported keys, because opening one takes longer than a signature, and the last
 * key set, for when the database is away.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { importJWK, type JWK } from 'jose';
import { isPublished, type SigningKeyRecord, type Store, StoreUnavailable } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';

/** Verifiers wait for a few seconds. A database that is cut off says nothing for longer. */
const PATIENCE_MS = 1_000;

export interface SigningKeys {
  /** The published keys, oldest first. */
  published(): Promise<SigningKeyRecord[]>;
  /**
   * The same for those who verify elsewhere. While the database does not answer, or not in time for them: the last
   * known set, without the keys that have left since. @throws StoreUnavailable if none was ever loaded
   */
  announced(): Promise<readonly SigningKeyRecord[]>;
  /** The key that signs now. @throws Error if there is none */
  current(): Promise<{ kid: string; key: KeyObject }>;
  /** The published key with this id, for verification. Null if it is not published. */
  verifier(kid: string): Promise<CryptoKey | null>;
}

export function createSigningKeys(store: Store, clock: Clock): SigningKeys {
  const opened = new Map<string, KeyObject>();
  const imported = new Map<string, CryptoKey>();

  let last: readonly SigningKeyRecord[] | null = null;

  async function published(): Promise<SigningKeyRecord[]> {
    const keys = await store.signingKeys(clock.now());
    last = keys;
    return keys;
  }

  async function open(kid: string): Promise<KeyObject | undefined> {
    const jwk = await store.openSigningKey(kid);
    return jwk ? createPrivateKey({ key: jwk, format: 'jwk' }) : undefined;
  }

  return {
    published,

    async announced() {
      if (!last) return published();
      const answered = new AbortController();
      try {
        const late = delay(PATIENCE_MS, null, { signal: answered.signal });
        const keys = await Promise.race([published(), late]);
        if (keys) return keys;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      } finally {
        answered.abort();
      }
      return last.filter(key => isPublished(key, clock.now()));
    },

    async current() {
      // Another process may revoke the key between the two reads. Then try once more with the new set.
      for (let attempt = 0; attempt < 2; attempt++) {
        const keys = await published();
        const kid = currentOf(keys, clock.now())?.kid;
        const key = kid === undefined ? undefined : (opened.get(kid) ?? (await open(kid)));
        if (kid === undefined || key === undefined) continue;
        keepOnly(opened, keys);
        opened.set(kid, key);
        return { kid, key };
      }
      throw new Error('there is no signing key: run "signing-key rotate --revoke-old"');
    },

    async verifier(kid) {
      const keys = await published();
      const found = keys.find(key => key.kid === kid);
      if (!found) return null;
      let key = imported.get(kid);
      if (!key) {
        key = await importKey(found.publicJwk);
        keepOnly(imported, keys);
        imported.set(kid, key);
      }
      return key;
    },
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, 'ES256')) as CryptoKey;
}

function keepOnly(cache: Map<string, unknown>, keys: readonly SigningKeyRecord[]): void {
  for (const kid of cache.keys()) if (!keys.some(key => key.kid === kid)) cache.delete(kid);
}

/** The key that signs: the newest one whose time has come, or the oldest if the clock is behind. */
export function currentOf(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord | undefined {
  return keys.findLast(key => key.signsAt <= now) ?? keys[0];
}

/** A key is first `next`, then `current`, then `previous`. */
export function statusOf(
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
  now: number,
): 'next' | 'current' | 'previous' {
  if (currentOf(keys, now)?.kid === key.kid) return 'current';
  return key.signsAt > now ? 'next' : 'previous';
}
