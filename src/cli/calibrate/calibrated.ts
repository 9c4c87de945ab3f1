/** From the bytes of a file to its report. Runs as a command, and in a worker of the portal's page. */
import { calibrate, type Options, type Report } from '../../calibration/report.ts';
import { CommandFailed } from '../command.ts';
import { gather } from './gather.ts';
import type { Pieces } from './lines.ts';
import type { Source } from './notes.ts';

interface Calibrated {
  readonly report: Report;
  readonly source: Source;
  readonly people: Awaited<ReturnType<typeof gather>>['kept']['people'];
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
