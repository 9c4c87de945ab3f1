/** What every part of the SQL store needs. */
import type { MinuteCounter, Nodes } from '../../../ports/nodes.ts';
import type { Random } from '../../../ports/system.ts';
import type { Driver, Transaction } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import type { Memory } from '../memory.ts';
import type { Scope } from '../scope.ts';

/** The right to do something that one node does at a time. */
export interface Lease {
  /** Aborted when the lease was lost: the work must stop. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

export interface StoreContext {
  readonly driver: Driver;
  readonly memory: Memory;
  readonly vault: Vault;
  readonly random: Random;
  /** Shared by all nodes. Null: there is only one. */
  readonly minutes: MinuteCounter | null;
  /** Null: there is only one. */
  readonly nodes: Nodes | null;
  /** Writes missing erasures to the journal. */
  readonly writeJournal: () => Promise<void>;
  /** Removes erasures from before the moment from the journal. @returns how many */
  readonly pruneJournal: (before: number) => Promise<number>;
  /** Null: another node does it. Where there is one node, always granted. */
  readonly takeLease: (name: string, patience?: number) => Promise<Lease | null>;
  /** Allows one import at a time. @returns a function that releases the lock; null: another import holds it */
  readonly lockImports: () => Promise<(() => unknown) | null>;
}

/** Does the work unless another node does it. @returns null: another one does */
export async function alone<Answer>(
  { takeLease }: Pick<StoreContext, 'takeLease'>,
  name: string,
  work: (lost: AbortSignal) => Promise<Answer>,
  patience?: number,
): Promise<Answer | null> {
  const lease = await takeLease(name, patience);
  if (!lease) return null;
  try {
    return await work(lease.signal);
  } finally {
    await lease.release();
  }
}

/**
 * Runs a write that changes remembered data: other nodes learn it with the commit, and this one forgets it before the
 * write is acknowledged. It does so after a failed write too, because that may have reached the disk. Within galleries
 * only their state is remembered.
 */
export async function writeAndForget<Answer>(
  { driver, memory }: Pick<StoreContext, 'driver' | 'memory'>,
  scope: Scope,
  work: (sql: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const isGallery = scope.kind === 'galleries';
  try {
    return await driver.write(scope, async sql => {
      const answer = await work(sql);
      if (!isGallery) await memory.raiseVersion(sql);
      return answer;
    });
  } finally {
    if (isGallery) memory.forgetGalleries();
    else memory.forget();
  }
}
