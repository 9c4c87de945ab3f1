/**
 * The table of settings as src/settings/README.md shows it, made from src/settings/table.ts.
 *
 * Use: node test/repo/settings-table.ts --write   (puts it into that file between its markers)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/config.ts';
import { shownDefault } from '../../src/settings/setting.ts';

const README = join(import.meta.dirname, '../../src/settings/README.md');
const [BEGIN, END] = ['<!-- settings -->', '<!-- /settings -->'];

export function settingsTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) =>
      `| \`${name}\` | ${cell(shownDefault(setting))} | ${setting.read.accepts ?? ''} | ${cell(setting.meaning)} |`,
  );
  return ['| setting | default | accepts | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The text with the table between its markers. @throws Error when the markers are not there, once and in order */
export function withTable(text: string, table = settingsTable()): string {
  const [before, rest, ...more] = text.split(BEGIN);
  const [, after, ...others] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0)
    throw new Error(`src/settings/README.md needs the line ${BEGIN}, and below it ${END}, once each`);
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

export const readReadme = () => readFileSync(README, 'utf8');

if (import.meta.main && process.argv.includes('--write')) writeFileSync(README, withTable(readReadme()));
