/**
 * The commands behind every figure that the documents tell: each bench, each trial, and what has a command of its own.
 * A new bench or trial is in it by itself. Held by test/repo/nightly.test.ts.
 */
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NAMES } from '../../bench/trials.ts';

export interface Night {
  readonly name: string;
  /** Behind `npm`. */
  readonly words: readonly string[];
}

const run = (script: string, ...words: string[]) => [
  'run',
  '-s',
  script,
  ...(words.length > 0 ? ['--', ...words] : []),
];
const trials = globSync('*/trial.ts', { cwd: join(import.meta.dirname, '../chaos') })
  .map(dirname)
  .sort();

export const NIGHTLY: readonly Night[] = [
  { name: 'tests', words: ['test'] },
  { name: 'long', words: ['test', '--', 'long'] },
  { name: 'breaks', words: run('breaks', '--count', '1000') },
  { name: 'fuzz', words: run('fuzz', '--count', '100000', '--seed', '7') },
  { name: 'cold-start', words: ['exec', '--', 'node', 'test/dist/cold-start.ts', '--count', '25'] },
  ...NAMES.map(name => ({ name: `bench-${name}`, words: run('bench', name) })),
  ...trials.map(name => ({ name: `chaos-${basename(name)}`, words: run('chaos', name) })),
  { name: 'chaos-failover-soak', words: run('chaos', 'failover', '--soak', '30') },
];
