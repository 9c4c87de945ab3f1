/** Parses a command line into a command with its words and options. Held by test/cli/refusals.test.ts. */
import { parseArgs } from 'node:util';
import { nearest } from '../settings/misspelt.ts';
import { COMMON, type Command, type Option, usageOf, WrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';

/** The commands that begin with these words, such as `app` or `app encoder`. */
export function groupOf(...words: readonly string[]): Command[] {
  return COMMANDS.filter(command => command.name.startsWith(`${words.join(' ')} `));
}

/** How many words at the beginning name a group of commands. */
export function groupDepth(argv: readonly string[]): number {
  let depth = 0;
  while (depth < argv.length && groupOf(...argv.slice(0, depth + 1)).length > 0) depth += 1;
  return depth;
}

/** @throws WrongUsage */
export function findCommand(argv: readonly string[]): Command {
  const found = COMMANDS.find(command => command.name.split(' ').every((word, i) => argv[i] === word));
  if (found) return found;
  const depth = groupDepth(argv);
  const choices = (depth > 0 ? groupOf(...argv.slice(0, depth)) : COMMANDS).map(command => command.name);
  const typed = argv.slice(0, depth + 1).join(' ');
  // Any of the words may be the mistyped one.
  const near =
    nearest(typed, choices) ??
    nearest(argv.slice(0, 2).join(' '), choices) ??
    nearest(argv.slice(0, 3).join(' '), choices) ??
    (depth > 0 ? null : nearGroup(typed));
  const hint = near ? `: did you mean "${near}"?` : '';
  const group = argv.slice(0, depth).join(' ');
  const list = depth > 0 ? `("help ${group}" lists those of "${group}")` : '("help" lists all commands)';
  throw new WrongUsage(`there is no command "${typed}"${hint} ${list}`);
}

/** `apps` is close to no command, but close to the group `app`. */
function nearGroup(typed: string): string | null {
  return nearest(typed, [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] as string))]);
}

export interface Parsed {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** @param args what follows the command's name. @throws WrongUsage */
export function parse(command: Command, args: readonly string[]): Parsed {
  const { values, positionals } = parsed(command, args);
  const { json, help, ...options } = values;
  if (help !== true) checkValues(command, options);
  const { words = [] } = command;
  const least = words.filter(word => !word.startsWith('[')).length;
  const most = words.at(-1)?.endsWith('…') ? Number.POSITIVE_INFINITY : words.length;
  if (help !== true && (positionals.length < least || positionals.length > most))
    throw new WrongUsage(`use: ${usageOf(command)}`);
  return { words: positionals, json: json === true, help: help === true, options };
}

function parsed(command: Command, args: readonly string[]) {
  const options: Readonly<Record<string, Option>> = { ...command.options, ...COMMON };
  try {
    return parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
  } catch (error) {
    const message = (error as Error).message.split('. ')[0] ?? '';
    throw new WrongUsage(`${message}${nearOption(message, Object.keys(options))} ${usageOf(command)}`);
  }
}

/** The end of the message, before the usage. */
function nearOption(message: string, known: readonly string[]): string {
  const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
  const near = unknown === undefined ? null : nearest(unknown, known);
  return near ? `: did you mean --${near}? Use:` : '; use:';
}

function checkValues(command: Command, options: Parsed['options']): void {
  for (const [name, { values }] of Object.entries(command.options ?? {})) {
    const given = [options[name] ?? []].flat();
    const wrong = given.find(one => values && !values.includes(String(one)));
    if (values && wrong !== undefined)
      throw new WrongUsage(
        `--${name} must be one of ${values.join(', ')}, not "${wrong}"; use: ${usageOf(command)}`,
      );
  }
}
