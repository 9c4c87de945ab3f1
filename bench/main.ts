/**
 * Entry point of `npm run bench -- [trial] [options]`. Builds the matching core if it has changed, runs one trial of
 * trials.ts and prints its rows. A trial throws when its correctness gate fails; then no figure is shown and the
 * process exits with 1. A wrong command line exits with 2, before anything is built.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, help } from './command-line.ts';
import type { Row } from './table.ts';
import { listOf, PLAIN, type TrialName, type Values } from './trials.ts';
import { WrongUsage } from './wrong-usage.ts';

try {
  const command = commandLine(process.argv.slice(2));
  if (command === null) console.log(help());
  else {
    const { json } = command.values;
    const { rows, printed } = await run(command.trial, command.values);
    console.log(printed);
    if (json !== undefined) await writeFile(String(json), `${JSON.stringify(rows, null, 2)}\n`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof WrongUsage) console.error('npm run bench -- --help lists trials and options');
  // Peers that run as processes end when their input does.
  process.exit(error instanceof WrongUsage ? 2 : 1);
}

async function run(trial: TrialName, values: Values): Promise<{ rows: unknown; printed: string }> {
  if (trial === 'search') return (await import('./search.ts')).search(searchOptions(values), buildCore);
  if (trial === 'encoder' && values.publish && values.photos !== undefined)
    throw new WrongUsage('--publish is for the sample photos: leave out --photos');
  await buildCore();
  const { rows, printed } =
    trial === 'encoder'
      ? await (await import('./encoder/trial.ts')).encoder(encoderOptions(values))
      : await shown(PLAIN[trial](values));
  if (values.publish) (await import('./publish.ts')).publishRows(trial, rows);
  return { rows, printed };
}

async function shown(made: Promise<Row[]>) {
  const rows = await made;
  return { rows, printed: (await import('./table.ts')).table(rows) };
}

async function buildCore(): Promise<void> {
  const [{ bringUpToDate }, { STEPS }] = await Promise.all([
    import('../src/build/stamp.ts'),
    import('../src/build/steps.ts'),
  ]);
  const core = STEPS.find(({ name }) => name === 'core');
  if (!core) throw new Error('src/build/steps.ts has no step "core"');
  if (await bringUpToDate(join(import.meta.dirname, '..'), core)) console.error(`built ${core.output}`);
}

function text(value: Values[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function encoderOptions(values: Values) {
  return {
    photos: text(values.photos),
    weights: text(values.weights),
    onnx: text(values.onnx),
    onnxOptions: text(values['onnx-options']),
    anyQuality: values['any-quality'] === true,
  };
}

function searchOptions(values: Values) {
  return {
    quick: values.quick === true,
    check: values.check === true,
    accept: values.accept === true,
    publish: values.publish === true,
    plots: text(values.plots),
    data: listOf(values.data),
    sizes: listOf(values.sizes)?.map(Number),
    engines: listOf(values.engines),
    own: (values.engine as readonly string[] | undefined) ?? [],
    file: text(values.file),
  };
}
