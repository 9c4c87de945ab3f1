/**
 * Replaces the keys that seal templates, personal fields and private signing keys. Once the transaction that creates an
 * owner's new key has ended, every process seals with that key. Values sealed with older keys are resealed in batches,
 * and then the older keys are destroyed. A store that seals nothing has no keys: it returns `no_key`, and has nothing
 * to reseal.
 */
import type { Recording } from './audit.ts';

/** The owner of a key: the ID of an app, or `SIGNING_KEYS` for the private signing keys. */
export type KeyOwner = string;
export const SIGNING_KEYS: KeyOwner = 'signing-keys';

/** How far the values of an owner were checked: up to a position in one of the store's lists. */
export interface ResealPlace {
  readonly list: number;
  /** Null: from the beginning of the list. */
  readonly after: readonly (string | number)[] | null;
}

export const FIRST_PLACE: ResealPlace = { list: 0, after: null };

export interface Resealed {
  /** The number of values that were checked. */
  readonly seen: number;
  /** How many of these cannot be decrypted, because they were altered outside the service. They stay unchanged. */
  readonly unreadable: number;
  /** Null: there are no more. */
  readonly next: ResealPlace | null;
}

export interface DataKeyStore {
  /**
   * Creates a new key for the owner. `resumed`: the newest key was created under the current master secret and there
   * are still older ones, so that change must be finished first. `no_key`: nothing was ever sealed, or there is no such
   * owner, and no entry.
   */
  beginRekey(owner: KeyOwner, entry?: Recording): Promise<'begun' | 'resumed' | 'no_key'>;
  /** The number of sealed values of the owner. */
  sealedValues(owner: KeyOwner): Promise<number>;
  /** Reseals values of older keys, at most `limit` per call, starting after `from`. */
  reseal(owner: KeyOwner, from: ResealPlace, limit: number): Promise<Resealed>;
  /**
   * Erases the owner's older keys. False, and nothing is erased, if a readable value is still sealed with one of them.
   * Also true if there are none.
   */
  destroyOldKeys(owner: KeyOwner): Promise<boolean>;
  /** Owners with older keys: their key change was interrupted. */
  unfinishedRekeys(): Promise<KeyOwner[]>;
}
