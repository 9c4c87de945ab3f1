/**
 * What a route is: one value that says everything about it, including its OpenAPI description. The types connect its
 * parts: a route without a guard does not compile, its limits must accept the guard's caller, and its handler gets that
 * caller and the fields of its schemas.
 */

import type { Context } from 'koa';
import type * as v from 'valibot';
import type { Client } from '../domain/caller.ts';
import type { Deps } from '../domain/deps.ts';
import type { SignedIn } from '../domain/sign-in.ts';
import type { TokenClaims } from '../domain/tokens/claims.ts';
import type { UserRecord } from '../ports/store.ts';
import * as answers from '../protocol/answers.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import { iso } from '../protocol/time.ts';
import { viewOf } from '../protocol/view.ts';
import type { Description, Scheme } from './openapi/description.ts';

/** Decides who may call a route, from the headers alone. */
export interface Guard<C> {
  readonly name: string;
  /** Any one of these credentials is enough. If there are none, anyone may call. */
  readonly schemes: readonly Scheme[];
  readonly errors: readonly ErrorCode[];
  /** @throws Refusal with one of `errors` */
  readonly enter: (deps: Deps, ctx: Context, client: Client) => Promise<C>;
}

/** Counts the request. @throws Refusal rate_limited */
type Limit<C> = (deps: Deps, caller: C) => void | Promise<void>;

type Schema = v.GenericSchema | undefined;
type Fields<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

interface Input<C, B extends Schema, Q extends Schema> {
  readonly deps: Deps;
  readonly caller: C;
  readonly body: Fields<B>;
  readonly query: Fields<Q>;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Aborts when the client has left. Made when it is asked for, because few answers take long. */
  readonly gone: () => AbortSignal;
}

interface RouteSpec<C, B extends Schema, Q extends Schema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly guard: Guard<C>;
  readonly schema: {
    /** If there is none, the route ignores a body. */
    readonly body?: B;
    readonly query?: Q;
    /** Maximum size of a body in bytes. Default: BODY_BYTES. */
    readonly bytes?: number;
  };
  /** Counted in this order. */
  readonly limits: readonly Limit<C>[];
  readonly describe: Description;
  readonly handler: (input: Input<C, B, Q>) => Promise<Reply>;
}

/** A route whose parts were checked against each other and whose types no longer matter. */
export type Route = RouteSpec<unknown, Schema, Schema>;

export function route<C, B extends Schema = undefined, Q extends Schema = undefined>(
  spec: RouteSpec<C, B, Q>,
): Route {
  return spec as unknown as Route;
}

/** What a handler returns. */
export interface Reply {
  readonly status: number;
  /** Null: the answer has none (204). */
  readonly body: object | null;
  /** Replaces the default `no-store`. */
  readonly cacheControl?: string;
  /** A new user token. First-party apps also get it as a cookie. */
  readonly session?: string;
  /** The session is over: first-party apps get their cookie cleared. */
  readonly endsSession?: true;
}

/** The user in the answers of enroll and match. */
const userView = viewOf(answers.user);

const own = viewOf(answers.ownUser);

/** The user in the answers of /v1/me. A token that says so proves the address, also while a face is unconfirmed. */
export const ownView = (user: UserRecord, token: Pick<TokenClaims, 'email_verified'>) =>
  own({ ...user, emailVerified: user.emailVerified || token.email_verified });

export function signedInReply(status: number, { user, token }: SignedIn, more: object = {}): Reply {
  const body = { user: userView(user), token: token.token, expires_at: iso(token.expiresAt), ...more };
  return { status, body, session: token.token };
}
