/** What a command is, and how it may fail. */
import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Config, Environment } from '../config.ts';
import type { Parts } from '../service/data.ts';
import type { Paint } from './paint.ts';
import type { Progress } from './progress.ts';

/** The command line is wrong: exit 2. The message names the option and the mend. */
export class WrongUsage extends Error {}

/** The command could not do what was asked: exit 1. */
export class CommandFailed extends Error {}

export interface Invocation {
  /** Read when asked for, so that `--help` works under a wrong setting. */
  readonly config: () => Config;
  readonly env: Environment;
  readonly parts: Parts;
  /** How the command is written, for refusals: `key list --app ID`. */
  readonly usage: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  /** Whether --json was given: whatever a command prints besides its result is then left out. */
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** One line on stderr, of something that was done and is unwise. */
  readonly warn: (message: string) => void;
  /** For what goes to stdout: colours on a terminal, none elsewhere and with --json. */
  readonly paint: Paint;
  /** Shows on stderr how far long work is; without a total, how much is done. */
  readonly progress: (label: string, total?: number) => Progress;
  /** Aborted when nobody reads stdout any more. */
  readonly unread: AbortSignal;
}

export interface Result {
  /** The whole of stdout with --json. */
  readonly json: object;
  readonly text: string;
  /** What was asked for was done, and found something wrong: exit 1. */
  readonly failed?: boolean;
}

/** An option as it is parsed (a `default` is given to the command), explained and completed. */
export interface Option extends ParseArgsOptionDescriptor {
  /** For --help: what it does, in a sentence. */
  readonly meaning: string;
  /** What stands for its value in --help: `N`. */
  readonly value?: string;
  /** All of its values; others are refused. */
  readonly values?: readonly string[];
  /** What completion offers for its value. */
  readonly completes?: 'file' | 'app';
}

export interface Command {
  /** As it is typed: `app update`. */
  readonly name: string;
  /** Its words and options, for --help: `ID [--name N]`. */
  readonly usage: string;
  readonly about: string;
  /**
   * Names of the words that must follow, in brackets (`[FILE]`) of those that may; the last may end in `…`
   * and then comes once or more. Completion goes by them: FILE for files, APP_ID for apps, `live|test` for these.
   */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** Without the program's name. test/cli/help.test.ts parses each. */
  readonly examples: readonly [string, ...string[]];
  /** Null: the command has printed all there is to say. */
  readonly run: (invocation: Invocation) => Promise<Result | null>;
}

/** The text of an option that must be there. */
export function required(invocation: Invocation, option: string): string {
  const value = invocation.options[option];
  if (typeof value !== 'string' || value === '')
    throw new WrongUsage(`--${option} is required; use: ${invocation.usage}`);
  return value;
}

/** The text of an option that must be one of some. */
export function requiredOneOf<const Values extends readonly string[]>(
  invocation: Invocation,
  option: string,
  values: Values,
): Values[number] {
  return oneOf(invocation, option, required(invocation, option), values);
}

/** The same of an option that need not be there. */
export function optionalOneOf<const Values extends readonly string[]>(
  invocation: Invocation,
  option: string,
  values: Values,
): Values[number] | null {
  const value = invocation.options[option];
  return value === undefined ? null : oneOf(invocation, option, String(value), values);
}

function oneOf<const Values extends readonly string[]>(
  { usage }: Pick<Invocation, 'usage'>,
  option: string,
  value: string,
  values: Values,
): Values[number] {
  if (!values.includes(value))
    throw new WrongUsage(`--${option} must be one of ${values.join(', ')}, not "${value}"; use: ${usage}`);
  return value;
}

/** A whole number from an option; null when it is not given. */
export function wholeNumber(
  { options, usage }: Invocation,
  option: string,
  least: number,
  most: number,
): number | null {
  const given = options[option];
  if (given === undefined) return null;
  const value = /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new WrongUsage(
      `--${option} must be a whole number from ${least} to ${most}, not "${given}"; use: ${usage}`,
    );
  return value;
}
