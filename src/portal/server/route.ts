/**
 * What a route of the internal API is: one value that says who may call it, what it accepts, what it counts, what the
 * audit log says about it, how it is described and what it does. A route without `needs` does not compile, nor does one
 * with several actions that does not say which of them a request needs. Its handler gets the team, app or gallery of
 * its scope, which the pipeline has found and checked.
 */
import type * as v from 'valibot';
import type { Client } from '../../domain/caller.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { Description } from '../../http/openapi/description.ts';
import type { PortalErrorCode } from '../../protocol/portal/errors.ts';
import type { Action } from '../../protocol/portal/roles.ts';
import type { PortalDeps } from './deps.ts';
import type { Entered, Needs } from './needs.ts';
import type { PortalTag } from './openapi/tags.ts';
import type { PortalReply } from './reply.ts';

type Schema = v.GenericSchema | undefined;
type Fields<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

/** What the checks of the pipeline have found. */
export type Checked<N extends Needs, B extends Schema, Q extends Schema> = Entered<N> & {
  readonly client: Client;
  readonly body: Fields<B>;
  readonly query: Fields<Q>;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
};

export type PortalInput<N extends Needs, B extends Schema, Q extends Schema> = Checked<N, B, Q> & {
  /**
   * Of a route that writes: its store adds the entry of the audit log to the first change, or, if nothing changed, when
   * the handler is done.
   */
  readonly deps: PortalDeps;
  /** The id of what the route creates. */
  readonly newId: string;
  /** The cookie that binds a passkey's challenge to the browser. */
  readonly browser: string | undefined;
};

/** Counts the request. @throws Refusal rate_limited */
export type PortalLimit<C> = (deps: PortalDeps, checked: C) => void | Promise<void>;

/** What the audit log says about a request. */
export interface Audit<Body, Query = never> {
  /** Like `key.create`. */
  readonly action: string;
  /**
   * When its entry is written. `change` (default): with the first change, or when the handler is done if there was
   * nothing to change. `answer`: when the handler is done, for what changes nothing here, such as exports. `look`: the
   * same, but equal ones are counted. `opened`: the same, once an hour. `domain`: the domain's functions write it.
   */
  readonly when?: 'change' | 'answer' | 'look' | 'opened' | 'domain';
  /** What a look at this is called; null: it has no entry. Default: the action. */
  readonly as?: (query: Query) => string | null;
  /** What is acted on. Default: the last parameter of the path; of end users a keyed hash. */
  readonly target?: (body: Body) => string | null;
  /** The kind of what is created. Its id, `newId`, is then the target, unless the request is refused. */
  readonly creates?: IdPrefix;
}

type Choice<N extends Needs, C> = N extends { readonly actions: readonly [Action, Action, ...Action[]] }
  ? { readonly choose: (checked: C) => readonly Action[] }
  : { readonly choose?: never };

interface Parts<N extends Needs, B extends Schema, Q extends Schema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/internal`. */
  readonly path: string;
  readonly needs: N;
  readonly schema: { readonly body?: B; readonly query?: Q };
  readonly describe: Description<PortalTag, PortalErrorCode>;
  /** Null: leaves no entry, unless the request is refused for lack of rights. */
  readonly audit: Audit<Fields<B>, Fields<Q>> | null;
  /** Counted once all checks have passed. */
  readonly limits: readonly PortalLimit<Checked<N, B, Q>>[];
  readonly handler: (input: PortalInput<N, B, Q>) => Promise<PortalReply>;
}

export type PortalRouteSpec<N extends Needs, B extends Schema, Q extends Schema> = Parts<N, B, Q> &
  Choice<N, Checked<N, B, Q>>;

/** A route whose parts were checked against each other and whose types no longer matter. */
export interface PortalRoute extends Omit<Parts<Needs, Schema, Schema>, 'audit' | 'limits' | 'handler'> {
  readonly choose?: Erased<readonly Action[]>;
  readonly audit:
    | (Omit<Audit<never>, 'target' | 'as'> & Partial<Record<'target' | 'as', Erased<string | null>>>)
    | null;
  readonly limits: readonly ((deps: PortalDeps, checked: object) => void | Promise<void>)[];
  readonly handler: Erased<Promise<PortalReply>>;
}

type Erased<Answer> = (checked: object) => Answer;

export function portalRoute<
  const N extends Needs,
  B extends Schema = undefined,
  Q extends Schema = undefined,
>(spec: PortalRouteSpec<N, B, Q>): PortalRoute {
  return spec as unknown as PortalRoute;
}
