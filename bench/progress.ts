/**
 * Progress of what takes long, on stderr: the bar and the lines of the command line (src/cli/progress.ts). A terminal
 * gets a bar, anything else a line every 10 seconds.
 */
import { type Progress, type ProgressStream, progressOn } from '../src/cli/progress.ts';

/** @param total what `at()` counts up to */
export function progress(label: string, total?: number, stream: ProgressStream = process.stderr): Progress {
  return progressOn(stream).begin(label, total);
}

/** For work that cannot say how far it is: counts the seconds. */
export async function withSeconds<T>(
  label: string,
  work: () => Promise<T>,
  { stream = process.stderr as ProgressStream, every = 1_000 } = {},
): Promise<T> {
  const shown = progress(`${label}, seconds`, undefined, stream);
  const began = performance.now();
  const timer = setInterval(() => shown.at(Math.round((performance.now() - began) / 1_000)), every);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    shown.end();
  }
}
