/**
 * A trial: something that goes wrong on purpose, or happens very often, and figures of what the service made of it.
 * `npm run chaos` runs one, and prints its figures as a table.
 */
import { parseArgs } from 'node:util';

export interface Figure {
  /** What was measured: `acknowledged writes lost`. */
  readonly what: string;
  /** What it has to be: `0`, `under 2 s`. */
  readonly wanted: string;
  readonly measured: string;
  readonly held: boolean;
}

export interface Trial {
  /** One line. */
  readonly about: string;
  /** Numbers that may be given as `--name N`, with what they are otherwise. */
  readonly options: Readonly<Record<string, number>>;
  /**
   * @param say tells of progress, on stderr
   * @throws when the trial itself cannot be made: then nothing was measured
   */
  run(options: Readonly<Record<string, number>>, say: (line: string) => void): Promise<readonly Figure[]>;
}

export function figure(what: string, wanted: string, measured: number | string, held: boolean): Figure {
  return { what, wanted, measured: String(measured), held };
}

/** What must not be: of a list, the first is told. */
export function none(what: string, found: number | readonly unknown[]): Figure {
  const count = typeof found === 'number' ? found : found.length;
  const first = typeof found === 'number' || count === 0 ? '' : `: ${found[0]}`;
  return figure(what, '0', `${count}${first}`, count === 0);
}

export const some = (what: string, count: number): Figure => figure(what, 'more than 0', count, count > 0);

export const told = (what: string, measured: number | string): Figure =>
  figure(what, 'reported', measured, true);

export function within(what: string, limitMs: number, ms: number, more = ''): Figure {
  const measured = Number.isFinite(ms) ? `${ms.toFixed(0)} ms${more}` : 'not in time';
  return figure(what, `within ${limitMs / 1_000} s`, measured, ms <= limitMs);
}

/** @returns the exit code: 0 when every figure holds, 1 when one does not, 2 for wrong use */
export async function runTrial(name: string, trial: Trial, args: readonly string[]): Promise<number> {
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

export function refuse(message: string): number {
  console.error(message);
  return 2;
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
