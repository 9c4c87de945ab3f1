/** Which file lies at a path: moved away and replaced, it is another one under the same name. */
import { statSync } from 'node:fs';

/** Device and file number of what lies at the path now; empty when nothing does. */
export function fileIdOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : '';
}
