/**
 * Entry of `npm run bench -- [trial] [--json FILE]`. Each trial is a module of its own that returns rows; a trial
 * throws when its correctness gate fails, and then no figure is shown and the process exits with 1.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { enumeration } from './enumeration/trial.ts';
import { search } from './search.ts';
import { parts } from './service/parts.ts';
import { service } from './service/trial.ts';
import { type Row, table } from './table.ts';

/** Trials by name; each prints its progress to stderr and returns rows of one shape. */
const TRIALS: Readonly<Record<string, () => Promise<Row[]>>> = { search, calls, service, parts, enumeration };

const { name, json } = wanted();
const trial = TRIALS[name];
if (trial === undefined) refuse(`there is no trial "${name}"`);
try {
  const rows = await trial();
  console.log(table(rows));
  if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function wanted(): { name: string; json: string | undefined } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'string' } },
    });
    return { name: positionals[0] ?? 'search', json: values.json };
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0] ?? '');
  }
}

function refuse(fault: string): never {
  console.error(`${fault}; use: npm run bench -- [${Object.keys(TRIALS).join('|')}] [--json FILE]`);
  process.exit(2);
}
