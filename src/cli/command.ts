/** What a command is, and how it can fail. */
import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Config, Environment } from '../config.ts';
import { grouped } from '../protocol/amounts.ts';
import { MODES } from '../protocol/mode.ts';
import type { Parts } from '../service/data.ts';
import type { Paint } from './paint.ts';
import type { Progress } from './progress.ts';

/** The command line is wrong: exit 2. The message names the option and the fix. */
export class WrongUsage extends Error {}

/** The command could not do what was asked: exit 1. */
export class CommandFailed extends Error {}

export interface Invocation {
  /** A function, so that `--help` works even if a setting is wrong. */
  readonly config: () => Config;
  readonly env: Environment;
  readonly parts: Parts;
  /** The command's syntax, for error messages: `key list --app ID`. */
  readonly usage: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  /** Whether --json was given. Then a command prints its result and nothing else. */
  readonly json: boolean;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Prints one line on stderr about something that was done but is unwise. */
  readonly warn: (message: string) => void;
  /** Colours for stdout: on a terminal only, and never with --json. */
  readonly paint: Paint;
  /** Shows progress on stderr: a share of the total, or a plain count without one. */
  readonly progress: (label: string, total?: number) => Progress;
  /** Aborted when the reader of stdout has gone. */
  readonly unread: AbortSignal;
}

export interface Result {
  /** The whole of stdout with --json. */
  readonly json: object;
  readonly text: string;
  /** The command ran, and found something wrong: exit 1. */
  readonly failed?: boolean;
}

/** An option: how it is parsed, explained in --help and completed. A `default` is passed to the command. */
export interface Option extends ParseArgsOptionDescriptor {
  /** For --help: what it does, in a sentence. */
  readonly meaning: string;
  /** Placeholder for its value in --help: `N`. */
  readonly value?: string;
  /** All allowed values. */
  readonly values?: readonly string[];
  /** What completion offers for its value. */
  readonly completes?: 'file' | 'app';
  /** For the syntax. The command checks it. */
  readonly isRequired?: true;
}

/** Options of every command. */
export const COMMON = {
  json: { type: 'boolean', meaning: 'Print one JSON document and nothing else.' },
  help: { type: 'boolean', short: 'h', meaning: 'Show this help.' },
} as const satisfies Record<string, Option>;

export const APP_OPTION = {
  type: 'string',
  value: 'ID',
  completes: 'app',
  meaning: 'Id of the app; "app list" shows the ids.',
} as const;

export const MODE_OPTION = { type: 'string', values: MODES, meaning: 'Only this mode.' } as const;

export interface Command {
  /** As it is typed: `app update`. */
  readonly name: string;
  /** Its words and options, for --help: `ID [--name N]`. Default: each of them. */
  readonly usage?: string;
  readonly about: string;
  /**
   * Names of the words that follow. `[FILE]` is optional; a last word that ends in `…` may be repeated. Completion uses
   * the names too: FILE and DIR offer files, APP_ID offers apps, `live|test` offers these two words.
   */
  readonly words?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Without the program's name. test/cli/help.test.ts parses each. */
  readonly examples: readonly [string, ...string[]];
  /** Null: the command has printed its output itself. */
  readonly run: (invocation: Invocation) => Promise<Result | null>;
}

/** The syntax of a command. */
export const usageOf = (command: Command) => `${command.name} ${argumentsOf(command)}`.trim();

/** Its words and options, without its name. */
export function argumentsOf({ words = [], options = {}, usage }: Command): string {
  const given = Object.entries(options).map(([option, one]) => {
    const how = typed(option, one);
    return `${one.isRequired ? how : `[${how}]`}${one.multiple ? '…' : ''}`;
  });
  return usage ?? [...words, ...given].join(' ');
}

/** How an option is typed: `--origin O`. */
export function typed(name: string, { type, value, values }: Option): string {
  if (type === 'boolean') return `--${name}`;
  return `--${name} ${value ?? values?.join('|') ?? name.toUpperCase()}`;
}

export function required(invocation: Invocation, option: string): string {
  const value = invocation.options[option];
  if (typeof value !== 'string' || value === '')
    throw new WrongUsage(`--${option} is required; use: ${invocation.usage}`);
  return value;
}

/** Null when the option is not given. */
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
      `--${option} must be a whole number from ${grouped(least)} to ${grouped(most)}, not "${given}"; use: ${usage}`,
    );
  return value;
}
