/**
 * Runs a trial by its name: `npm run chaos -- NAME [--option N]…`; without a name it lists them. A trial is a folder with
 * a `trial.ts`. Exit code 0 when every figure holds, 1 when one does not, 2 for wrong use.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { refuse, runTrial, type Trial } from '../support/trial.ts';

const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => /^[^/]+\/trial\.ts$/.test(path))
  .map(path => path.split('/')[0] as string)
  .sort();

// What a trial has started ends with it, also when it is broken off.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) return list();
  if (!names.includes(name)) return refuse(`there is no trial "${name}": use one of ${names.join(', ')}`);
  return runTrial(name, await trialOf(name), args);
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
