/**
 * What the database stores about an API key: a keyed hash to find it, and a keyed hash of the row, which binds the key
 * to its app, type and mode. So a row that someone else put into a backup is not accepted: they cannot compute the
 * hashes. The revocation is not bound, so an older state of a row is accepted. Held by test/contract/apps.ts and
 * test/cli/tampered-backup.long.test.ts.
 */

import type { KeyRecord } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';

export type KeyPlace = Pick<KeyRecord, 'id' | 'appId' | 'type' | 'mode'>;

/** @param hash the domain's hash of a key */
export function storedHash(secrets: Secrets, hash: string): string {
  return secrets.hash('api-key', hash);
}

/** @param stored the stored hash */
export function macOf(secrets: Secrets, { id, appId, type, mode }: KeyPlace, stored: string): string {
  return secrets.hash('api-key-row', [id, appId, type, mode, stored].join('\0'));
}
