/**
 * Replacing the keys that seal templates and private signing keys. An owner's newest key seals whatever is written from
 * the end of the transaction that made it on, in every process; what older ones have sealed is sealed anew in batches, and
 * then they are destroyed. A store that seals nothing has no keys: `no_key`, and nothing to be sealed anew.
 */
import type { Mode } from '../../protocol/mode.ts';

/** Whose key it is: an app's, by its id, or that of the private signing keys. */
export type KeyOwner = string;
export const SIGNING_KEYS: KeyOwner = 'signing-keys';

/** How far values of an owner were looked at. */
export interface ResealPlace {
  readonly mode: Mode;
  /** Of the gallery: its templates up to here are sealed with the newest key. */
  readonly sequence: number;
}

export const FIRST_PLACE: ResealPlace = { mode: 'live', sequence: 0 };

export interface Resealed {
  /** Values that were looked at. */
  readonly seen: number;
  /** Of these, how many do not open, and stay as they are: they were altered outside the service. */
  readonly unreadable: number;
  /** Null: there are no more. */
  readonly next: ResealPlace | null;
}

export interface DataKeyStore {
  /**
   * Makes a new key for the owner; `resumed` where the newest one was made under the present master secret and older ones
   * are left: then that change is to be ended. `no_key`: nothing was ever sealed, or there is no such owner.
   */
  beginRekey(owner: KeyOwner): Promise<'begun' | 'resumed' | 'no_key'>;
  /** How many values the owner has sealed. */
  sealedValues(owner: KeyOwner): Promise<number>;
  /** Seals values of older keys anew, at most `limit` at once, beginning after the place. */
  reseal(owner: KeyOwner, from: ResealPlace, limit: number): Promise<Resealed>;
  /**
   * Erases the older keys of the owner, unless something that opens is still sealed with one: then false. True also when
   * there are none.
   */
  destroyOldKeys(owner: KeyOwner): Promise<boolean>;
  /** Owners with older keys: their change was interrupted. */
  unfinishedRekeys(): Promise<KeyOwner[]>;
}
