/**
 * What the database holds of an API key: a keyed hash, by which it is found, and a keyed hash of the whole row, which
 * binds it to its app, type and mode. A row that the service has not written is no key: who can write a backup knows
 * neither hash. That a key was revoked is not bound: an older state of a row is a good one. Held by
 * test/contract/apps.ts and test/cli/tampered-backup.long.test.ts.
 */

import type { KeyRecord } from '../../../ports/store.ts';
import type { Secrets } from '../../../ports/system.ts';

export type KeyPlace = Pick<KeyRecord, 'id' | 'appId' | 'type' | 'mode'>;

/** @param hash what the domain knows of a key */
export function storedHash(secrets: Secrets, hash: string): string {
  return secrets.hash('api-key', hash);
}

/** @param stored the stored hash */
export function macOf(secrets: Secrets, { id, appId, type, mode }: KeyPlace, stored: string): string {
  return secrets.hash('api-key-row', [id, appId, type, mode, stored].join('\0'));
}
