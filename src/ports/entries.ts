/**
 * What a request from a page needs to know before its work, asked in one step. For an engine on a network, where each
 * question of its own would take a round trip.
 */
import type { GalleryKey } from './matcher.ts';
import type { Counted } from './minutes.ts';
import type { Credential, SigningKeyRecord, UsageCounts } from './store/records.ts';
import type { AuthCount, Window, WindowState } from './store/sign-in.ts';

/** A window of a minute. */
export interface MinuteLimit {
  readonly key: string;
  readonly limit: number;
}

export interface EntryQuestion {
  /** From `Remembered`. */
  readonly mark: string;
  readonly now: number;
  readonly gallery: GalleryKey;
  /** Counted in this order, each only if the request is within the one before. Null: off. */
  readonly address: MinuteLimit | null;
  readonly site: MinuteLimit | null;
  /** Counted last, and only if plan, failures and encoder allow the request. */
  readonly app: MinuteLimit | null;
  readonly auth: AuthCount;
  readonly failures: readonly Window[];
  /** Null: the request names none. */
  readonly encoder: string | null;
  readonly challengeId: string | null;
}

export interface EntryAnswer {
  /** The windows of a minute in which the request was counted, by key. */
  readonly counted: ReadonlyMap<string, Counted>;
  readonly usage: UsageCounts;
  /** The open ones, by key. */
  readonly failures: ReadonlyMap<string, WindowState>;
  readonly challengeIsOpen: boolean;
  readonly sequence: number;
  readonly encoder: string | null;
}

/** As this node last knew it. It holds only if `ask` answers. */
export interface Remembered {
  readonly credential: Credential;
  /** All that can be decrypted, published or not. Undefined: not known. */
  readonly signingKeys: readonly SigningKeyRecord[] | undefined;
  readonly mark: string;
}

export interface Entries {
  /** Null: the credential is not known. */
  remembered(keyHash: string): Remembered | null;
  /**
   * Answers as of after the call. Of many requests at once, each gets a count of its own.
   * @returns null if the mark is no longer current: then nothing was counted
   * @throws StoreUnavailable
   */
  ask(question: EntryQuestion): Promise<EntryAnswer | null>;
}
