/**
 * Entry point of `npm run bench -- [trial] [options]`. Each trial is a module that returns rows. A trial throws when
 * its correctness gate fails; then no figure is shown and the process exits with 1.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { encoder } from './encoder/trial.ts';
import { enumeration } from './enumeration/trial.ts';
import { exact } from './exact.ts';
import { loading } from './loading.ts';
import { publishRows } from './publish.ts';
import { search } from './search.ts';
import { capacity } from './service/capacity.ts';
import { parts } from './service/parts.ts';
import { service } from './service/trial.ts';
import { type Row, table } from './table.ts';

/** Trials by name. Each prints its progress to stderr and returns rows with the same columns. */
const TRIALS: Readonly<Record<string, () => Promise<Row[]>>> = {
  calls,
  exact: () => exact(),
  loading: () => loading(),
  service: () => service(),
  parts,
  capacity: () => capacity(),
  enumeration,
};
/** Options that a trial takes besides --json and --publish. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  search: ['quick', 'check', 'accept', 'build-graphs', 'data', 'sizes', 'engines'],
  encoder: ['photos', 'weights', 'onnx', 'onnx-options', 'any-quality'],
};
const USE = `npm run bench -- [search|encoder|${Object.keys(TRIALS).join('|')}] [--json FILE] [--publish]
search also takes [--quick] [--check] [--accept] [--build-graphs] [--data A,B] [--sizes N,N] [--engines A,B]
encoder also takes [--photos DIR] [--weights FILE] [--onnx FILE] [--onnx-options JSON] [--any-quality]`;

const { positionals, values } = commandLine();
const name = positionals[0] ?? 'search';
const { json, publish = false, ...own } = values;
const trial = TRIALS[name];
if (!trial && !(name in OWN)) refuse(`there is no trial "${name}"`);
const foreign = Object.keys(own).find(option => !OWN[name]?.includes(option));
if (foreign) refuse(`${name} does not take --${foreign}`);
if (publish && own.photos !== undefined) refuse('--publish is for the sample photos: leave out --photos');
try {
  const { rows, printed } = await run();
  console.log(printed);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Peers that run as processes end when their input does.
  process.exit(1);
}

async function run(): Promise<{ rows: unknown; printed: string }> {
  if (name === 'search') return search(searchOptions());
  const { rows, printed } = name === 'encoder' ? await encoder(encoderOptions()) : await shown();
  if (publish) publishRows(name, rows);
  return { rows, printed };
}

async function shown(): Promise<{ rows: Row[]; printed: string }> {
  const rows = (await trial?.()) ?? [];
  return { rows, printed: table(rows) };
}

function encoderOptions() {
  const { photos, weights, onnx, 'onnx-options': onnxOptions, 'any-quality': anyQuality = false } = own;
  return { photos, weights, onnx, onnxOptions, anyQuality };
}

function searchOptions() {
  const list = (text: string | undefined) => text?.split(',').filter(part => part !== '');
  return {
    quick: own.quick ?? false,
    check: own.check ?? false,
    accept: own.accept ?? false,
    publish,
    buildGraphs: own['build-graphs'] ?? false,
    data: list(own.data),
    sizes: list(own.sizes)?.map(Number),
    engines: list(own.engines),
  };
}

function commandLine() {
  const [flag, text] = [{ type: 'boolean' }, { type: 'string' }] as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: text,
        quick: flag,
        check: flag,
        accept: flag,
        publish: flag,
        'build-graphs': flag,
        data: text,
        sizes: text,
        engines: text,
        photos: text,
        weights: text,
        onnx: text,
        'onnx-options': text,
        'any-quality': flag,
      },
    });
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0] ?? '');
  }
}

function refuse(problem: string): never {
  console.error(`${problem}; use: ${USE}`);
  process.exit(2);
}
