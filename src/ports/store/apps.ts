/** Apps and their keys. A change by another process takes effect at the next call. */
import type { Recording } from './audit.ts';
import type { AppFields, AppRecord, Credential, KeyRecord, NewKey } from './records.ts';

type KeyChange = Pick<KeyRecord, 'label'> | { readonly revokedAt: number };

export interface AppStore {
  /**
   * Returns whether it stored the app.
   * @param firstWith its keys: it is stored only if the database has never had an app, so only one of many callers
   *   succeeds
   */
  createApp(app: AppRecord, firstWith?: readonly NewKey[], entry?: Recording): Promise<boolean>;
  listApps(): Promise<AppRecord[]>;
  /** Origins that any first-party app lists. */
  firstPartyOrigins(): Promise<ReadonlySet<string>>;
  findApp(id: string): Promise<AppRecord | null>;
  /**
   * Changes the given fields, all or none. Null if there is no such app. A function gets the current app, which nothing
   * changes in the meantime. It must only compute, because it may be called several times. If it throws, the call
   * rejects with that error and nothing is changed.
   */
  updateApp(
    id: string,
    change: Partial<AppFields> | ((app: AppRecord) => Partial<AppFields>),
    entry?: Recording,
  ): Promise<AppRecord | null>;
  /**
   * Erases the app: keys, users, templates, consents, codes, challenges and windows. Its events lose all personal data;
   * a tombstone and the usage counts stay. False if unknown.
   */
  deleteApp(id: string, at: number, entry?: Recording): Promise<boolean>;

  /**
   * Atomic with the count of the app's active keys in this mode: even a burst stores at most `maximum`. A key that has
   * ended by the time of the new one, or has a successor, is not active.
   */
  createKey(key: NewKey, maximum: number, entry?: Recording): Promise<'created' | 'no_such_app' | 'too_many'>;
  /**
   * Stores the successor of an active key, whatever the maximum, and lets the old key end at a moment, or earlier if it
   * already does. Null and nothing is stored unless the old key is active now and of the same app, type and mode.
   */
  rollKey(
    id: string,
    successor: NewKey,
    endsAt: number,
    now: number,
    entry?: Recording,
  ): Promise<KeyRecord | null>;
  /** Null if unknown. Revoking again keeps the first time. */
  updateKey(id: string, change: KeyChange, entry?: Recording): Promise<KeyRecord | null>;
  /** Records when keys were last used. An earlier moment changes nothing. */
  noteKeyUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Of an app, oldest first, or the one with this id. */
  listKeys(by: { readonly appId: string } | { readonly id: string }): Promise<KeyRecord[]>;
  /**
   * The active key with this hash and its app. A row that the store did not write itself is not a key; nor is one that
   * was moved to another app, type or mode.
   */
  findCredential(hash: string): Promise<Credential | null>;
}
