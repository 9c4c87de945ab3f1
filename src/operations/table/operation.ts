/**
 * What an operation is: one value that says who may ask for it, what it accepts, what it counts, what the audit log
 * says about it, what it answers, and what it does. One without `needs` does not compile, nor does one that changes
 * something and says nothing about its entry, nor one with several actions that does not say which of them a request
 * needs. `run` gets the team, app or gallery of its scope, which was found and checked, and returns what `answer` says.
 */
import type * as v from 'valibot';
import type { Client } from '../../domain/caller.ts';
import type { IdPrefix } from '../../domain/ids.ts';
import type { Answer } from '../../http/openapi/description.ts';
import type { PortalErrorCode } from '../../protocol/portal/errors.ts';
import type { Action } from '../../protocol/portal/roles.ts';
import type { CommandHint } from './command.ts';
import type { CommandDeps, OperationDeps } from './deps.ts';
import type { Entered, Needs } from './needs.ts';
import type { Reply } from './reply.ts';
import type { Tag } from './tags.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Schema = v.GenericSchema | undefined;
type Fields<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

/** What a schema of an answer describes. */
export type Shown<S extends v.GenericSchema> = Frozen<v.InferOutput<S>>;
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
// biome-ignore lint/suspicious/noConfusingVoidType: what a function without an answer returns
type Given<A extends Schema> = A extends v.GenericSchema ? Shown<A> : void;

/** What the checks have found. */
type Checked<N extends Needs, B extends Schema, Q extends Schema> = Entered<N> & {
  readonly client: Client;
  readonly body: Fields<B>;
  readonly query: Fields<Q>;
  /** Parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
};

interface OfRequest {
  readonly client: Client;
  /** The cookie that binds a passkey's challenge to the browser. */
  readonly browser: string | undefined;
}

type Input<N extends Needs, B extends Schema, Q extends Schema, D> = Omit<Checked<N, B, Q>, 'client'> & {
  /** Of an operation that writes, with the entry for the audit log. */
  readonly deps: D;
  /** The id of what is created. */
  readonly newId: string;
} & (D extends OperationDeps ? OfRequest : object);

/** Counts the request. @throws Refusal rate_limited */
type Limit<C> = (deps: OperationDeps, checked: C) => void | Promise<void>;

/** What the audit log says about a request. */
interface Audit<Body, Query = never> {
  /** Like `key.create`. */
  readonly action: string;
  /**
   * When its entry is written. `change` (default): in the transaction that does it, also if there is nothing to change.
   * `answer`: when `run` is done, for what changes nothing here, such as exports. `look`: the same, but
   * equal ones are counted. `opened`: the same, once an hour. `domain`: the domain's functions write it.
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

/** Null: it leaves no entry, unless the request is refused for lack of rights. The default of what only reads. */
type Audited<P extends string, A> = P extends `GET ${string}`
  ? { readonly audit?: A | null }
  : { readonly audit: A | null };

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly text?: string;
  /** Error codes of this operation only. */
  readonly errors?: readonly PortalErrorCode[];
}

type Spec<
  P extends string,
  N extends Needs,
  B extends Schema,
  Q extends Schema,
  A extends Schema,
  D,
> = Described & {
  /** Method and path, below `/internal`. */
  readonly at: P;
  readonly needs: N;
  readonly body?: B;
  readonly query?: Q;
  /** Without a schema: 204. */
  readonly answer: Omit<Answer, 'schema'> & { readonly status?: 201; readonly schema?: A };
  /** Counted once all checks have passed. */
  readonly limits?: readonly Limit<Checked<N, B, Q>>[];
  readonly run: (input: Input<N, B, Q, D>) => Promise<Given<A> | Reply<Given<A>>>;
} & Audited<P, Audit<Fields<B>, Fields<Q>>> &
  Choice<N, Checked<N, B, Q>>;

type Erased<Output> = (checked: object) => Output;

/** One whose parts were checked against each other and whose types no longer matter. */
export interface Operation extends Described {
  readonly tag: Tag;
  readonly method: Method;
  readonly path: string;
  readonly needs: Needs;
  readonly choose?: Erased<readonly Action[]>;
  readonly body?: v.GenericSchema;
  readonly query?: v.GenericSchema;
  readonly answer: Omit<Answer, 'schema'> & { readonly status?: 201; readonly schema?: v.GenericSchema };
  readonly audit?:
    | (Omit<Audit<never>, 'target' | 'as'> & Partial<Record<'target' | 'as', Erased<string | null>>>)
    | null;
  readonly limits?: readonly ((deps: OperationDeps, checked: object) => void | Promise<void>)[];
  readonly commands: readonly CommandHint<never>[];
  readonly run: Erased<Promise<unknown>>;
}

interface Define {
  <
    const P extends `${Method} /${string}`,
    const N extends Needs,
    B extends Schema = undefined,
    Q extends Schema = undefined,
    A extends Schema = undefined,
  >(
    spec: Spec<P, N, B, Q, A, OperationDeps>,
  ): Operation;
  /** One that commands ask for too. It uses what a command has. */
  shared<
    const P extends `${Method} /${string}`,
    const N extends Needs,
    B extends Schema = undefined,
    Q extends Schema = undefined,
    A extends Schema = undefined,
  >(
    spec: Spec<P, N, B, Q, A, CommandDeps>,
  ): { asCommand(...commands: readonly CommandHint<Given<A>>[]): Operation };
}

/** @param tag their group in the description */
export function operations(tag: Tag): Define {
  const define = (spec: { readonly at: string }, commands: readonly CommandHint<never>[] = []) => {
    const [method, path] = spec.at.split(' ');
    return { ...spec, tag, method, path, commands };
  };
  const shared = (spec: { readonly at: string }) => ({
    asCommand: (...commands: readonly CommandHint<never>[]) => define(spec, commands),
  });
  return Object.assign(define, { shared }) as unknown as Define;
}

export const statusOf = ({ answer }: Pick<Operation, 'answer'>): number =>
  answer.status ?? (answer.schema ? 200 : 204);
