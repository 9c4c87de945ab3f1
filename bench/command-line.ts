/** Reads the command line of `npm run bench`, and writes its help. Held by test/bench/command-line.test.ts. */
import { parseArgs } from 'node:util';
import { COMMON, DEFAULT_TRIAL, NAMES, type Options, TRIALS, type TrialName, type Values } from './trials.ts';
import { refuseUnknown, WrongUsage } from './wrong-usage.ts';

/** @returns null when help is wanted. @throws WrongUsage */
export function commandLine(args: readonly string[]): { trial: TrialName; values: Values } | null {
  const isNamed = args[0]?.startsWith('-') === false;
  const name = isNamed ? (args[0] as string) : DEFAULT_TRIAL;
  refuseUnknown('trial', [name], NAMES);
  const trial = name as TrialName;
  const values = parsed(args.slice(isNamed ? 1 : 0), { ...COMMON, ...TRIALS[trial].options });
  if (values.help) return null;
  const empty = Object.entries(values).find(([, value]) => [value].flat().includes(''));
  if (empty) throw new WrongUsage(`--${empty[0]} needs a value`);
  return { trial, values };
}

function parsed(args: readonly string[], known: Options): Values {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, multiple = false }]) => [
      name,
      { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new WrongUsage((error as Error).message.split('. ')[0] ?? '');
  }
}

export function help(): string {
  const column = (left: string, right: string) => `  ${left.padEnd(22)}${right}`;
  const lines = (title: string, options: Options) => [
    ...['', title],
    ...Object.entries(options).map(([name, { value, meaning }]) =>
      column(value === undefined ? `--${name}` : `--${name} ${value}`, meaning),
    ),
  ];
  return [
    'npm run bench -- [TRIAL] [OPTIONS]',
    ...['', 'Trials:'],
    ...NAMES.map(name => column(name, TRIALS[name].about)),
    ...lines('Options of every trial:', COMMON),
    ...NAMES.flatMap(name => {
      const { options } = TRIALS[name];
      return Object.keys(options).length > 0 ? lines(`Options of ${name}:`, options) : [];
    }),
    ...['', 'Your own engine or vectors, and what the figures mean: bench/README.md'],
  ].join('\n');
}
