/** Apps and their keys. A change by another process counts with the next call. */
import type { AppRecord, Credential, KeyRecord, NewKey } from './records.ts';

export type AppChange = Partial<Pick<AppRecord, 'name' | 'allowedOrigins' | 'firstParty' | 'plan'>>;

export interface AppStore {
  createApp(app: AppRecord): Promise<void>;
  /**
   * Stores an app with its keys only where the database never held an app; answers whether it did.
   * Atomic: of many callers one succeeds.
   */
  createFirstApp(app: AppRecord, keys: readonly NewKey[]): Promise<boolean>;
  listApps(): Promise<AppRecord[]>;
  /** Origins that any first-party app lists. */
  firstPartyOrigins(): Promise<ReadonlySet<string>>;
  findApp(id: string): Promise<AppRecord | null>;
  /**
   * Changes the given fields, all or none; null when there is no such app. A function is given the app as it is, and
   * nothing changes it in between. It only computes, because it may be called several times. If it throws, the call rejects
   * with that error and nothing took effect.
   */
  updateApp(id: string, change: AppChange | ((app: AppRecord) => AppChange)): Promise<AppRecord | null>;
  /**
   * Erases the app: keys, users, templates, consents, codes, challenges and windows. Events lose everything personal;
   * a tombstone and the usage counts stay. False when unknown.
   */
  deleteApp(id: string, at: number): Promise<boolean>;

  /** Atomic with the count of active keys of the app in the key's mode: a burst stores no more than `maximum`. */
  createKey(key: NewKey, maximum: number): Promise<'created' | 'no_such_app' | 'too_many'>;
  /** Oldest first; null when there is no such app. */
  listKeys(appId: string): Promise<KeyRecord[] | null>;
  /** False when unknown. Revoking twice keeps the first time. */
  revokeKey(id: string, at: number): Promise<boolean>;
  /** The active key with this hash and its app. A row that the store has not written itself is no key, nor one that was moved to another app, type or mode. */
  findCredential(hash: string): Promise<Credential | null>;
}
