/** Who makes a request, as the checks of its headers found. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { AppRecord, UserRecord } from '../ports/store.ts';
import type { TokenClaims } from './tokens/claims.ts';

/** Where a request comes from. */
export interface Client {
  /** Address as the audit trail keeps it. */
  readonly ip: string;
  /** What limits count by: the address, or the /64 of an IPv6 one. */
  readonly network: string;
  /** What they count by again, with a larger number: the /48 of an IPv6 address. Null for an IPv4 one. */
  readonly site: string | null;
  readonly userAgent: string;
}

export interface Caller extends Client {
  readonly app: AppRecord;
  /** The data that the caller acts on: the app's, in the mode of the key or token. */
  readonly gallery: GalleryKey;
}

/** Whoever holds a key of the app. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
}

/** A person, by a token of this service. */
export interface UserCaller extends Caller {
  readonly user: UserRecord;
  readonly claims: TokenClaims;
  /** Further tokens that came with the request, in cookies that may be ended from its page. */
  readonly alsoPresented?: readonly TokenClaims[];
}
