/** The types of the report on what is wrong with a page: report.ts looks, faults.ts has the sentences. */
import type { FaceSignInError } from '../errors.ts';
import type { OwnStrings, Strings } from './strings.ts';

/** A line for the console. */
export type Line = readonly ['error' | 'warn', string];

/** The component, as its page set it up. */
export interface Page {
  readonly element: HTMLElement;
  own(): OwnStrings | undefined;
  /** Whether it can find faces: by an encoder, or by a client that the page sets. */
  hasEncoder(): boolean;
  /** @throws TypeError if an attribute or property stops signing in */
  check(): void;
}

export interface Found {
  readonly page: Page;
  /** Attributes with these values, and the others. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly others: readonly string[];
  /** All texts that a page may replace. */
  readonly texts: Strings;
  /** What the page's own check throws. */
  readonly fault: unknown;
  /** What a person has just met. */
  readonly error: FaceSignInError | undefined;
}
