/** Reads the command line of `npm run bench`, and writes its help. Held by test/bench/command-line.test.ts. */
import { parseArgs } from 'node:util';
import { COMMON, DEFAULT_TRIAL, NAMES, type Options, TRIALS, type Trial, type TrialName } from './trials.ts';
import { didYouMean, refuseUnknown, WrongUsage } from './wrong-usage.ts';

export interface CommandLine {
  readonly trial: TrialName;
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

const ALL: Options = Object.assign({}, COMMON, ...NAMES.map(name => TRIALS[name].options));

/** @returns null when help is wanted. @throws WrongUsage */
export function commandLine(args: readonly string[]): CommandLine | null {
  const { positionals, values } = parsed(args);
  if (values.help) return null;
  const [name = DEFAULT_TRIAL, ...more] = positionals;
  refuseUnknown('trial', [name], NAMES);
  if (more.length > 0) throw new WrongUsage(`one trial at a time: "${more[0]}" is one too many`);
  const trial = name as TrialName;
  const own: Options = TRIALS[trial].options;
  const foreign = Object.keys(values).find(option => !(option in own) && !(option in COMMON));
  if (foreign) {
    const owner = NAMES.find(other => foreign in TRIALS[other].options);
    throw new WrongUsage(`${trial} does not take --${foreign}, which is an option of ${owner}`);
  }
  const empty = Object.entries(values).find(([, value]) => [value].flat().includes(''));
  if (empty) throw new WrongUsage(`--${empty[0]} needs a value: --${empty[0]} ${ALL[empty[0]]?.value}`);
  return { trial, values };
}

function parsed(args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(ALL).map(([name, { type, multiple = false }]) => [
      name,
      { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options }) as {
      positionals: string[];
      values: Record<string, string | boolean | string[]>;
    };
  } catch (error) {
    const message = (error as Error).message.split('. ')[0] ?? '';
    const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
    if (unknown === undefined) throw new WrongUsage(message);
    throw new WrongUsage(`there is no option --${unknown}${didYouMean(unknown, Object.keys(ALL), '--')}`);
  }
}

export function help(): string {
  const column = (left: string, right: string) => `  ${left.padEnd(22)}${right}`;
  const optionLines = (options: Options) =>
    Object.entries(options).map(([name, { value, meaning }]) =>
      column(value === undefined ? `--${name}` : `--${name} ${value}`, meaning),
    );
  const trials: [string, Trial][] = Object.entries(TRIALS);
  return [
    'npm run bench -- [TRIAL] [OPTIONS]',
    '',
    'Trials:',
    ...trials.map(([name, { about }]) => column(name, about)),
    '',
    'Options of every trial:',
    ...optionLines(COMMON),
    ...trials
      .filter(([, { options }]) => Object.keys(options).length > 0)
      .flatMap(([name, { options }]) => ['', `Options of ${name}:`, ...optionLines(options)]),
    '',
    'Your own engine or vectors, and what the figures mean: bench/README.md',
  ].join('\n');
}
