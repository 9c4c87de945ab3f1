/** What can be completed at each place of a command line, computed from the table of commands, for all shells. */
import type { Command, Option } from '../command.ts';
import { COMMON } from '../common.ts';

/** `text`: any text, so nothing is offered. Otherwise files, app ids, or a list of words. */
export type Kind = 'text' | 'file' | 'app' | readonly string[];

export interface Offer {
  /** The words before it: empty, `app`, `app create`. */
  readonly path: string;
  /** What can follow as the first word, the second, … */
  readonly words: readonly Kind[];
  /** Options as typed. A kind of null: the option takes no value. */
  readonly options: readonly { readonly name: string; readonly kind: Kind | null }[];
}

export function offersOf(commands: readonly Command[]): Offer[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] as string))];
  const common = optionsOf(COMMON);
  const version = { name: '--version', kind: null };
  return [
    { path: '', words: [[...firsts, 'help']], options: [...common, version] },
    ...groupsOf(commands).map(path => ({ path, words: [nextWords(commands, path)], options: common })),
    ...commands.map(({ name, words = [], options }) => ({
      path: name,
      words: words.map(kindOfWord),
      options: optionsOf({ ...options, ...COMMON }),
    })),
  ];
}

/** Words that are no command without another word: `app`, `app encoder`. */
export function groupsOf(commands: readonly Command[]): string[] {
  const groups = commands.flatMap(({ name }) => {
    const words = name.split(' ');
    return words.slice(1).map((_, i) => words.slice(0, i + 1).join(' '));
  });
  return [...new Set(groups)];
}

function nextWords(commands: readonly Command[], path: string): string[] {
  const following = commands
    .filter(({ name }) => name.startsWith(`${path} `))
    .map(({ name }) => name.slice(path.length + 1).split(' ')[0] as string);
  return [...new Set(following)];
}

function kindOfWord(word: string): Kind {
  const bare = word.replace(/[[\]]/g, '');
  if (bare === 'FILE' || bare === 'DIR') return 'file';
  if (bare === 'APP_ID') return 'app';
  return bare.includes('|') ? bare.split('|') : 'text';
}

function optionsOf(options: Readonly<Record<string, Option>>): Offer['options'] {
  return Object.entries(options).map(([name, option]) => ({
    name: `--${name}`,
    kind: option.type === 'boolean' ? null : (option.values ?? option.completes ?? 'text'),
  }));
}
