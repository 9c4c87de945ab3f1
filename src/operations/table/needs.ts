/**
 * Who may ask for an operation, and what its `run` gets for it. An operation names one of these; one with several
 * possible actions also says which of them a request needs (operation.ts).
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { SignedInOperator, TeamRecord } from '../../ports/store/operators.ts';
import type { AppRecord, KeyRecord, WebhookRecord } from '../../ports/store.ts';
import type { Action } from '../../protocol/portal/roles.ts';

/** Signing in. `run` gets the session of the request, if it has one. */
interface Anybody {
  readonly who: 'anybody';
}

/** Own account. A session that began with a recovery code may only replace passkeys and codes. */
interface Operator {
  readonly who: 'operator';
  readonly stepUp?: 'passkeys and codes' | 'account';
}

/**
 * - `installation`: admins.
 * - `team`: the team of the path (`:team`), or of the body (`team_id`).
 * - `app`, `key`, `gallery`, `webhook`: what the path names (`:app`, `:key`, `:mode`, `:webhook`).
 * - `listing`: whatever the operator's teams have; `run` leaves out the rest.
 */
export interface Right<S extends Scope = Scope> {
  readonly who: 'right';
  readonly scope: S;
  /** All actions that a request may need. Whoever may do none of them is refused before the body is read. */
  readonly actions: readonly [Action, ...Action[]];
  /** Only for `team`. Default: `path`. */
  readonly from?: 'path' | 'body';
}

type Scope = 'installation' | 'team' | 'app' | 'key' | 'gallery' | 'webhook' | 'listing';
export type Needs = Anybody | Operator | Right;

interface OfScope {
  readonly installation: object;
  readonly listing: object;
  readonly team: { readonly team: TeamRecord };
  readonly app: { readonly app: AppRecord };
  readonly key: { readonly app: AppRecord; readonly key: KeyRecord };
  readonly gallery: { readonly app: AppRecord; readonly gallery: GalleryKey };
  readonly webhook: {
    readonly app: AppRecord;
    readonly gallery: GalleryKey;
    readonly webhook: WebhookRecord;
  };
}

/** What the `run` of an operation with these needs gets. */
export type Entered<N extends Needs> = N extends Anybody
  ? { readonly signedIn: SignedInOperator | null }
  : { readonly signedIn: SignedInOperator } & (N extends Right<infer S> ? OfScope[S] : object);
