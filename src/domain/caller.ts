/** Who makes a request, as found by the header checks. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { AppRecord, UserRecord } from '../ports/store.ts';
import type { TokenClaims } from './tokens/claims.ts';

/** Where a request comes from. */
export interface Client {
  /** The address recorded in the audit trail. */
  readonly ip: string;
  /** Limits count by this: the address, or its /64 for IPv6. */
  readonly network: string;
  /** The /48 of an IPv6 address, which has limits of its own, ten times as high. Null for IPv4. */
  readonly site: string | null;
  readonly userAgent: string;
}

export interface Caller extends Client {
  readonly app: AppRecord;
  /** The data the caller acts on: one app, in the mode of the key or token. */
  readonly gallery: GalleryKey;
}

/** A request with a key of the app. */
export interface KeyCaller extends Caller {
  readonly keyId: string;
  /** Looks at the key again. @throws Refusal unauthorized if it was revoked or has ended */
  readonly requireKey: () => Promise<void>;
}

/** A request with a user token. */
export interface UserCaller extends Caller {
  readonly user: UserRecord;
  readonly claims: TokenClaims;
  /** Other tokens in the request's cookies that the page may revoke. Sign-out revokes them too. */
  readonly alsoPresented?: readonly TokenClaims[];
}
