/**
 * Runs a trial by its name: `npm run chaos -- NAME [--option N]…`; without a name it lists them. A trial is a folder with
 * a `trial.ts`. Exit code 0 when every figure holds, 1 when one does not, 2 for wrong use.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure, Trial } from './trial.ts';

const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => /^[^/]+\/trial\.ts$/.test(path))
  .map(path => path.split('/')[0] as string)
  .sort();

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) return list();
  if (!names.includes(name)) return refuse(`there is no trial "${name}": use one of ${names.join(', ')}`);
  const trial = await trialOf(name);
  let options: Record<string, number>;
  try {
    options = optionsOf(trial, args);
  } catch (error) {
    return refuse((error as Error).message);
  }
  console.log(`${name}: ${trial.about}`);
  console.log(
    Object.entries(options)
      .map(([option, value]) => `--${option} ${value}`)
      .join(' '),
  );
  const began = performance.now();
  // What a trial waits for may be a process that keeps nobody alive.
  const alive = setInterval(() => undefined, 60_000);
  const figures = await trial
    .run(options, line => console.error(`  ${line}`))
    .finally(() => clearInterval(alive));
  console.log(table(figures));
  console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return figures.every(({ held }) => held) ? 0 : 1;
}

async function list(): Promise<number> {
  console.log('npm run chaos -- NAME [--option N]…\n');
  for (const name of names) {
    const { about, options } = await trialOf(name);
    const given = Object.entries(options).map(([option, value]) => `--${option} ${value}`);
    console.log(`${name.padEnd(12)} ${about}\n${' '.repeat(13)}${given.join(' ')}`);
  }
  return 0;
}

async function trialOf(name: string): Promise<Trial> {
  return (await import(join(import.meta.dirname, name, 'trial.ts'))).trial;
}

function optionsOf(trial: Trial, args: readonly string[]): Record<string, number> {
  const known = Object.keys(trial.options).map(option => [option, { type: 'string' }] as const);
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(known) });
  const options: Record<string, number> = { ...trial.options };
  for (const [option, text] of Object.entries(values)) {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0)
      throw new Error(`--${option} must be a whole number, not "${text}"`);
    options[option] = value;
  }
  return options;
}

function refuse(message: string): number {
  console.error(`chaos: ${message}`);
  return 2;
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, wanted, measured, held }) => [
    what,
    wanted,
    measured,
    held ? 'held' : 'NOT HELD',
  ]);
  const all = [['figure', 'wanted', 'measured', ''], ...rows];
  const widths = [0, 1, 2].map(column => Math.max(...all.map(row => row[column]?.length ?? 0)));
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
