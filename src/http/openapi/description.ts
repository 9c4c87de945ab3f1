/**
 * What a route adds to its OpenAPI description: id, texts, answers, and its own error codes. Everything that follows
 * from its guard, limits and schemas is derived in document.ts.
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
  Service: 'Open to anyone: health, this description, and the public keys that verify tokens.',
} as const;
