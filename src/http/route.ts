/**
 * What a route is. The guard is part of the type: a handler gets a caller only where the route names the credential
 * that makes one, and a route without a guard does not compile; an open one says so.
 */
import type * as v from 'valibot';
import type { KeyCaller, UserCaller } from '../domain/caller.ts';
import type { Deps } from '../domain/deps.ts';
import type { Reply } from './reply.ts';

/** `user`: a user token as Bearer; `session`: that, or the session cookie of a first-party app from its own pages. */
export type Guard = 'open' | 'publishable' | 'secret' | 'user' | 'session';
/** Request limits of step 2. */
export type Limit = 'address' | 'secret-key' | 'user' | 'code-requests' | 'code-verifies';

interface Callers {
  readonly open: undefined;
  readonly publishable: KeyCaller;
  readonly secret: KeyCaller;
  readonly user: UserCaller;
  readonly session: UserCaller;
}
type Schema = v.GenericSchema | null;

export interface Input<G extends Guard = Guard, S extends Schema = Schema, Q extends Schema = null> {
  readonly deps: Deps;
  readonly caller: Callers[G];
  readonly body: S extends v.GenericSchema ? v.InferOutput<S> : undefined;
  readonly query: Q extends v.GenericSchema ? v.InferOutput<Q> : undefined;
  /** Parts of the path, by the names that the route gives them. */
  readonly params: Readonly<Record<string, string>>;
}

export interface RouteSpec<G extends Guard, S extends Schema, Q extends Schema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly guard: G;
  /** One, or several in this order. */
  readonly limit: Limit | readonly Limit[] | null;
  /** Null: the route has no body, and ignores one that comes. */
  readonly body: S;
  readonly query?: Q;
  /** Largest body in bytes. */
  readonly bytes: number;
  readonly handle: (input: Input<G, S, Q>) => Promise<Reply>;
}

/** A route whose types were checked against each other and are of no more interest. */
export type Route = RouteSpec<Guard, Schema, Schema>;

export function route<const G extends Guard, const S extends Schema, const Q extends Schema = null>(
  spec: RouteSpec<G, S, Q>,
): Route {
  return spec as unknown as Route;
}
