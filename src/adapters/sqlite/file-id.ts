/** Identifies the file at a path, to detect that it was moved or replaced. */
import { type Stats, statSync } from 'node:fs';

/** Device and inode of the file at the path; empty: there is none. */
export function fileIdOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? fileIdIn(stat) : '';
}

export function fileIdIn({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
