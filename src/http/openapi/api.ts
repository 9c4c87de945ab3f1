/**
 * What a description needs to know about an API as a whole, and about each of its operations. Two tables of routes are
 * described with it: the public API and the portal's internal API.
 */
import type * as v from 'valibot';
import type { Description } from './description.ts';

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
