/**
 * From the bytes of a file to its report. Runs as a command, and in a worker of the portal's page. Held by
 * test/cli/calibrate-refusals.test.ts.
 */
import { DescriptorCollector, type Kept, TwoGroups } from '../../calibration/people.ts';
import { calibrate, type Options, type Report } from '../../calibration/report.ts';
import { CommandFailed } from '../command.ts';
import { type Labelled, labelledLines, type Pieces } from './lines.ts';
import type { Source } from './notes.ts';

interface Calibrated {
  readonly report: Report;
  readonly source: Source;
  readonly people: Kept['people'];
}

/** @param file its name. @param onRead gets the number of bytes read so far. @throws CommandFailed */
export async function calibrated(
  file: string,
  pieces: Pieces,
  options: Options,
  onRead: (bytes: number) => void,
): Promise<Calibrated> {
  const { kept, encoder, unnamed } = await gather(pieces, options.seed, onRead);
  if (kept.people.norms.length < 2)
    throw new CommandFailed(
      `${file} holds ${kept.people.norms.length === 0 ? 'no descriptor' : 'one descriptor'}: there is nothing to compare; give at least two persons with two descriptors each`,
    );
  return { report: calibrate(kept, options), source: { file, encoder, unnamed }, people: kept.people };
}

type Gathered = Omit<Source, 'file'> & { readonly kept: Kept };

/**
 * Reads the whole file into memory. It refuses faults that a single line does not show: two encoders in one file, and a
 * person in two groups.
 * @throws CommandFailed naming the line
 */
export async function gather(file: Pieces, seed: number, onRead: (bytes: number) => void): Promise<Gathered> {
  const gathering = new DescriptorCollector(seed);
  let first: Labelled | null = null;
  let unnamed = 0;
  for await (const labelled of labelledLines(file, onRead)) {
    const { person, descriptor, encoder, group, line } = labelled;
    if (encoder === null) unnamed++;
    else if (first === null) first = labelled;
    else if (encoder !== first.encoder)
      throw new CommandFailed(
        `line ${line}: encoder: is ${JSON.stringify(encoder)}, but line ${first.line} has ${JSON.stringify(first.encoder)}: descriptors of two encoders cannot be compared; use one file per encoder`,
      );
    try {
      gathering.add(person, descriptor, group);
    } catch (error) {
      if (!(error instanceof TwoGroups)) throw error;
      throw new CommandFailed(
        `line ${line}: group: ${JSON.stringify(person)} is in ${JSON.stringify(group)} here, but in ${JSON.stringify(error.before)} on an earlier line: put each person in one group`,
      );
    }
  }
  return { kept: gathering.end(), encoder: first?.encoder ?? null, unnamed };
}
