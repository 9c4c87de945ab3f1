/**
 * What can follow on a command line: completion scripts ask for it while a command is typed, so they fit every version.
 * It creates nothing and prints no errors. Held by test/cli/completion.test.ts.
 */
import { type Environment, loadConfig } from '../config.ts';
import { listApps } from '../domain/operating/apps.ts';
import type { Parts } from '../service/data.ts';
import { isMissing } from '../settings/database.ts';
import { COMMON, type Option } from './command.ts';
import { FILES } from './commands/completion.ts';
import { COMMANDS } from './commands.ts';
import { groupOf } from './parse.ts';

/** `text`: any text, so nothing is offered. Otherwise files, app ids, or a list of words. */
type Kind = 'text' | 'file' | 'app' | readonly string[];

interface Place {
  readonly env: Environment;
  readonly parts?: Parts;
}

/** @param typed what follows the program's name; the last word, which may be empty, is not complete yet */
export async function candidatesFor(typed: readonly string[], place: Place): Promise<string[]> {
  // zsh leaves --mode=li as it is, bash makes three words of it.
  const words = typed.flatMap(word => /^(--[^=]+)=(.*)$/.exec(word)?.slice(1) ?? word);
  const last = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const before = (words.at(-1) === '=' ? words : words.slice(0, -1)).filter(word => word !== '=');
  const kind = kindAfter(before, last);
  if (kind === 'file') return [FILES];
  const all = kind === 'app' ? await appIds(place) : kind === 'text' ? [] : kind;
  return all.filter(one => one.startsWith(last));
}

function kindAfter(before: readonly string[], last: string): Kind {
  const said: string[] = [];
  let option: Option | undefined;
  for (const word of before) {
    if (option) option = undefined;
    else if (!word.startsWith('-')) said.push(word);
    else {
      const found = optionsOf(said)[word.slice(2)];
      option = found?.type === 'boolean' ? undefined : found;
    }
  }
  if (option) return option.values ?? option.completes ?? 'text';
  const options = Object.keys(optionsOf(said)).map(name => `--${name}`);
  if (last.startsWith('-')) return said.length === 0 ? [...options, '--version'] : options;
  const command = commandOf(said);
  if (!command) {
    const next = said.length === 0 ? [...COMMANDS, { name: 'help' }] : groupOf(...said);
    return [...new Set(next.map(({ name }) => name.split(' ')[said.length] as string))];
  }
  const word = command.words?.[said.length - command.name.split(' ').length];
  return word === undefined ? options : kindOf(word);
}

const commandOf = (said: readonly string[]) =>
  COMMANDS.find(({ name }) => name.split(' ').every((word, i) => said[i] === word));

const optionsOf = (said: readonly string[]): Readonly<Record<string, Option>> => ({
  ...commandOf(said)?.options,
  ...COMMON,
});

function kindOf(word: string): Kind {
  const bare = word.replace(/[[\]]/g, '');
  if (bare === 'FILE' || bare === 'DIR') return 'file';
  if (bare === 'APP_ID') return 'app';
  return bare.includes('|') ? bare.split('|') : 'text';
}

async function appIds({ env, parts = {} }: Place): Promise<string[]> {
  try {
    const config = loadConfig(env);
    if (isMissing(config.database)) return [];
    const { openAdmin } = await import('../service/data.ts');
    const admin = await openAdmin(config, parts);
    try {
      return (await listApps(admin.deps)).map(({ id }) => id);
    } finally {
      await admin.close();
    }
  } catch {
    return [];
  }
}
