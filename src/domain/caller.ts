/** Who makes a request, as the checks of its headers found. */
import type { GalleryKey } from '../ports/matcher.ts';
import type { Credential } from '../ports/store.ts';

/** Where a request comes from. */
export interface Client {
  /** Address as the audit trail keeps it. */
  readonly ip: string;
  /** What limits count by: the address, or the /64 of an IPv6 one. */
  readonly network: string;
  readonly userAgent: string;
}

export interface Caller extends Client {
  readonly credential: Credential;
  /** The data that the key acts on: its app's, in its mode. */
  readonly gallery: GalleryKey;
}
