/**
 * Allows one server at a time per data folder and per database. The lock of a folder has the name of its default
 * database. So one lock is usually enough, and a server with another data folder that uses this database sees it too.
 * Held by test/cli/two-servers.long.test.ts.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockFile } from '../adapters/journal/instance-lock.ts';
import type { Config } from '../config.ts';
import { DATA_DIR_EXAMPLE, DATABASE_EXAMPLE, defaultDatabase, fileOf } from '../settings/database.ts';

/** Another server uses the same data. The message says what to do. */
export class AlreadyServed extends Error {}

/** @returns a function that releases the locks. @throws AlreadyServed; Error naming a file that cannot be locked */
export function takeInstance({ dataDir, database: at }: Config): () => void {
  const ofFolder = defaultDatabase(realpathSync(dataDir));
  const wanted = [
    {
      path: ofFolder,
      refusal: `another server runs on the data folder ${dataDir}: stop it, or set DATA_DIR to a folder for this one, for example DATA_DIR=${DATA_DIR_EXAMPLE}-2`,
    },
  ];
  // A database on a server takes any number of nodes, each with a folder of its own.
  const path = fileOf(at) ?? ofFolder;
  const database = existsSync(path) ? realpathSync(path) : path;
  // If its folder does not exist or is a file, opening the database reports that.
  if (database !== ofFolder && statSync(dirname(database), { throwIfNoEntry: false })?.isDirectory())
    wanted.push({
      path: database,
      refusal: `another server runs on the database ${path}: stop it, or set DATABASE_URL to one for this server, for example DATABASE_URL=${DATABASE_EXAMPLE}`,
    });
  const held: (() => void)[] = [];
  const releaseAll = () => {
    for (const release of held.splice(0)) release();
  };
  for (const { path, refusal } of wanted) {
    try {
      const release = lockFile(`${path}.lock`);
      if (!release) throw new AlreadyServed(refusal);
      held.push(release);
    } catch (error) {
      releaseAll();
      throw error;
    }
  }
  return releaseAll;
}
