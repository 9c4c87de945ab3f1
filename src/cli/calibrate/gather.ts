/**
 * Reads the whole file into memory, and refuses what only several lines together show: two encoders, whose descriptors cannot be
 * compared, and a person in two groups. Held by test/cli/calibrate-refusals.test.ts.
 */
import { Gathering, type Kept, TwoGroups } from '../../calibration/people.ts';
import { CommandFailed } from '../command.ts';
import { type Labelled, labelledLines } from './lines.ts';

export interface Gathered {
  readonly kept: Kept;
  /** What made the descriptors; null: no line names it. */
  readonly encoder: string | null;
  /** Lines that do not name it. */
  readonly unnamed: number;
}

/** @param tell how many bytes are read. @throws CommandFailed naming the line */
export async function gather(file: string, seed: number, tell: (bytes: number) => void): Promise<Gathered> {
  const gathering = new Gathering(seed);
  let first: Labelled | null = null;
  let unnamed = 0;
  for await (const labelled of labelledLines(file, tell)) {
    const { person, descriptor, encoder, group, line } = labelled;
    if (encoder === null) unnamed++;
    else if (first === null) first = labelled;
    else if (encoder !== first.encoder)
      throw new CommandFailed(
        `line ${line}: encoder: is ${JSON.stringify(encoder)}, but line ${first.line} has ${JSON.stringify(first.encoder)}: descriptors of two encoders cannot be compared; give each encoder a file of its own`,
      );
    try {
      gathering.add(person, descriptor, group);
    } catch (error) {
      if (!(error instanceof TwoGroups)) throw error;
      throw new CommandFailed(
        `line ${line}: group: ${JSON.stringify(person)} is in ${JSON.stringify(group)} here, but in ${JSON.stringify(error.before)} on an earlier line: put each person in one group only`,
      );
    }
  }
  return { kept: gathering.end(), encoder: first?.encoder ?? null, unnamed };
}
