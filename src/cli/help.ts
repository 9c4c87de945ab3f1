/** The texts of --help. */

import { SETTINGS } from '../config.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { table } from './table.ts';

export function helpForAll(commands: readonly Command[] = COMMANDS): string {
  const rows = commands.map(command => [`  ${command.name} ${command.usage}`.trimEnd(), command.about]);
  return [
    'face-sign-in: face sign-in as a service',
    '',
    ...rows.map(([usage, about]) => `${usage}\n      ${about}`),
    '',
    table([
      ['  --json', 'print one JSON document and nothing else'],
      ['  --help', 'explain a command'],
      ['  --version', 'print the version, the commit, the engines and the level of SIMD'],
      ['  --licences', 'print the licences of all that the program is made of'],
    ]),
    '',
    'Settings come from the environment: "help settings" lists them.',
  ].join('\n');
}

export function helpForSettings(): string {
  const bare = (markdown: string) => markdown.replaceAll('`', '');
  const rows = Object.entries(SETTINGS).map(
    ([name, { default: value, meaning }]) => `  ${name}  (${bare(value)})\n      ${bare(meaning)}`,
  );
  return ['Settings, read from the environment at the start, with their defaults:', '', ...rows].join('\n');
}

export function helpFor(command: Command): string {
  const line = `face-sign-in ${command.name} ${command.usage}`.trimEnd();
  return `${line}\n\n${command.about}`;
}
