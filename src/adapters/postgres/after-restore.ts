/**
 * For a database that the tools of its server have restored. What `restore` does to a draft of a file, this does in
 * place, so no node may run meanwhile: each would go on with galleries from before. Held by
 * test/postgres/after-restore.ts.
 */
import { BackupFault, type Restored } from '../../ports/upkeep.ts';
import { type Known, knownHere, refuseGapAfter } from '../journal/erasure-reach.ts';
import { latestMoment } from '../sql/keys/meta.ts';
import { type Settling, settleRestored } from '../sql/restored.ts';
import type { StoreContext } from '../sql/store/context.ts';
import type { Erasure } from '../sql/store/journal.ts';
import { lackingOf } from './journal.ts';

export interface AfterRestore extends Settling {
  /** Another journal, from another node. Null: only that of this one. */
  readonly erasures: string | null;
  readonly acceptGap: boolean;
}

/** @param what the database, as messages name it. @throws BackupFault; then nobody was erased and nothing revoked */
export async function afterRestore(
  context: StoreContext,
  what: string,
  erasuresFile: string,
  request: AfterRestore,
  knownIn: (file: string | null) => Known | null,
): Promise<Restored> {
  const nodes = (await context.nodes?.seen()) ?? [];
  if (nodes.length > 0)
    throw new BackupFault(
      `${what} is in use by ${nodes.map(({ name }) => name).join(', ')}: stop all nodes, because they know galleries from before, and wait a minute if one was killed`,
    );
  const [here, given] = [knownHere(erasuresFile), knownIn(request.erasures)];
  const journals = { here: here?.erasures ?? [], given: given?.erasures ?? [] };
  if (!request.acceptGap) {
    const moment = await latestMoment(context.driver.read);
    const known = [here, given].filter(each => each !== null);
    if (moment !== null) refuseGapAfter(moment, what, erasuresFile, known);
    await refuseNothingNew(context, what, [...journals.here, ...journals.given]);
  }
  const settled = await settleRestored(context, journals, request);
  await context.writeJournal();
  await context.driver.scrub();
  return settled;
}

/**
 * A journal that knows no more than the database may have been written from it, by a command or a node after the
 * restore; or nobody was erased since.
 */
async function refuseNothingNew(
  { driver }: StoreContext,
  what: string,
  erasures: readonly Erasure[],
): Promise<void> {
  if ((await lackingOf(driver.read, erasures)).length > 0) return;
  throw new BackupFault(
    `the journal knows no erasure that ${what} lacks: name the journal of a node that ran until the end with --erasures; if nobody was erased since the backup, use --accept-gap`,
  );
}
