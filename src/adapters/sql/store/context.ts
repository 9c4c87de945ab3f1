/** What every part of the SQL store works with. */
import type { Random } from '../../../ports/system.ts';
import type { Driver, Sql } from '../driver.ts';
import type { GalleryReader } from '../gallery-reader.ts';
import type { Vault } from '../keys/vault.ts';
import type { Memory } from '../memory.ts';
import type { Scope } from '../scope.ts';

export interface StoreContext {
  readonly driver: Driver;
  readonly memory: Memory;
  /** Reads large parts of galleries beside the event loop. */
  readonly reader: GalleryReader;
  readonly vault: Vault;
  readonly random: Random;
  /** Brings to the journal what it lacks. */
  readonly writeJournal: () => Promise<void>;
  /** Takes erasures of before the moment out of the journal; answers how many. */
  readonly pruneJournal: (before: number) => Promise<number>;
  /** One import at a time. @returns gives it back. @throws LockHeld */
  readonly lockImports: () => () => void;
}

/**
 * A write that changes what the memory may hold: forgotten between the commit and its acknowledgement, and also after a
 * write that failed, since what the disk did not take may stand.
 */
export async function writeAndForget<Answer>(
  { driver, memory }: StoreContext,
  scope: Scope,
  work: (sql: Sql) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await driver.write(scope, work);
  } finally {
    memory.forget();
  }
}
