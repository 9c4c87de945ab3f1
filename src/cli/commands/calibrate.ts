/** `calibrate`: measures how well an encoder distinguishes people under the service's match rule. */
import { statSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { meanOf } from '../../calibration/centring.ts';
import { type People, personsOf } from '../../calibration/people.ts';
import { grouped } from '../../protocol/amounts.ts';
import { calibrated } from '../calibrate/calibrated.ts';
import { jsonOf } from '../calibrate/json.ts';
import { piecesOf } from '../calibrate/pieces.ts';
import { plotOf } from '../calibrate/plot.ts';
import { textOf } from '../calibrate/text.ts';
import { type Command, CommandFailed, type Invocation, WrongUsage } from '../command.ts';

const LARGEST_SEED = 2 ** 32 - 1;
/** The mean of only a few persons would resemble them. */
const FEWEST_IN_MEAN = 10;

export const CALIBRATE: Command = {
  name: 'calibrate',
  usage: 'FILE [--fmr 1e-4] [--plot FILE.svg] [--mean FILE.json] [--seed N]',
  about:
    'Measures error rates on labelled descriptors. FILE holds one JSON object per line: {"person": "p1", "descriptor": [128 numbers]}. The report shows FMR, FNMR, FPIR and FNIR with MATCH_THRESHOLD and MATCH_MARGIN, the threshold for a wanted FMR, how large an app may grow, and whether the encoder needs centring. Lines may also have "encoder" (one per file) and "group", for error rates by group. Pairs of names that may be the same person are listed. --plot draws the distances and the DET curve, --mean writes the mean descriptor that centring subtracts. Needs no database.',
  words: ['FILE'],
  options: {
    fmr: {
      type: 'string',
      default: '1e-4',
      value: 'RATE',
      meaning: 'The false match rate to find a threshold for.',
    },
    plot: {
      type: 'string',
      value: 'FILE.svg',
      completes: 'file',
      meaning: 'Draw the distances and the DET curve into this file.',
    },
    mean: {
      type: 'string',
      value: 'FILE.json',
      completes: 'file',
      meaning: 'Write the mean descriptor, which centring subtracts, into this file.',
    },
    seed: {
      type: 'string',
      default: '1',
      value: 'N',
      meaning: 'Seed of the random sample, drawn if there are too many comparisons.',
    },
  },
  examples: ['calibrate faces.jsonl', 'calibrate faces.jsonl --fmr 1e-5 --plot faces.svg --mean mean.json'],
  run: async invocation => {
    const file = invocation.words[0] as string;
    const { matchThreshold: threshold, matchMargin: margin } = invocation.config();
    const wantedFmr = numberOf(invocation, 'fmr', n => n > 0 && n < 1, 'a rate between 0 and 1: 1e-4');
    const seed = numberOf(
      invocation,
      'seed',
      n => Number.isInteger(n) && n >= 0 && n <= LARGEST_SEED,
      `a whole number from 0 to ${grouped(LARGEST_SEED)}`,
    );
    const [plot, mean] = [fileOf(invocation, 'plot'), fileOf(invocation, 'mean')];
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const reading = invocation.progress(`reading ${basename(file)}`, size);
    const options = { rule: { threshold, margin }, wantedFmr, seed };
    const { report, source, people } = await calibrated(file, piecesOf(file), options, reading.at);
    reading.end();
    if (plot !== null) write(plot, plotOf(report));
    if (mean !== null) write(mean, meanJson(people));
    const files = [plot && `Plot: ${plot}`, mean && `Mean: ${mean}`].filter(line => line !== null);
    const text = [textOf(report, source), ...(files.length > 0 ? ['', ...files] : [])].join('\n');
    return { json: { ...jsonOf(report, source), plot, mean }, text };
  },
};

function fileOf({ options, usage }: Invocation, name: string): string | null {
  const given = options[name];
  if (given === '') throw new WrongUsage(`--${name} must name a file; use: ${usage}`);
  return typeof given === 'string' ? resolve(given) : null;
}

function meanJson(people: People): string {
  const persons = personsOf(people);
  if (persons < FEWEST_IN_MEAN)
    throw new CommandFailed(
      `--mean needs at least ${FEWEST_IN_MEAN} persons, the file has ${persons}: the mean of so few would resemble their faces`,
    );
  return `${JSON.stringify({ persons, descriptors: people.norms.length, mean: [...meanOf(people)] })}\n`;
}

function numberOf(
  { options, usage }: Invocation,
  name: string,
  isRight: (value: number) => boolean,
  wanted: string,
): number {
  const given = options[name];
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  if (!isRight(value)) throw new WrongUsage(`--${name} must be ${wanted}, not "${given}"; use: ${usage}`);
  return value;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
