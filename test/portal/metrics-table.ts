/**
 * The table of the service's own families as src/portal/README.md shows it, made from the registry itself.
 *
 * Use: node test/portal/metrics-table.ts --write   (puts it into that file between its markers)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '../../src/portal/metrics/metrics.ts';

const README = join(import.meta.dirname, '../../src/portal/README.md');
const [BEGIN, END] = ['<!-- metrics -->', '<!-- /metrics -->'];
const BUILD = { version: '0', commit: null, node: '0', simd: 'simd' };

export const families = () => createMetrics(BUILD, 'smtp').families();

export function metricsTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  // The rest are prom-client's own, which its users know.
  const own = families().filter(({ name }) => name.startsWith('face_sign_in_'));
  const rows = own.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map(label => `\`${label}\``).join(', ')} | ${cell(help)} |`,
  );
  return ['| family | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The text with the table between its markers. @throws Error when the markers are not there, once and in order */
export function withMetrics(text: string): string {
  const [before, rest, ...more] = text.split(BEGIN);
  const [, after, ...others] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0)
    throw new Error(`src/portal/README.md needs the line ${BEGIN}, and below it ${END}, once each`);
  return `${before}${BEGIN}\n${metricsTable()}\n${END}${after}`;
}

export const readPortalReadme = () => readFileSync(README, 'utf8');

if (import.meta.main && process.argv.includes('--write'))
  writeFileSync(README, withMetrics(readPortalReadme()));
