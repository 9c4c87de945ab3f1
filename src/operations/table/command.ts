/**
 * How the command line asks for an operation. Its command follows from the operation (src/cli/operations.ts): a word or
 * an option for each parameter of the path, an option for each field of body and query, the entry of the audit log,
 * help, completion and `--json`. A hint says what the operation does not.
 */
import type { Found } from './rights.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a command has found and read when it shows an answer. */
export interface Asked extends Found {
  readonly params: Readonly<Record<string, string>>;
  /** Body or query. */
  readonly fields: Fields;
}

/** A number is aligned to the right, true is `yes`, null is empty. What people wrote is never read as a time. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly text: string; readonly colour: 'yellow' }
  /** In ISO 8601; null: never. */
  | { readonly at: string | null };

/** The rows of an answer that is a list. */
type RowOf<Answer> = {
  [K in keyof Answer]: Answer[K] extends readonly (infer R)[] ? R : never;
}[keyof Answer];
/** Heading → field, or what stands there. A field that ends in `_at` is a time. */
type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>;

type ShownAs<Answer> =
  | { readonly columns: Columns<RowOf<Answer>>; readonly none: string | ((asked: Asked) => string) }
  | {
      readonly lines: (answer: Answer, asked: Asked) => Readonly<Record<string, Cell>>;
      readonly note?: string;
    }
  | ((answer: Answer, asked: Asked) => string);

interface OptionHint {
  /** How it is typed: `--origin` for `allowed_origins`. Default: the field's name. */
  readonly as?: string;
  /** What --help says. Default: the description of the field. */
  readonly meaning?: string;
  /** The placeholder of its value. Default: the first letter of its name, or the possible values. */
  readonly value?: string;
  /** What may be typed, and the field's value for each. Default: the possible values of the field. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Two options instead of one, for true and for false, each with its meaning. */
  readonly switches?: Readonly<Record<string, string>>;
  /** It is typed as a time in ISO 8601, or as an age. */
  readonly isTime?: true;
  /** Least and most: it is a whole number. */
  readonly range?: readonly [number, number];
  readonly default?: string;
}

export interface CommandHint<Answer> {
  /** As it is typed: `team create`. */
  readonly name: string;
  /** Default: the summary and text of the operation. */
  readonly about?: string;
  /** Without the program's name. */
  readonly examples: readonly [string, ...string[]];
  /**
   * The words that follow. `KEY_ID` is the parameter `key` of the path, and finds its app; `EMAIL` finds an operator.
   * Other parameters are options. `[EVENT_ID]` is the field `event_id` of the body.
   */
  readonly words?: readonly string[];
  /** By field or parameter. Null: it is not asked for. */
  readonly options?: Readonly<Record<string, OptionHint | null>>;
  /** Fields that no option gives, or may leave out. */
  readonly gives?: object | ((found: Found) => object);
  /** What is erased for good: then `--yes` is required. */
  readonly erases?: string;
  /** What the audit log calls it. Default: what it calls the operation. */
  readonly action?: string;
  readonly warn?: (fields: Fields) => readonly string[];
  /** The document of `--json`. Default: the answer. */
  readonly json?: (answer: Answer, asked: Asked) => object;
  readonly text: ShownAs<Answer>;
  /** What the answer says has gone wrong: exit 1. */
  readonly failed?: (answer: Answer) => boolean;
}
