/**
 * What a description needs to know about an API as a whole, about each of its operations, and what a route adds: id,
 * texts, answers, and its own error codes. Everything that follows from its guard, limits and schemas is derived in
 * document.ts. Two tables of routes are described with it: the public API and the portal's internal API.
 */
import type * as v from 'valibot';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { SCHEMES } from './security.ts';

export interface Answer {
  readonly text: string;
  /** Null if the answer has no body. */
  readonly schema: v.GenericSchema | null;
  /** Media type of a body that is not JSON. */
  readonly type?: string;
  /** Headers in addition to those of every answer. */
  readonly headers?: readonly string[];
}

export interface Description<Tag extends string = keyof typeof TAGS, Code extends string = ErrorCode> {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly text?: string;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Error codes of this route only. */
  readonly errors?: readonly Code[];
}

/** A kind of credential. */
export type Scheme = keyof typeof SCHEMES;

export const TAGS = {
  'Sign-in': 'Called by your pages, with a publishable key.',
  Account: 'Called for one user, with that user’s token.',
  Users: 'Called by your server, with a secret key: the users of the app, in the mode of the key.',
  App: 'Called by your server, with a secret key: tokens, usage, and the app itself.',
  Feeds:
    'Called by your server, with a secret key: what happened to the users of the app, and revoked tokens.',
  Service: 'Open to anyone: health, this description, and the public keys that verify tokens.',
} as const;

export interface Api {
  readonly title: string;
  /** The table of error codes follows it. */
  readonly introduction: string;
  /** Groups of operations. */
  readonly tags: Readonly<Record<string, string>>;
  /** Kinds of credentials. */
  readonly schemes: Readonly<Record<string, object>>;
  /** Error codes with their status, in the order of the table. */
  readonly status: Readonly<Record<string, number>>;
  readonly meaning: Readonly<Record<string, string>>;
  /** Codes that any request may get. */
  readonly always: readonly string[];
  /** Schemas of answers, by name. */
  readonly answers: Readonly<Record<string, v.GenericSchema>>;
  /** Parameters of paths, by name. */
  readonly parameters: Readonly<Record<string, object>>;
  /** When the cookie of an answer is set. */
  readonly cookie: string;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly schema: {
    readonly body?: v.GenericSchema | undefined;
    readonly query?: v.GenericSchema | undefined;
  };
  readonly describe: Description<string, string>;
  /** Names of schemes; each entry is enough, and needs all of its schemes. */
  readonly security: readonly (readonly string[])[];
  /** Codes of the pipeline's checks. Those of the route alone are in `describe`. */
  readonly errors: readonly string[];
}
