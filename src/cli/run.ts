/**
 * The command line: finds the command, reads its words, prints its result. With --json stdout is one JSON document and
 * nothing else. Exit codes: 0 done, 1 failed, 2 wrong usage or setting; an error is one line on stderr.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Environment, loadConfig } from '../config.ts';
import { WrongInput } from '../domain/wrong-input.ts';
import { StoreMisfit } from '../ports/store.ts';
import type { Parts } from '../service.ts';
import { SettingFault } from '../settings/values.ts';
import { type Command, WrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpFor, helpForAll, helpForSettings } from './help.ts';
import { allLicences, version } from './version.ts';

const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsOptionsConfig;

export interface Terminal {
  readonly env: Environment;
  /** Parts of the service that tests replace. */
  readonly parts?: Parts;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** @returns the exit code */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    terminal.printError(`face-sign-in: ${oneLine(error)}`);
    const isUsage = [WrongUsage, WrongInput, SettingFault, StoreMisfit].some(kind => error instanceof kind);
    return isUsage ? 2 : 1;
  }
}

/** @returns the exit code */
async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = argv;
  // An option may stand before the command as well as behind it.
  if (first === '--json') return dispatch([...argv.slice(1), first], terminal);
  const show = (text: string) => {
    terminal.print(text);
    return 0;
  };
  if (first === '--version' || first === '--licences') {
    const { json, text } = first === '--version' ? version() : allLicences();
    return show(argv.includes('--json') ? JSON.stringify(json, null, 2) : text);
  }
  if (first === 'help' && argv[1] === 'settings') return show(helpForSettings());
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return show(helpForAll());
  const group = groupOf(first);
  if (group.length > 0 && (argv[1] === '--help' || argv[1] === '-h')) {
    return show(helpForAll(group));
  }
  const command = findCommand(argv);
  const { values, positionals } = parse(command, argv.slice(command.name.split(' ').length));
  if (values.help) return show(helpFor(command));
  if (positionals.length !== command.words.length) throw new WrongUsage(`use: ${usageOf(command)}`);
  const { json, ...options } = values;
  const result = await command.run({
    config: () => loadConfig(terminal.env),
    env: terminal.env,
    parts: terminal.parts ?? {},
    usage: usageOf(command),
    words: positionals,
    options,
    json: json === true,
    print: terminal.print,
    printError: terminal.printError,
  });
  if (result) terminal.print(json ? JSON.stringify(result.json, null, 2) : result.text);
  return result?.failed ? 1 : 0;
}

/** The commands that begin with the word: those of `app`, of `key`, … */
function groupOf(word: string): Command[] {
  return COMMANDS.filter(command => command.name.startsWith(`${word} `));
}

function findCommand(argv: readonly string[]): Command {
  const found = COMMANDS.find(command => command.name.split(' ').every((word, i) => argv[i] === word));
  if (found) return found;
  const group = groupOf(argv[0] ?? '');
  const choices = (group.length > 0 ? group : COMMANDS).map(command => command.name).join(', ');
  throw new WrongUsage(
    `there is no command "${argv.slice(0, group.length > 0 ? 2 : 1).join(' ')}": use one of ${choices}`,
  );
}

const usageOf = ({ name, usage }: Command) => `${name} ${usage}`.trim();

function parse(command: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...command.options, ...COMMON },
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
  } catch (error) {
    throw new WrongUsage(`${(error as Error).message.split('. ')[0]}; use: ${usageOf(command)}`);
  }
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
}
