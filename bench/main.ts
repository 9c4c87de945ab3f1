/**
 * Entry of `npm run bench -- [trial] [--json FILE]`. Each trial is a module of its own that returns rows; a trial
 * throws when its correctness gate fails, and then no figure is shown and the process exits with 1.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { search } from './search.ts';
import { service } from './service/trial.ts';
import { type Row, table } from './table.ts';

/** Trials by name; each prints its progress to stderr and returns rows of one shape. */
const TRIALS: Readonly<Record<string, () => Promise<Row[]>>> = { search, calls, service };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});
const name = positionals[0] ?? 'search';
const trial = TRIALS[name];
if (trial === undefined) {
  console.error(`no trial "${name}"; there are: ${Object.keys(TRIALS).join(', ')}`);
  process.exit(1);
}
try {
  const rows = await trial();
  console.log(table(rows));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
