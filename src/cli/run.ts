/**
 * The command line: finds the command, parses its options, prints its result. With --json stdout is one JSON document.
 * Exit codes: 0 success, 1 failure, 2 wrong usage or setting. An error is one line on stderr, with --json one JSON
 * document (error-lines.ts).
 */
import { type Environment, loadConfig } from '../config.ts';
import { PortalRefusal } from '../domain/access/refusal.ts';
import { OperatingFault } from '../domain/operating/fault.ts';
import type { Parts } from '../service/data.ts';
import { type Command, type Result, usageOf } from './command.ts';
import { COMPLETE } from './commands/completion.ts';
import { candidatesFor } from './completion.ts';
import { errorLine, exitOf, warningLine } from './error-lines.ts';
import { helpFor, helpForAll, helpForSettings } from './help.ts';
import { spelled, spelledRefusal } from './operating-fault.ts';
import { paintFor } from './paint.ts';
import { findCommand, groupDepth, groupOf, type Parsed, parse } from './parse.ts';
import { progressOn } from './progress.ts';

interface Terminal {
  readonly env: Environment;
  /** Parts of the service that tests replace. */
  readonly parts?: Parts;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Without these streams there are no colours and no progress. */
  readonly stdout?: NodeJS.WriteStream;
  readonly stderr?: NodeJS.WriteStream;
  /** Aborted when the reader of stdout has gone. */
  readonly unread?: AbortSignal;
}

const HELP = ['--help', '-h'];

/** @returns the exit code */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    terminal.printError(errorLine(error, argv.includes('--json')));
    return exitOf(error).exitCode;
  }
}

/** @returns the exit code */
async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first, second] = argv;
  // --json may come before the command, too.
  if (first === '--json' && argv.length > 1) return dispatch([...argv.slice(1), first], terminal);
  const json = argv.includes('--json');
  const paint = paintFor(json ? undefined : terminal.stdout);
  const show = (result: Result) => {
    terminal.print(json ? JSON.stringify(result.json, null, 2) : result.text);
    return result.failed ? 1 : 0;
  };
  if (first === COMPLETE) {
    for (const line of await candidatesFor(argv.slice(1), terminal)) terminal.print(line);
    return 0;
  }
  if (first === '--version') return show((await import('./version.ts')).version());
  if (first === '--licences') return show((await import('./version.ts')).allLicences());
  if (first === 'help' && second === 'settings') return show(helpForSettings(paint));
  // `help app create` means `app create --help`.
  if (first === 'help' && second !== undefined && !second.startsWith('-'))
    return dispatch([...argv.slice(1), '--help'], terminal);
  if (first === undefined || first === '--json' || first === 'help' || HELP.includes(first))
    return show(helpForAll(undefined, paint));
  const depth = groupDepth(argv);
  if (depth > 0 && HELP.includes(argv[depth] ?? ''))
    return show(helpForAll(groupOf(...argv.slice(0, depth)), paint));
  const command = findCommand(argv);
  const parsed = parse(command, argv.slice(command.name.split(' ').length));
  if (parsed.help) return show(helpFor(command, paint));
  const result = await carryOut(command, parsed, terminal);
  return result ? show(result) : 0;
}

async function carryOut(
  command: Command,
  { words, options, json }: Parsed,
  terminal: Terminal,
): Promise<Result | null> {
  const progress = progressOn(json ? null : (terminal.stderr ?? null));
  try {
    return await command.run({
      config: () => loadConfig(terminal.env),
      env: terminal.env,
      parts: terminal.parts ?? {},
      usage: usageOf(command),
      words,
      options,
      json,
      print: terminal.print,
      printError: terminal.printError,
      warn: message => terminal.printError(warningLine(message, json)),
      paint: paintFor(json ? undefined : terminal.stdout),
      progress: progress.begin,
      unread: terminal.unread ?? new AbortController().signal,
    });
  } catch (error) {
    if (error instanceof PortalRefusal) throw spelledRefusal(error);
    throw error instanceof OperatingFault ? spelled(error, { words, options }) : error;
  } finally {
    progress.endAll();
  }
}
