/** Reports the progress of work that grows a file, by the size of the file. */
import { statSync } from 'node:fs';
import type { OnProgress } from '../../ports/upkeep.ts';

const POLL_INTERVAL_MS = 100;

export async function watched<Answer>(
  work: Promise<Answer>,
  file: string,
  total: number,
  onProgress: OnProgress,
): Promise<Answer> {
  const timer = setInterval(() => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    onProgress(Math.min(size, total), total);
  }, POLL_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
