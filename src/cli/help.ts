/** The output of --help, for people and programs. Held by test/cli/help.test.ts. */
import { SETTINGS } from '../config.ts';
import { shownDefault } from '../settings/setting.ts';
import { CLI } from '../typed.ts';
import { argumentsOf, COMMON, type Command, type Option, type Result, typed, usageOf } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { type Paint, plain } from './paint.ts';
import { widthOf, wrap } from './text.ts';

const WIDTH = 80;
const PROGRAM = 'face-sign-in';
/** Column where the meanings of options begin, unless an option is longer. */
const MEANING_AT = 28;

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ['--json', 'print one JSON document and nothing else'],
  ['--help', 'show the help of a command'],
  ['--version', 'print the versions of the program and its engines'],
  ['--licences', 'print the licences of everything in the program'],
];

/** Lists all commands, or one group: `app --help`. */
export function helpForAll(some: readonly Command[] = COMMANDS, paint: Paint = plain): Result {
  const groups = GROUPS.map(({ title, commands }) => ({
    title,
    commands: commands.filter(command => some.includes(command)),
  })).filter(({ commands }) => commands.length > 0);
  const lines = [`${PROGRAM}: self-hosted face sign-in`];
  for (const { title, commands } of groups) {
    lines.push('', paint('bold', title));
    for (const command of commands)
      lines.push(`  ${wrap(usageOf(command), WIDTH - 4, '    ')}`, indented(firstSentence(command.about), 6));
  }
  lines.push('', paint('bold', 'Options of every command'));
  lines.push(...EVERYWHERE.map(([name, meaning]) => `  ${name.padEnd(11)}${meaning}`));
  lines.push(
    '',
    wrap(`"${CLI} COMMAND --help" shows options and examples.`, WIDTH),
    wrap('Settings are environment variables: "help settings" lists them.', WIDTH),
  );
  return { json: { commands: some.map(documentOf) }, text: lines.join('\n') };
}

export function helpFor(command: Command, paint: Paint = plain): Result {
  const text = [
    wrap(`${PROGRAM} ${usageOf(command)}`, WIDTH - 4, '    '),
    '',
    wrap(command.about, WIDTH),
    '',
    paint('bold', 'Options'),
    ...optionsOf(command).map(([name, option]) => optionLines(name, option)),
    '',
    paint('bold', 'Examples'),
    ...command.examples.map(example => `  ${CLI} ${example}`),
  ].join('\n');
  return { json: { command: documentOf(command) }, text };
}

export function helpForSettings(paint: Paint = plain): Result {
  const bare = (markdown: string) => markdown.replaceAll('`', '');
  const settings = Object.entries(SETTINGS).map(([name, setting]) => ({
    name,
    default: bare(shownDefault(setting)),
    accepts: bare(setting.read.accepts ?? ''),
    meaning: bare(setting.meaning),
  }));
  const rows = settings.map(
    ({ name, default: value, accepts, meaning }) =>
      `  ${paint('bold', name)}  (${value}${accepts && `; ${accepts}`})\n${indented(meaning, 6)}`,
  );
  const head =
    'Settings are environment variables, read at the start. In brackets: the default,\nand the accepted values.';
  return { json: { settings }, text: [head, '', ...rows].join('\n') };
}

function optionsOf(command: Command): [string, Option][] {
  return Object.entries({ ...command.options, ...COMMON });
}

function firstSentence(about: string): string {
  return /^.*?\.(?= |$)/.exec(about)?.[0] ?? about;
}

function indented(text: string, by: number): string {
  const space = ' '.repeat(by);
  return `${space}${wrap(text, WIDTH - by, space)}`;
}

function optionLines(name: string, option: Option): string {
  const { short, meaning, multiple, default: otherwise } = option;
  const notes = [multiple && 'may be repeated', otherwise !== undefined && `default: ${otherwise}`];
  const note = notes.filter(Boolean).join('; ');
  const head = `  ${short ? `-${short}, ` : ''}${typed(name, option)}`;
  const said = note ? `${meaning} (${note})` : meaning;
  const space = ' '.repeat(MEANING_AT);
  const body = wrap(said, WIDTH - MEANING_AT, space);
  return widthOf(head) + 2 > MEANING_AT ? `${head}\n${space}${body}` : `${head.padEnd(MEANING_AT)}${body}`;
}

function documentOf(command: Command): object {
  const options = optionsOf(command).map(([name, option]) => ({
    name,
    type: option.type,
    values: option.values ?? null,
    default: option.default ?? null,
    repeatable: option.multiple === true,
    meaning: option.meaning,
  }));
  const { name, about, words = [], examples } = command;
  return { name, usage: argumentsOf(command), about, words, options, examples };
}
