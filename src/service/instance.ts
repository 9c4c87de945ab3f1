/**
 * One server at a time for a data folder, and for a database; commands work beside it. A folder is locked by the name of
 * the database that it would have, so that usually there is one lock, and one that is also seen by a server that has
 * its data elsewhere and names this database. Held by test/cli/two-servers.long.test.ts.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LockHeld } from '../adapters/sql/lock-held.ts';
import { lockFile } from '../adapters/sqlite/instance-lock.ts';
import type { Config } from '../config.ts';
import { DATA_DIR_EXAMPLE, DATABASE_EXAMPLE, defaultDatabase } from '../settings/database.ts';

/** Another server has what this one is to have. The message says what to do. */
export class AlreadyServed extends Error {}

/** @returns gives them back. @throws AlreadyServed; Error naming a file that cannot be locked */
export function takeInstance({ dataDir, databasePath }: Config): () => void {
  const ofFolder = defaultDatabase(realpathSync(dataDir));
  const database = existsSync(databasePath) ? realpathSync(databasePath) : databasePath;
  const wanted = [
    {
      path: ofFolder,
      refusal: `another server runs on the data folder ${dataDir}: stop it, or set DATA_DIR to a folder for this one, for example DATA_DIR=${DATA_DIR_EXAMPLE}-2`,
    },
  ];
  // If its folder is missing or a file, opening the database says so.
  if (database !== ofFolder && statSync(dirname(database), { throwIfNoEntry: false })?.isDirectory())
    wanted.push({
      path: database,
      refusal: `another server runs on the database ${databasePath}: stop it, or set DATABASE_URL to one for this server, for example DATABASE_URL=${DATABASE_EXAMPLE}`,
    });
  const held: (() => void)[] = [];
  const giveBack = () => {
    for (const release of held.splice(0)) release();
  };
  for (const { path, refusal } of wanted) {
    try {
      held.push(lockFile(`${path}.lock`));
    } catch (error) {
      giveBack();
      throw error instanceof LockHeld ? new AlreadyServed(refusal, { cause: error }) : error;
    }
  }
  return giveBack;
}
