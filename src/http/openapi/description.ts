/**
 * What a route says of itself beyond its parts: its name, its words, its answers, and the failures that are its own. What
 * follows from its guard, limits and schemas is added by document.ts.
 */
import type * as v from 'valibot';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { SCHEMES } from './security.ts';

export interface Answer {
  readonly text: string;
  /** Null: the answer has no body. */
  readonly schema: v.GenericSchema | null;
  /** Headers beside those of every answer. */
  readonly headers?: readonly string[];
}

export interface Description {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly text?: string;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Error codes of this route alone. */
  readonly errors?: readonly ErrorCode[];
}

/** A kind of credential. */
export type Scheme = keyof typeof SCHEMES;

export const TAGS = {
  'Sign-in': 'From the pages of an app, with its publishable key.',
  Account: 'For one user, with the token of that user.',
  Users: 'From the server of an app, with its secret key: the users of the app, in the mode of the key.',
  App: 'From the server of an app, with its secret key: its tokens, its numbers, itself.',
  Service: 'For anybody: how the service is, what it offers, and the keys that verify its tokens.',
} as const;
