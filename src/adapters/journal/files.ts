/** Files that others may move or replace meanwhile, and that have to be on the disk. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BackupFault } from '../../ports/upkeep.ts';

/** Device and inode of the file at the path; empty: there is none. */
export function fileIdOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? fileIdIn(stat) : '';
}

export function fileIdIn({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/** Syncs a file, or the list of files in a folder, to the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Gives a complete draft its final name. Never replaces another file.
 * @param id the draft that this process has made
 * @throws BackupFault
 */
export function publish(draft: string, file: string, id: string): void {
  if (fileIdOf(draft) !== id)
    throw new BackupFault(`another program has removed or replaced ${draft}: run this command again`);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BackupFault(`another program has just created ${file}: choose another file`);
    // Some file systems have no links.
    renameSync(draft, file);
  }
  rmSync(draft, { force: true });
  sync(dirname(file));
}

/** Where the files beside a database are, on every engine. */
export interface SecretLocation {
  /** The master secret from the settings. Null: it is in the file. */
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
}

export interface FilesLocation extends SecretLocation {
  /** The journal of erasures. Each node on a server has its own. */
  readonly erasuresFile: string;
}
