/** What a command is, and how it may fail. */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config, Environment } from '../config.ts';
import type { Parts } from '../service.ts';

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
}

export interface Result {
  /** The whole of stdout with --json. */
  readonly json: object;
  readonly text: string;
  /** What was asked for was done, and found something wrong: exit 1. */
  readonly failed?: boolean;
}

export interface Command {
  /** As it is typed: `app update`. */
  readonly name: string;
  /** Its words and options, for --help: `ID [--name N]`. */
  readonly usage: string;
  readonly about: string;
  /** Names of the words that must follow. */
  readonly words: readonly string[];
  readonly options: ParseArgsOptionsConfig;
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
  const value = required(invocation, option);
  if (!values.includes(value))
    throw new WrongUsage(
      `--${option} must be one of ${values.join(', ')}, not "${value}"; use: ${invocation.usage}`,
    );
  return value;
}
