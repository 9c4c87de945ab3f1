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
  /** Headers in addition to those of every answer. */
  readonly headers?: readonly string[];
}

export interface Description {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly text?: string;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Error codes of this route only. */
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
