/** Folders for the data, in which something can be done to the service that an ordinary one does not allow. */
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newDataDir, tempFolder } from './process.ts';
import { run } from './system-programs.ts';

/** Where nothing else has to be. */
const NOBODY = 65_534;

export interface Place {
  readonly dataDir: string;
  /** Put before the program. */
  readonly prefix: readonly string[];
  /** Called once the data is there, before the program starts. */
  prepare(): void;
  remove(): void;
}

export function ordinary(): Place {
  return { dataDir: newDataDir(), prefix: [], prepare: () => undefined, remove: () => undefined };
}

/** A small disk in memory. */
export function mounted(megabytes: number): Place {
  const point = join(tempFolder(), 'disk');
  mkdirSync(point);
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', point);
  return {
    dataDir: join(point, 'data'),
    prefix: [],
    prepare: () => undefined,
    remove: () => run('umount', '--lazy', point),
  };
}

/** Of a user to whom modes mean something. */
export function unprivileged(): Place {
  const dataDir = newDataDir();
  const as = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return {
    dataDir,
    prefix: ['setpriv', ...as, '--'],
    prepare() {
      chownSync(dirname(dataDir), NOBODY, NOBODY);
      for (const path of everything(dataDir)) chownSync(path, NOBODY, NOBODY);
    },
    remove: () => undefined,
  };
}

/** The folder and all in it. */
export function everything(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  ];
}

export function setModes(folder: string, ofFolders: number, ofFiles: number): void {
  for (const path of everything(folder)) chmodSync(path, statSync(path).isDirectory() ? ofFolders : ofFiles);
}
