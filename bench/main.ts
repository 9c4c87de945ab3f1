/**
 * Entry of `npm run bench -- [trial] [options]`. Each trial is a module of its own that returns rows; a trial throws
 * when its correctness gate fails, and then no figure is shown and the process exits with 1.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { enumeration } from './enumeration/trial.ts';
import { exact } from './exact.ts';
import { loading } from './loading.ts';
import { search } from './search.ts';
import { capacity } from './service/capacity.ts';
import { parts } from './service/parts.ts';
import { service } from './service/trial.ts';
import { type Row, table } from './table.ts';

/** Trials by name; each prints its progress to stderr and returns rows of one shape. */
const TRIALS: Readonly<Record<string, () => Promise<Row[]>>> = {
  calls,
  exact: () => exact(),
  loading: () => loading(),
  service: () => service(),
  parts,
  capacity: () => capacity(),
  enumeration,
};
const USE = `npm run bench -- [search|${Object.keys(TRIALS).join('|')}] [--json FILE]
search also takes [--quick] [--check] [--accept] [--publish] [--build-graphs] [--data A,B] [--sizes N,N] [--engines A,B]`;

const { positionals, values } = wanted();
const name = positionals[0] ?? 'search';
const { json, ...own } = values;
const trial = name === 'search' ? undefined : TRIALS[name];
if (name !== 'search' && trial === undefined) refuse(`there is no trial "${name}"`);
if (name !== 'search' && Object.keys(own).length > 0) refuse(`${name} takes --json only`);
try {
  const { rows, printed } = trial === undefined ? await search(searchOptions()) : plain(await trial());
  console.log(printed);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Peers that are processes of their own end when their input does.
  process.exit(1);
}

function plain(rows: Row[]) {
  return { rows, printed: table(rows) };
}

function searchOptions() {
  const list = (text: string | undefined) => text?.split(',').filter(part => part !== '');
  return {
    quick: own.quick ?? false,
    check: own.check ?? false,
    accept: own.accept ?? false,
    publish: own.publish ?? false,
    buildGraphs: own['build-graphs'] ?? false,
    data: list(own.data),
    sizes: list(own.sizes)?.map(Number),
    engines: list(own.engines),
  };
}

function wanted() {
  const [yes, text] = [{ type: 'boolean' }, { type: 'string' }] as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: text,
        quick: yes,
        check: yes,
        accept: yes,
        publish: yes,
        'build-graphs': yes,
        data: text,
        sizes: text,
        engines: text,
      },
    });
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0] ?? '');
  }
}

function refuse(fault: string): never {
  console.error(`${fault}; use: ${USE}`);
  process.exit(2);
}
