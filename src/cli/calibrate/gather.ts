/**
 * Reads the whole file into memory. It refuses faults that a single line does not show: two encoders in one file, and a
 * person in two groups. Held by test/cli/calibrate-refusals.test.ts.
 */
import { DescriptorCollector, type Kept, TwoGroups } from '../../calibration/people.ts';
import { CommandFailed } from '../command.ts';
import { type Labelled, labelledLines, type Pieces } from './lines.ts';

interface Gathered {
  readonly kept: Kept;
  /** What made the descriptors. Null: no line names it. */
  readonly encoder: string | null;
  /** How many lines do not name it. */
  readonly unnamed: number;
}

/** @param onRead gets the number of bytes read so far. @throws CommandFailed naming the line */
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
